/** `create-service import --again`: what has changed in a database, merged into the definitions. */
import path from 'node:path';

import { importAgain } from '../commands/import-again.ts';
import type { ImportAgainResult } from '../commands/import-again.ts';
import { changeLines, conflictText, memberOf } from '../commands/import/reimport-text.ts';
import { issuesDocument } from '../definition/index.ts';
import { counted, printable } from '../reading/quote.ts';
import { displayPath } from '../shared/display-path.ts';
import type { ImportAgainCommand } from './command.ts';
import { printIssues } from './issues.ts';
import { ownerOf } from './owner.ts';
import { printRecovered } from './print-generated.ts';
import type { Printer } from './printer.ts';
import { commandLine } from './shell.ts';
import type { ExitStatus, World } from './world.ts';

type Reimported = Extract<ImportAgainResult, { readonly ok: true }>;
type ShownPath = (file: string) => string;

export async function runImportAgain(
  { url, directory = '.', cwd: typed = '.', reportOnly, keepEdits, ...options }: ImportAgainCommand,
  world: World,
  printer: Printer,
): Promise<ExitStatus> {
  const cwd = path.resolve(world.cwd, typed);
  const { schemas, tables, skip, timestamps } = options;
  const result = await importAgain({
    url,
    given: {
      ...(schemas !== undefined && { schemas }),
      ...(tables !== undefined && { tables }),
      ...(skip !== undefined && { skip }),
      ...(timestamps !== undefined && { timestamps }),
    },
    folder: path.resolve(cwd, directory),
    ...{ reportOnly, keepEdits, cwd },
    interrupted: world.interrupted,
    owner: ownerOf(world),
    isAlive: world.isAlive,
  });
  const shown: ShownPath = (file) => displayPath(cwd, path.join(result.folder, file));
  if (result.recovered !== undefined) printRecovered(result.recovered, shown, printer);
  if (!result.ok) return printIssues(result.issues, printer);
  const { isRefused, isWritten, reimport } = result;
  const { files, conflicts, issues, notes } = reimport;
  printFiles(result, shown, printer);
  for (const { path: file, message } of notes) {
    printer.problem(printable(`${file === undefined ? '' : `${shown(file)}: `}${message}.`));
  }
  printConflicts(result, keepEdits, shown, printer);
  printInvalid(result, shown, printer);
  if (isRefused || reportOnly) printer.note('Nothing was written.');
  else printNext(result, cwd, printer);
  printer.document({
    ok: !isRefused,
    folder: result.folder,
    recovered: result.recovered !== undefined,
    isWritten,
    files: files.map(({ path: file, before, after, changes, renamed }) => ({
      path: file,
      action: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
      changes: changes.map(({ at, ...change }) => ({ member: memberOf(at), ...change })),
      renamed: Object.fromEntries(renamed),
    })),
    conflicts: conflicts.map(({ path: file, line, at, base, ours, theirs }) => ({
      ...{ path: file, line, member: memberOf(at) },
      ...{ database: theirs, definition: ours, lastImport: base },
    })),
    notes,
    issues: issuesDocument(issues),
  });
  return isRefused ? 1 : 0;
}

function printFiles({ reimport: { files } }: Reimported, shown: ShownPath, printer: Printer): void {
  const { note, style } = printer;
  for (const file of files) {
    const { path: name, before, after } = file;
    const is = before === undefined ? ' is new' : '';
    note(style.bold(`${shown(name)}${after === undefined ? ': the table is gone' : is}`));
    for (const line of changeLines(file)) note(`  ${line}`);
  }
}

function printConflicts(
  { reimport: { conflicts } }: Reimported,
  keepEdits: boolean,
  shown: ShownPath,
  { note, problem, style }: Printer,
): void {
  if (conflicts.length === 0) return;
  const print = keepEdits ? note : problem;
  const kept = keepEdits ? ': the definitions stay as they are' : '';
  print(`${style.red(counted(conflicts.length, 'conflict'))}${kept}`);
  for (const conflict of conflicts) {
    print(`  ${shown(conflict.path)}:${conflict.line} ${conflictText(conflict)}`);
  }
  if (keepEdits) return;
  problem(
    style.dim(
      'For each, write the value of the database into the definition, or keep yours. Then add --keep-edits: where a conflict is left, the definition stays as it is.',
    ),
  );
}

/** Places are those of the merged texts, which nobody has: their lines are printed. */
function printInvalid(
  { reimport: { issues, files } }: Reimported,
  shown: ShownPath,
  { problem, style }: Printer,
): void {
  if (issues.length === 0) return;
  problem(`${style.red('The merged definitions are not valid')}:`);
  for (const { at, message } of issues) {
    problem(`  ${printable(shown(at.file))}: ${message}`);
    const text = files.find(({ path: file }) => file === at.file)?.after;
    const line = text?.split('\n')[at.line - 1];
    if (line !== undefined) problem(style.dim(`    ${printable(line.trim())}`));
  }
  problem(style.dim('Change the definitions so that they fit the database, and run this again.'));
}

function printNext(result: Reimported, cwd: string, { note, style }: Printer): void {
  const { reimport, folder, isProject, hadLock } = result;
  const { files, conflicts, notes } = reimport;
  if (!hadLock) {
    note('No earlier import is known, so the definitions stay as they are.');
    note('definitions/import.lock has the tables as they are now: commit it. The next run merges.');
    return;
  }
  if (files.length === 0) {
    const isMerged = conflicts.length === 0 && notes.length === 0;
    note(isMerged ? 'The definitions are up to date with the database.' : 'No definition changed.');
    return;
  }
  const from = displayPath(cwd, path.join(folder, 'definitions'));
  const words = isProject
    ? ['npx', 'create-service', 'generate']
    : ['npx', 'create-service', `${path.basename(folder)}-service`, '--from', from];
  note(`${counted(files.length, 'definition')} changed. Read the changes, and run:\n`);
  note(`  ${style.cyan(commandLine(words))}`);
}
