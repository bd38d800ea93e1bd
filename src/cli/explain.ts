/** `create-service explain`: prints what definitions yield. */
import path from 'node:path';

import { hasDefinitions, DEFINITIONS } from '../disk/definitions.ts';
import { userError } from '../shared/errors.ts';
import { readModel, shownFrom } from '../commands/create.ts';
import type { ExplainCommand } from './command.ts';
import { accessOf, accessTable } from './explain/access.ts';
import { documentOf } from './explain/document.ts';
import { endpointsOf } from './explain/endpoints.ts';
import { diagramOf } from '../render/views/diagram.ts';
import { tableOf } from './explain/table.ts';
import { currentOf } from '../model/versions.ts';
import { warningsOf } from '../model/warnings.ts';
import { olderOf } from './explain/older.ts';
import { tellIssues, tellWarnings } from './issues.ts';
import type { Printer } from './printer.ts';
import type { ExitStatus, World } from './world.ts';

export async function runExplain(
  command: ExplainCommand,
  world: World,
  printer: Printer,
): Promise<ExitStatus> {
  const cwd = path.resolve(world.cwd, command.cwd ?? '.');
  const { from, format } = command;
  if (from === undefined && !hasDefinitions(cwd)) {
    throw userError('no-definitions', { folder: shownFrom(world.cwd, cwd) });
  }
  const read = await readModel(path.resolve(cwd, from ?? DEFINITIONS), cwd);
  if (!read.ok) return tellIssues(read.issues, printer);
  const { model } = read;
  const { service } = model;
  const warnings = warningsOf(service);
  tellWarnings(warnings, printer);
  switch (format) {
    case 'table':
      printer.result(
        `${tableOf(service, endpointsOf(currentOf(model)), olderOf(model))}\n${accessTable(accessOf(currentOf(model)))}\n`,
      );
      break;
    case 'json':
      printer.document(
        documentOf(service, endpointsOf(currentOf(model)), accessOf(currentOf(model)), {
          older: olderOf(model),
          warnings,
        }),
      );
      break;
    case 'mermaid':
      printer.result(diagramOf(currentOf(model)));
      break;
  }
  return 0;
}
