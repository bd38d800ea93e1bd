/** `create-service explain`: prints what definitions yield, or how a database reads their lists. */
import path from 'node:path';

import { explain } from '../commands/explain.ts';
import type { ExplainCommand } from './command.ts';
import { printIssues, printWarnings } from './issues.ts';
import type { Printer } from './printer.ts';
import type { ExitStatus, World } from './world.ts';

export async function runExplain(
  { cwd = '.', from, format, database }: ExplainCommand,
  world: World,
  printer: Printer,
): Promise<ExitStatus> {
  const folder = path.resolve(world.cwd, cwd);
  const result = await explain({
    cwd: folder,
    from,
    format,
    database,
    signal: world.interrupted,
    shell: world.cwd,
  });
  if (!result.ok) return printIssues(result.issues, printer);
  printWarnings(result.warnings, printer);
  const { output } = result;
  if (typeof output === 'string') printer.result(output);
  else printer.document(output);
  return 0;
}
