/** `create-service verify`: compares what a service answers with the rows of its existing tables. */
import path from 'node:path';

import { verify } from '../commands/verify.ts';
import type { Verification } from '../commands/verify.ts';
import { counted } from '../reading/quote.ts';
import { userError } from '../shared/errors.ts';
import { startService } from '../tasks/start-service.ts';
import type { VerifyCommand } from './command.ts';
import { printIssues } from './issues.ts';
import type { Printer } from './printer.ts';
import { withProgress } from './progress.ts';
import type { ExitStatus, World } from './world.ts';

export async function runVerify(
  { url, cwd = '.' }: VerifyCommand,
  world: World,
  printer: Printer,
): Promise<ExitStatus> {
  const { interrupted } = world;
  let progress = 'Starting the service';
  const result = await withProgress(
    printer,
    () => progress,
    () =>
      verify({
        cwd: path.resolve(world.cwd, cwd),
        url,
        interrupted,
        startService: async (folder) => {
          const outcome = await startService(folder, url, interrupted);
          if (outcome.kind === 'started') return outcome.service;
          if (outcome.kind === 'not-installed') throw userError('not-installed', {});
          throw userError('service-not-started', outcome);
        },
        onProgress: (collection, rows) => {
          progress = `Comparing ${collection}: ${rows.toLocaleString('en')} rows`;
        },
      }),
  );
  if (!result.ok) return printIssues(result.issues, printer);
  printVerification(result, printer);
  return isVerified(result) ? 0 : 1;
}

const isVerified = (verification: Verification): boolean => {
  const { tables, differences, notServed, userLeft, isUnchanged } = verification;
  return (
    isUnchanged &&
    userLeft === undefined &&
    differences.length === 0 &&
    notServed.length === 0 &&
    tables.every(({ problemCount }) => problemCount === 0)
  );
};

function printVerification(verification: Verification, printer: Printer): void {
  const { tables, differences, notServed, userLeft, isUnchanged } = verification;
  const { resultStyle: style } = printer;
  const line = (text: string): void => printer.result(`${text}\n`);
  const problem = (text: string): void => line(`  ${style.red(text)}`);
  const width = Math.max(...tables.map(({ collection }) => collection.length));
  for (const table of tables) {
    const { collection, rows, different, notShown, removed, changing, problems, problemCount } =
      table;
    const count = rows.toLocaleString('en').padStart(11);
    const rest = [
      ...(different > 0 ? [`${different.toLocaleString('en')} different`] : []),
      ...(notShown > 0 ? [`${notShown.toLocaleString('en')} not shown`] : []),
      ...(removed > 0 ? [`${removed.toLocaleString('en')} marked as removed, not compared`] : []),
      ...(changing > 0 ? [`${changing.toLocaleString('en')} changed during each comparison`] : []),
    ];
    line([`${collection.padEnd(width)} ${count}`, ...rest].join(', '));
    for (const { id, message } of problems) {
      problem(id === undefined ? message : `${collection}/${id}: ${message}`);
    }
    const more = problemCount - problems.length;
    if (more > 0) line(`  and ${counted(more, 'more problem')}`);
  }
  for (const name of notServed) problem(`${name}: the current version does not have it`);
  for (const { at, message } of differences) {
    problem(`${at.file}:${at.line}:${at.column} ${message}`);
  }
  if (userLeft !== undefined) {
    const { username, reason } = userLeft;
    problem(`the user ${username} could not be removed (${reason}): remove it from users`);
  }
  if (!isUnchanged) problem('the schema of the tables changed during the comparison');
  const sum = (of: 'rows' | 'different' | 'notShown' | 'removed' | 'changing'): string =>
    tables.reduce((total, table) => total + table[of], 0).toLocaleString('en');
  const removed = tables.some((table) => table.removed > 0)
    ? `, ${sum('removed')} marked as removed and not compared`
    : '';
  const changing = tables.some((table) => table.changing > 0)
    ? `, ${sum('changing')} changed during each comparison`
    : '';
  line(
    `${sum('rows')} rows compared, ${sum('different')} different, ${sum('notShown')} not shown${removed}${changing}.`,
  );
  printer.document({ ...verification, ok: isVerified(verification) });
}
