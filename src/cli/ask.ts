/** The questions that a terminal is asked where nothing was typed. */
import { existsSync } from 'node:fs';
import path from 'node:path';

import { confirm, intro, isCancel, multiselect, outro, select, text } from '@clack/prompts';

import type { CreateCommand } from './command.ts';
import { Interrupted } from './interrupted.ts';
import { commandLine } from './shell.ts';

/** A start to choose from. */
interface Start {
  readonly label: string;
  readonly hint: string;
  /** What --from is given; absent, it is what starts without it. */
  readonly from: string | undefined;
}

const OWN_FILE = 'own file';

/**
 * Asks, and shows the command that asks nothing and does the same.
 * @param fetch runs a package that nothing has installed: `npx`.
 * @throws Interrupted where a question is answered with Ctrl-C or Escape.
 */
export async function askForNew(
  command: CreateCommand,
  cwd: string,
  fetch: string,
  starts: readonly Start[],
): Promise<CreateCommand> {
  intro('create-service');
  const directory = answered(
    await text({
      message: 'Which folder should the service be created in?',
      placeholder: 'my-api',
      defaultValue: 'my-api',
    }),
  );
  const chosen = answered(
    await select<string>({
      message: 'Which definitions should it start from?',
      options: [
        ...starts.map(({ label, hint }) => ({ value: label, label, hint })),
        { value: OWN_FILE, label: 'Your own definitions', hint: 'a file or a folder' },
      ],
    }),
  );
  const from =
    chosen === OWN_FILE
      ? answered(await text({ message: 'Where are they?', validate: missingFrom(cwd) }))
      : starts.find(({ label }) => label === chosen)?.from;
  const install = answered(await confirm({ message: 'Install its dependencies?' }));

  const words = [
    ...fetch.split(' '),
    'create-service',
    directory,
    ...(from === undefined ? [] : ['--from', from]),
    ...(install ? [] : ['--no-install']),
  ];
  outro(`The same without questions: ${commandLine(words)}`);
  return { ...command, directory, from, install };
}

/**
 * Asks which columns mark removed rows: their names do not prove it.
 * @returns their tables.
 * @throws Interrupted where the question is answered with Ctrl-C or Escape.
 */
export async function askForSoftDelete(
  offered: readonly { readonly table: string; readonly column: string }[],
): Promise<readonly string[]> {
  const tables = answered(
    await multiselect<string>({
      message:
        'Which of these columns mark removed rows? Lists leave such rows out, and DELETE sets the column.',
      options: offered.map(({ table, column }) => ({ value: table, label: `${table}.${column}` })),
      required: false,
    }),
  );
  if (tables.length > 0) outro(`The same without the question: --soft-delete ${tables.join(',')}`);
  return tables;
}

function answered<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new Interrupted();
  return answer as Exclude<T, symbol>;
}

const missingFrom =
  (cwd: string) =>
  (typed: string | undefined): string | undefined =>
    typed !== undefined && typed !== '' && existsSync(path.resolve(cwd, typed))
      ? undefined
      : 'There is no such file or folder.';
