/** Tells what is wrong in definitions: a line each, and how many there are. */
import { issueLine, issuesDocument } from '../definition/index.ts';
import type { Issue } from '../reading/position.ts';
import { counted } from '../reading/quote.ts';
import type { Printer } from './printer.ts';
import type { ExitStatus } from './world.ts';

export function printIssues(issues: readonly Issue[], printer: Printer): ExitStatus {
  const severity = printer.style.red('error');
  for (const issue of issues) printer.problem(issueLine(issue, severity));
  const files = new Set(issues.map(({ at }) => at.file)).size;
  printer.problem(`${counted(issues.length, 'problem')} in ${counted(files, 'file')}.`);
  printer.document({ ok: false, issues: issuesDocument(issues) });
  return 1;
}

/** Prints a line for each warning. They change neither what is done nor the exit status. */
export function printWarnings(warnings: readonly Issue[], printer: Printer): void {
  const severity = printer.style.yellow('warning');
  for (const warning of warnings) printer.problem(issueLine(warning, severity));
}
