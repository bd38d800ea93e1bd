/** `create-service import`: definitions for the tables of a database. */
import { importDatabase } from '../commands/import.ts';
import { summaryOf } from '../commands/import/report-markdown.ts';
import type { ImportCommand } from './command.ts';
import { importTarget, printImported } from './imported.ts';
import type { Printer } from './printer.ts';
import type { ExitStatus, World } from './world.ts';

export async function runImport(
  {
    url,
    directory,
    cwd,
    schemas,
    tables,
    skip,
    adopt,
    timestamps,
    softDelete,
    json,
    quiet,
  }: ImportCommand,
  world: World,
  printer: Printer,
): Promise<ExitStatus> {
  const target = importTarget({ directory, cwd }, world);
  const result = await importDatabase({
    url,
    schemas,
    tables,
    skip,
    adopt: adopt ? { timestamps } : undefined,
    softDelete: async (offered) => {
      if (softDelete !== undefined) return softDelete;
      const isAsked = world.canAsk && !json && !quiet && directory !== undefined;
      if (!isAsked || offered.length === 0) return [];
      const { askForSoftDelete } = await import('./ask.ts');
      return askForSoftDelete(offered);
    },
    ...target,
  });
  return printImported(result, summaryOf(result.plan), target.cwd, printer);
}
