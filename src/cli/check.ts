/** `create-service check`: tells CI whether code, migrations and definitions agree. */
import path from 'node:path';

import { check } from '../commands/check.ts';
import type { Finding } from '../commands/check.ts';
import { displayPath } from '../shared/display-path.ts';
import { locateProject } from '../project/open.ts';
import type { CheckCommand } from './command.ts';
import { diffOf } from './diff.ts';
import { issuesDocument } from '../definition/index.ts';
import { counted } from '../reading/quote.ts';
import { printIssues, printWarnings } from './issues.ts';
import { ownerOf } from './owner.ts';
import { migrationDocument, printMissing } from './print-generated.ts';
import type { Printer } from './printer.ts';
import { terminalStyle } from './style.ts';
import type { ExitStatus, World } from './world.ts';

export async function runCheck(
  command: CheckCommand,
  world: World,
  printer: Printer,
): Promise<ExitStatus> {
  const cwd = path.resolve(world.cwd, command.cwd ?? '.');
  const result = await check({
    cwd,
    database: command.database,
    signal: world.interrupted,
    owner: ownerOf(world),
    isAlive: world.isAlive,
  });
  if (!result.ok) return printIssues(result.issues, printer);
  const { findings, pending, edited, missing, migration, notCompared, warnings } = result;
  printWarnings(warnings, printer);
  const folder = locateProject(cwd);
  const { resultStyle: style } = printer;
  if (findings.length > 0) printer.result(diffOf(pending, style));
  const shown = (file: string): string => displayPath(cwd, path.join(folder, file));
  for (const finding of findings) {
    const { code, message, hint, sql } = finding;
    const where = placeOf(finding, shown);
    printer.result(`${where}${style.red(code)} ${message}\n`);
    printer.result(`  ${style.dim(hint)}\n`);
    if (sql !== undefined) printer.result(`  ${sql.replaceAll('\n', '\n  ')}\n`);
  }
  if (notCompared !== undefined) {
    printer.note(`The schema of the migrations was not compared: ${notCompared}.`);
  }
  printMissing(missing, shown, printer);
  const edits = edited.length === 0 ? '' : ` ${counted(edited.length, 'file')} with your edits.`;
  printer.note(
    findings.length === 0
      ? `Code, migrations and definitions agree${exceptFor(missing.length)}.${edits}`
      : `${counted(findings.length, 'finding')}.${edits}`,
  );
  printer.document({
    ok: findings.length === 0,
    issues: findings.map(({ path: file, ...rest }) => ({ file, ...rest })),
    warnings: issuesDocument(warnings),
    files: pending.map(({ path: file, action }) => ({ path: file, action })),
    edited,
    missing,
    migration: migration === undefined ? null : migrationDocument(migration),
    notCompared: notCompared ?? null,
    diff: diffOf(pending, terminalStyle(false)),
  });
  return findings.length === 0 ? 0 : 1;
}

const exceptFor = (missing: number): string =>
  missing === 0
    ? ''
    : `, except for ${counted(missing, 'file')} that ${missing === 1 ? 'lacks' : 'lack'} generated code`;

function placeOf({ path: file, line, column }: Finding, shown: (file: string) => string): string {
  if (file === undefined) return '';
  const place = [shown(file), line, column].filter((part) => part !== undefined);
  return `${place.join(':')} `;
}
