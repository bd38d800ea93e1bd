/** `create-service import openapi.yaml`: definitions for the paths of an OpenAPI document. */
import { importOpenApi } from '../commands/import-openapi.ts';
import { operationTotals } from '../commands/import/openapi-report-markdown.ts';
import type { ImportOpenApiCommand } from './command.ts';
import { importTarget, printImported } from './imported.ts';
import type { Printer } from './printer.ts';
import type { ExitStatus, World } from './world.ts';

export async function runImportOpenApi(
  { file, directory, cwd }: ImportOpenApiCommand,
  world: World,
  printer: Printer,
): Promise<ExitStatus> {
  const target = importTarget({ directory, cwd }, world);
  const result = await importOpenApi({ file, ...target });
  return printImported(result, operationTotals(result.plan), target.cwd, printer);
}
