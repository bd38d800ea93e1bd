/** `create-service import openapi.yaml`: definitions for the paths of an OpenAPI document. */
import path from 'node:path';

import { importOpenApi } from '../commands/import-openapi.ts';
import { operationTotals } from '../commands/import/openapi-report-markdown.ts';
import { ACCESS_NOTE } from '../commands/import/report-markdown.ts';
import { displayPath } from '../shared/display-path.ts';
import type { ImportOpenApiCommand } from './command.ts';
import { printNextSteps } from './print-next-steps.ts';
import { ownerOf } from './owner.ts';
import type { Printer } from './printer.ts';
import type { ExitStatus, World } from './world.ts';

export async function runImportOpenApi(
  { file, directory, cwd: typed = '.' }: ImportOpenApiCommand,
  world: World,
  printer: Printer,
): Promise<ExitStatus> {
  const cwd = path.resolve(world.cwd, typed);
  const { plan, markdown, document, name, folder } = await importOpenApi({
    file,
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
  printer.note(ACCESS_NOTE);
  printNextSteps(displayPath(cwd, folder), name, printer);
  printer.note(`\n${operationTotals(plan)}`);
  return 0;
}
