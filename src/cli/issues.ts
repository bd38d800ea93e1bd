/** Tells what is wrong in definitions: a line each, and how many there are. */
import { formatIssue } from '../definition/index.ts';
import type { Issue } from '../definition/types.ts';
import type { Printer } from './printer.ts';
import type { ExitStatus } from './world.ts';

export function tellIssues(issues: readonly Issue[], printer: Printer): ExitStatus {
  for (const issue of issues) printer.problem(formatIssue(issue));
  const files = new Set(issues.map(({ at }) => at.file)).size;
  printer.problem(`${counted(issues.length, 'problem')} in ${counted(files, 'file')}.`);
  printer.document({
    ok: false,
    issues: issues.map(({ at, code, message }) => ({ ...at, code, message })),
  });
  return 1;
}

/** `1 file`, `2 files`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;
