/**
 * The command `npm run admin -- <username>` creates an administrator, or makes an existing user one.
 * It prompts for the password on a terminal and reads it from standard input otherwise; command-line
 * arguments are visible to other users of the machine.
 */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { loadConfig } from './config.ts';
import { makeAdministrator } from './platform/auth/administrator.ts';
import { migrateForCommand } from './platform/database/migrate.ts';
import { openDatabase, PATIENCE, waitForDatabase } from './platform/database/open.ts';
import { errorText } from './platform/log.ts';

/** Thrown on Ctrl-C and Ctrl-D. */
const CANCELLED = new Error('The prompt was cancelled.');

try {
  const [username] = process.argv.slice(2);
  if (username === undefined) throw new Error('Name the user: npm run admin -- <username>');
  const config = loadConfig();
  const password = process.stdin.isTTY ? await promptHidden('Password: ') : await readInput();
  const database = await openDatabase(config);
  try {
    await waitForDatabase(
      config,
      async () => {
        await migrateForCommand(database, config.migrate);
        await makeAdministrator(database, username, password);
      },
      console.error,
      PATIENCE,
    );
  } finally {
    await database.close();
  }
  console.log(`${username} is an administrator.`);
} catch (error) {
  console.error(`No administrator was made. ${errorText(error)}`);
  // 130 is the status of a process that Ctrl-C has ended.
  process.exitCode = error === CANCELLED ? 130 : 1;
}

/** Reads standard input, without the final line break. */
async function readInput(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

/** Prompts on the terminal without echoing the input. @throws `CANCELLED` */
function promptHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  return new Promise((resolve, reject) => {
    lines.on('close', () => {
      process.stderr.write('\n');
      // Without effect after an answer.
      reject(CANCELLED);
    });
    lines.question('', (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}
