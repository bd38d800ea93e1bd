/** Prints what a run of `generate` did: in groups, short; problems and what to do about them last. */
import path from 'node:path';

import { displayPath } from '../shared/display-path.ts';
import { packageManagerOf } from '../project/open.ts';
import { COMMANDS } from '../shared/package-manager.ts';
import type { GenerateResult } from '../commands/generate.ts';
import type { PlannedMigration } from '../commands/plan-run.ts';
import { conflictFileText, resolveText } from '../update/conflict-text.ts';
import type { ShownConflict } from '../update/conflict-text.ts';
import { missingOf } from '../update/missing.ts';
import type { FileWithMissing } from '../update/missing.ts';
import type { FileAction, ReportedConflict, Outcome } from '../update/types.ts';
import type { GenerateCommand } from './command.ts';
import { diffOf } from './diff.ts';
import { issuesDocument } from '../definition/index.ts';
import { counted } from '../reading/quote.ts';
import type { Printer } from './printer.ts';
import type { ExitStatus } from './world.ts';

/** A run that could be planned. */
type Generated = Extract<GenerateResult, { readonly ok: true }>;

/** More files than these of one group are counted. */
const MOST_LISTED = 12;

/** What is done with the files of a group, in the order in which it is told. */
const GROUPS: readonly (readonly [action: FileAction, says: string])[] = [
  ['added', 'new'],
  ['updated', 'updated'],
  ['merged', 'merged with your edits'],
  ['moved', 'moved'],
  ['imports', 'of yours with updated imports'],
  ['removed', 'removed: no longer generated'],
  ['left', 'kept: no longer generated, but edited or imported by you'],
];

export function printGenerated(
  result: Generated,
  command: GenerateCommand,
  cwd: string,
  printer: Printer,
): ExitStatus {
  const { outcomes, project, refused, changes, name } = result;
  const shown = (file: string): string => displayPath(cwd, path.join(project.folder, file));
  const { style } = printer;
  const writesNothing = command.dryRun || refused.length > 0;

  if (command.diff) printer.result(diffOf(outcomes, printer.resultStyle));
  // A refused run has done none of this, and was not asked what it would do.
  if (refused.length === 0 || command.dryRun) {
    for (const [action, says] of GROUPS) {
      const files = outcomes.filter((outcome) => outcome.action === action);
      if (files.length === 0) continue;
      printer.note(style.bold(`${counted(files.length, 'file')} ${says}`));
      for (const line of listed(files, shown)) printer.note(`  ${line}`);
    }
    printOutdated(outcomes, shown, printer);
    printRestored(outcomes, shown, printer);
    printMissing(missingOf(outcomes), shown, printer);
    printStrays(result.strays, shown, printer);
    if (refused.length === 0) {
      printOldNames(result.oldNames, shown, printer);
      printNewestShapes(result.newestShapes, shown, printer);
    }
  }
  const conflicts = outcomes.filter(({ action }) => action === 'conflict');
  printConflicts(conflicts, writesNothing, shown, printer);
  const { run } = COMMANDS[packageManagerOf(project).name];
  printMigration(result, `${run} migrate`, shown, printer);
  printTableSql(result, printer);
  printBreaking(result, printer);
  printWider(result, printer);

  if (refused.length > 0) printer.problem(style.dim(refusalLine(refused)));
  else printer.note(lastLine(changes.length, writesNothing, conflicts.length, name));
  printer.document(documentOf(result, { dryRun: writesNothing }));
  return conflicts.length > 0 || refused.length > 0 ? 1 : 0;
}

/** Prints that a run that was killed was completed, and which files it left. */
export function printRecovered(
  { beside }: NonNullable<Generated['recovered']>,
  shown: (file: string) => string,
  { note, problem }: Printer,
): void {
  note('A run that was killed was completed first.');
  for (const file of beside) {
    problem(`  ${shown(file)} has the text of that run: you have changed the file since.`);
  }
}

/** Files that would have changed, had the team not edited or deleted them. */
function printOutdated(
  outcomes: readonly Outcome[],
  shown: (file: string) => string,
  { note, style }: Printer,
): void {
  const outdated = outcomes.filter(({ isOutdated }) => isOutdated === true);
  const groups = [
    ['kept', 'edited by you and not updated, although other text is generated now'],
    ['absent', 'deleted or renamed by you and not generated, although other text is generated now'],
  ] as const;
  for (const [action, says] of groups) {
    const files = outdated.filter((outcome) => outcome.action === action);
    if (files.length === 0) continue;
    note(style.bold(`${counted(files.length, 'file')} ${says}`));
    for (const line of listed(files, shown)) note(`  ${line}`);
  }
}

/** What was restored in the file of `--restore`. */
function printRestored(
  outcomes: readonly Outcome[],
  shown: (file: string) => string,
  { note, style }: Printer,
): void {
  for (const { path: file, restored = [] } of outcomes) {
    if (restored.length === 0) continue;
    note(style.bold(`Restored in ${shown(file)}`));
    for (const line of shortened(restored.map(({ name }) => name))) note(`  ${line}`);
  }
}

/** Names generated code that edits removed: by mistake, as where git merged two branches, or because nobody wants it. */
export function printMissing(
  files: readonly FileWithMissing[],
  shown: (file: string) => string,
  { note, style }: Printer,
): void {
  if (files.length === 0) return;
  const lack = files.length === 1 ? 'lacks' : 'lack';
  note(style.bold(`${counted(files.length, 'file')} ${lack} generated code that edits removed`));
  const told = files.flatMap(({ path: file, missing }) =>
    missing.map(({ line, name }) => `${shown(file)}:${line} ${name}`),
  );
  for (const line of shortened(told)) note(`  ${line}`);
  note(style.dim('If this is a mistake, run create-service generate --restore FILE.'));
}

/** Files that nobody but the team can know where to put. */
function printStrays(
  strays: readonly string[],
  shown: (file: string) => string,
  { note, style }: Printer,
): void {
  if (strays.length === 0) return;
  const are = strays.length === 1 ? 'is' : 'are';
  note(
    style.bold(
      `${counted(strays.length, 'file')} of yours ${are} in the folder of a removed or renamed collection`,
    ),
  );
  for (const line of shortened(strays.map(shown))) note(`  ${line}`);
}

/** Lines that the team has to change: nobody else can know what is meant there now. */
function printOldNames(
  uses: Generated['oldNames'],
  shown: (file: string) => string,
  printer: Printer,
): void {
  const verb = uses.length === 1 ? 'uses' : 'use';
  const told = uses.map(
    ({ path: file, line: at, name, becomes }) =>
      `${shown(file)}:${at} ${name}${becomes === undefined ? '' : `, now ${becomes}`}`,
  );
  printOwnLines(told, `still ${verb} a removed or changed name`, printer);
}

/** Endpoints of the team that would show the newest version to clients of an older one. */
function printNewestShapes(
  uses: Generated['newestShapes'],
  shown: (file: string) => string,
  printer: Printer,
): void {
  const verb = uses.length === 1 ? 'uses' : 'use';
  const told = uses.map(
    ({ path: file, line: at, name, use }) => `${shown(file)}:${at} ${name}: use ${use}`,
  );
  const what = `${verb} the form of the newest version, and older versions have another`;
  printOwnLines(told, what, printer);
}

/** Lines of the team's own code, below what is said of them; nothing if there are none. */
function printOwnLines(told: readonly string[], what: string, { note, style }: Printer): void {
  if (told.length === 0) return;
  note(style.bold(`${counted(told.length, 'line')} of yours ${what}`));
  for (const one of shortened(told)) note(`  ${one}`);
}

function listed(files: readonly Outcome[], shown: (file: string) => string): readonly string[] {
  return shortened(
    files.map(({ path: file, from }) =>
      from === undefined ? shown(file) : `${shown(from)} → ${shown(file)}`,
    ),
  );
}

function shortened(names: readonly string[]): readonly string[] {
  if (names.length <= MOST_LISTED) return names;
  const rest = names.length - MOST_LISTED + 1;
  return [...names.slice(0, MOST_LISTED - 1), `… and ${rest} more (--json lists all)`];
}

function printConflicts(
  conflicts: readonly Outcome[],
  writesNothing: boolean,
  shown: (file: string) => string,
  { problem, style }: Printer,
): void {
  if (conflicts.length === 0) return;
  const files = conflicts.length === 1 ? 'file is' : 'files are';
  problem(`${style.red(counted(conflicts.length, 'conflict'))}: your ${files} unchanged`);
  const besides: ShownConflict[] = [];
  for (const { path: file, conflict } of conflicts) {
    if (conflict === undefined) continue;
    const [first = { line: 1, what: 'not resolved yet' }, ...more] = conflict.places;
    for (const { line, what } of [first, ...more]) {
      problem(`  ${shown(file)}:${line} ${what}`);
    }
    const { newFile, isMarked } = conflict;
    if (newFile === undefined || !isThere(conflict, writesNothing)) continue;
    const beside = { file: shown(file), newFile: shown(newFile), isMarked };
    problem(`    ${conflictFileText(beside)}`);
    besides.push(beside);
  }
  if (besides.length === 0) return;
  problem(style.dim(resolveText(besides, 'run create-service generate again')));
}

/** Whether the file with the new text is there: a run that writes nothing leaves those of earlier runs only. */
const isThere = ({ isOld }: ReportedConflict, writesNothing: boolean): boolean =>
  isOld || !writesNothing;

function printMigration(
  { migration, refused }: Generated,
  migrate: string,
  shown: (file: string) => string,
  { note, problem, style }: Printer,
): void {
  if (migration === undefined) return;
  const { losses, files, locks } = migration;
  const isRefused = refused.includes('data-loss');
  if (refused.length > 0 && !isRefused) return;
  if (losses.length === 0) {
    const [first, ...others] = files.map(({ path: file }) => shown(file));
    if (others.length === 0) {
      note(`Migration ${first}: read it; ${migrate} or the next start applies it.`);
    } else {
      note(
        `${counted(files.length, 'migration')}: read them; ${migrate} or the next start applies them.`,
      );
      for (const file of [first, ...others]) note(`  ${file}`);
    }
  }
  for (const [table, reasons] of locks) {
    note(
      `The table ${table} is locked until all of its rows are rewritten (${reasons}): ${migrate} -- --plan says how many there are.`,
    );
  }
  if (losses.length === 0) return;
  const print = isRefused ? problem : note;
  print(`${style.red('This migration loses data')} (${counted(losses.length, 'definition')}):`);
  for (const { what, at } of losses) print(`  ${at.file}:${at.line} ${what}`);
}

/** Prints what the team has to run: a service never changes existing tables. */
function printTableSql({ tableSql, refused }: Generated, { note, style }: Printer): void {
  if (tableSql.length === 0 || refused.length > 0) return;
  note(style.bold('Run this SQL on the existing tables before you deploy, unless they have it:'));
  for (const line of tableSql.flatMap((sql) => sql.split('\n'))) note(`  ${line}`);
}

/** Prints the breaking changes, allowed or not. */
function printBreaking({ breaking, refused }: Generated, { note, problem, style }: Printer): void {
  const isRefused = refused.includes('breaking');
  if (breaking.length === 0 || (refused.length > 0 && !isRefused)) return;
  const print = isRefused ? problem : note;
  const allowed = isRefused ? '' : ', and --allow-breaking allows it';
  const count = counted(breaking.length, 'change');
  print(`${style.red('This breaks clients of a frozen version')} (${count})${allowed}:`);
  for (const { at, code, message, hint } of breaking) {
    print(`  ${at.file}:${at.line}:${at.column} ${code} ${message}`);
    if (isRefused) problem(`    ${style.dim(hint)}`);
  }
}

/** Prints wider access, refused or allowed. */
function printWider({ wider, refused }: Generated, { note, problem, style }: Printer): void {
  const isRefused = refused.includes('wider');
  if (wider.length === 0 || (refused.length > 0 && !isRefused)) return;
  const print = isRefused ? problem : note;
  const allowed = isRefused ? '' : ', and --allow-wider allows it';
  const count = counted(wider.length, 'right');
  print(`${style.red('This widens access')} (${count})${allowed}:`);
  for (const { at, message } of wider) print(`  ${at.file}:${at.line}:${at.column} ${message}`);
}

/** How to go on after a refusal. */
function refusalLine(refused: Generated['refused']): string {
  const options = refused.map((one) => `--allow-${one}`).join(' and ');
  const rename = refused.includes('data-loss')
    ? '; to rename and keep the data, write renamed_from'
    : '';
  return `Nothing was written. To do it anyway, add ${options}${rename}.`;
}

function lastLine(
  changes: number,
  writesNothing: boolean,
  conflicts: number,
  name: string,
): string {
  if (changes > 0 && writesNothing) return 'Nothing was written.';
  if (conflicts > 0) return `${name} is up to date except for the conflicts.`;
  return changes === 0 ? `${name} is up to date: nothing to do.` : `${name} is up to date.`;
}

/** What --json says of a migration. */
export const migrationDocument = ({ files, locks, losses }: PlannedMigration): object => ({
  files,
  locks: Object.fromEntries(locks),
  losses,
});

/** What --json says of a run. */
function documentOf(
  {
    outcomes,
    name,
    project,
    migration,
    tableSql,
    strays,
    oldNames,
    newestShapes,
    breaking,
    wider,
    refused,
    versions,
    recovered,
    warnings,
  }: Generated,
  { dryRun }: { dryRun: boolean },
): object {
  return {
    ok: refused.length === 0 && outcomes.every(({ action }) => action !== 'conflict'),
    service: name,
    folder: project.folder,
    dryRun,
    generator: versions,
    files: outcomes.map(
      ({ path: file, action, from, isOutdated, missing, restored, conflict }) => ({
        path: file,
        action,
        ...(isOutdated === true && { outdated: true }),
        ...(from !== undefined && { from }),
        ...(missing !== undefined && { missing }),
        ...(restored !== undefined && { restored }),
        ...(conflict !== undefined && {
          ...(isThere(conflict, dryRun) &&
            conflict.newFile !== undefined && { beside: conflict.newFile }),
          places: conflict.places,
        }),
      }),
    ),
    strays,
    oldNames,
    newestShapes,
    migration:
      migration === undefined
        ? null
        : { ...migrationDocument(migration), refused: refused.includes('data-loss') },
    tableSql,
    breaking: breaking.map(({ at, ...change }) => ({ ...change, ...at })),
    wider: wider.map(({ at, message, cell }) => ({ message, ...cell, ...at })),
    refused,
    warnings: issuesDocument(warnings),
    recovered: recovered !== undefined,
  };
}
