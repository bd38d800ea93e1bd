/**
 * Makes an administrator: `npm run admin -- <username>`. The password is asked for on a terminal,
 * and read from standard input otherwise; it stands in no command line, for others can see that.
 */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { makeAdministrator } from './auth/administrator.ts';
import { loadConfig } from './config.ts';
import { migrate } from './database/migrate.ts';
import { openDatabase } from './database/open.ts';
import { failureText } from './failure.ts';

try {
  const [username] = process.argv.slice(2);
  if (username === undefined) throw new Error('Name the user: npm run admin -- <username>');
  const config = loadConfig();
  const password = process.stdin.isTTY ? await ask('Password: ') : await readInput();
  const database = await openDatabase(config);
  try {
    if (config.migrate) await migrate(database);
    await makeAdministrator(database, username, password);
  } finally {
    await database.close();
  }
  console.log(`${username} is an administrator.`);
} catch (error) {
  console.error(`No administrator was made. ${failureText(error)}`);
  process.exitCode = 1;
}

/** What was piped in, without the line break at its end. */
async function readInput(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

/** Asks on the terminal without showing the answer. */
function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  return new Promise((resolve) => {
    lines.question('', (answer) => {
      lines.close();
      process.stderr.write('\n');
      resolve(answer);
    });
  });
}
