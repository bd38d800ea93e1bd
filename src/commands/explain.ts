/** What definitions yield: the result of `create-service explain`. */
import path from 'node:path';

import type { Issue } from '../reading/position.ts';
import { DEFINITIONS, hasDefinitions, readDefinitions } from '../disk/definitions.ts';
import { buildModel } from '../model/build.ts';
import type { Model } from '../model/types.ts';
import { currentOf } from '../model/versions.ts';
import { warningsOf } from '../model/warnings.ts';
import { nameFromPath, parseSources } from '../project/parse-sources.ts';
import { diagramOf } from '../render/views/diagram.ts';
import { stateDiagrams } from '../render/views/state-diagrams.ts';
import { displayPath } from '../shared/display-path.ts';
import { userError } from '../shared/errors.ts';
import { accessOf } from '../model/access.ts';
import { accessTable, ownerLines, ownersOf } from './explain/access.ts';
import { explainedChecks } from './explain/checks.ts';
import { databaseDocument } from './explain/database-document.ts';
import { databaseTable } from './explain/database-table.ts';
import { deletionLines, deletionsOf } from './explain/deletions.ts';
import { documentOf } from './explain/document.ts';
import { endpointAccess } from './explain/endpoints.ts';
import { measureDatabase } from './explain/database.ts';
import { explainedIncludes } from './explain/includes.ts';
import { olderVersions } from './explain/older-versions.ts';
import { tableOf } from './explain/table.ts';
import { explainedTransitions } from './explain/transitions.ts';
import { explainedUniques } from './explain/uniques.ts';

export interface ExplainRequest {
  /** The folder that the command runs in, absolute. */
  readonly cwd: string;
  /** The file or folder of the definitions; absent for those of the project in `cwd`. */
  readonly from: string | undefined;
  readonly format: 'table' | 'json' | 'mermaid' | 'states';
  /** The URL of a database whose plans are explained, in the formats `table` and `json`. */
  readonly database?: string | undefined;
  /** Ends the work on a database. */
  readonly signal?: AbortSignal;
  /** Messages name `cwd` from here; absolute. */
  readonly shell: string;
}

export type ExplainResult =
  | { readonly ok: false; readonly issues: readonly Issue[] }
  | {
      readonly ok: true;
      readonly warnings: readonly Issue[];
      /** Text, or a document for scripts if the format is `json`. */
      readonly output: string | object;
    };

/**
 * Explains definitions, and what a database does with their lists; writes nothing.
 * @throws UserError if there are none, or a file or the database cannot be read.
 */
export async function explain(request: ExplainRequest): Promise<ExplainResult> {
  const { cwd, from, format, shell, database } = request;
  if (from === undefined && !hasDefinitions(cwd)) {
    throw userError('no-definitions', { folder: displayPath(shell, cwd) });
  }
  const source = path.resolve(cwd, from ?? DEFINITIONS);
  const sources = readDefinitions(source, (file) => displayPath(cwd, file));
  // Seeds that are out of date are no obstacle.
  const definitions = await parseSources(
    sources.kind === 'file' ? sources : { ...sources, seeds: [] },
    path.basename(nameFromPath(source)),
  );
  if (!definitions.ok) return definitions;
  const warnings = warningsOf(definitions.service);
  const model = buildModel(definitions.service);
  if (database !== undefined) {
    const signal = request.signal ?? new AbortController().signal;
    const found = await measureDatabase(model, database, signal);
    const output =
      format === 'json'
        ? databaseDocument(model, found, warnings)
        : databaseTable(model.service, found);
    return { ok: true, warnings, output };
  }
  const output = OUTPUTS[format](model, warnings);
  return { ok: true, warnings, output };
}

type Output = (model: Model, warnings: readonly Issue[]) => string | object;

const OUTPUTS: Readonly<Record<ExplainRequest['format'], Output>> = {
  table: (model) => {
    const current = currentOf(model);
    const endpoints = tableOf(
      model.service,
      endpointAccess(current),
      olderVersions(model),
      explainedChecks(current),
      explainedTransitions(current),
      explainedIncludes(current),
      explainedUniques(current),
    );
    const access = [
      accessTable(accessOf(current)),
      ...ownerLines(ownersOf(current)),
      ...deletionLines(deletionsOf(current)),
    ];
    return `${endpoints}\n${access.join('\n')}\n`;
  },
  json: (model, warnings) => {
    const current = currentOf(model);
    const more = {
      deletions: deletionsOf(current),
      checks: explainedChecks(current),
      uniques: explainedUniques(current),
      transitions: explainedTransitions(current),
      includes: explainedIncludes(current),
      older: olderVersions(model),
      owners: ownersOf(current),
      warnings,
    };
    return documentOf(model.service, endpointAccess(current), accessOf(current), more);
  },
  mermaid: (model) => diagramOf(currentOf(model)),
  // Mermaid has one diagram a file; Markdown may have several.
  states: (model) => {
    const diagrams = stateDiagrams(currentOf(model)).map(
      ({ collection, member, diagram }) =>
        `# ${collection}.${member}\n\n\`\`\`mermaid\n${diagram}\`\`\`\n`,
    );
    return diagrams.length === 0 ? 'No field has transitions.\n' : diagrams.join('\n');
  },
};
