/** What imports of any kind have in common: where they write to, and what is printed of their results. */
import path from 'node:path';

import { ACCESS_NOTE } from '../commands/import/report-markdown.ts';
import type { ImportTarget } from '../commands/import/write-import.ts';
import { displayPath } from '../shared/display-path.ts';
import { ownerOf } from './owner.ts';
import type { Printer } from './printer.ts';
import { commandLine } from './shell.ts';
import type { ExitStatus, World } from './world.ts';

/** The folder to make, and who makes it. @param typed the arguments of the command line. */
export function importTarget(
  typed: { readonly directory: string | undefined; readonly cwd: string | undefined },
  world: World,
): ImportTarget {
  const cwd = path.resolve(world.cwd, typed.cwd ?? '.');
  return {
    target: typed.directory === undefined ? undefined : path.resolve(cwd, typed.directory),
    cwd,
    interrupted: world.interrupted,
    owner: ownerOf(world),
    isAlive: world.isAlive,
  };
}

interface Imported {
  /** The report for people. */
  readonly markdown: string;
  /** The report for scripts. */
  readonly document: object;
  /** The name of the service in the definitions. */
  readonly name: string;
  /** The folder that was made; absent: only the report is printed. */
  readonly folder: string | undefined;
}

/** Prints the report, or what was written and what to do next. */
export function printImported(
  { markdown, document, name, folder }: Imported,
  summary: string,
  cwd: string,
  printer: Printer,
): ExitStatus {
  printer.document({ ...document, ...(folder !== undefined && { folder }) });
  if (folder === undefined) {
    printer.result(markdown);
    return 0;
  }
  const shown = displayPath(cwd, folder);
  const definitions = path.join(shown, 'definitions');
  const next = commandLine(['npx', 'create-service', `${name}-service`, '--from', definitions]);
  printer.note(summary);
  printer.note(ACCESS_NOTE);
  printer.note(
    `Read ${path.join(shown, 'import-report.md')}, change ${definitions} as you like, and run:\n`,
  );
  printer.note(`  ${printer.style.cyan(next)}`);
  return 0;
}
