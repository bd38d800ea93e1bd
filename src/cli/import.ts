/** `create-service import`: definitions for the tables of a database. */
import path from 'node:path';

import { importDatabase } from '../commands/import.ts';
import { ACCESS_NOTE, summaryOf } from '../commands/import/report-markdown.ts';
import { displayPath } from '../shared/display-path.ts';
import type { ImportCommand } from './command.ts';
import { printNextSteps } from './print-next-steps.ts';
import { ownerOf } from './owner.ts';
import type { Printer } from './printer.ts';
import type { ExitStatus, World } from './world.ts';

export async function runImport(
  { url, directory, cwd: typed = '.', schemas, tables, skip, adopt, timestamps }: ImportCommand,
  world: World,
  printer: Printer,
): Promise<ExitStatus> {
  const cwd = path.resolve(world.cwd, typed);
  const { plan, markdown, document, name, folder } = await importDatabase({
    url,
    schemas,
    tables,
    skip,
    adopt: adopt ? { timestamps } : undefined,
    target: directory === undefined ? undefined : path.resolve(cwd, directory),
    cwd,
    interrupted: world.interrupted,
    owner: ownerOf(world),
    isAlive: world.isAlive,
  });
  printer.document({ ...document, ...(folder !== undefined && { folder }) });
  if (folder === undefined) {
    printer.result(markdown);
    return 0;
  }
  printer.note(summaryOf(plan));
  printer.note(ACCESS_NOTE);
  printNextSteps(displayPath(cwd, folder), name, printer);
  return 0;
}
