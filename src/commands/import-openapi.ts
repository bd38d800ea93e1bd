/** Reads an OpenAPI document into definitions: the result of `create-service import openapi.yaml`. */
import path from 'node:path';

import { caseOf } from '../definition/names.ts';
import { asText } from '../disk/definitions.ts';
import { realFileSystem as fs, withFileErrors } from '../disk/file-system.ts';
import { ANY_METHOD, countOperations, MOST_OPERATIONS } from '../import-openapi/operations.ts';
import { planOpenApiImport } from '../import-openapi/plan-openapi-import.ts';
import type { OpenApiImportPlan } from '../import-openapi/plan-openapi-import.ts';
import { LARGEST_DOCUMENT, readOpenApi, tooLargeError } from '../import-openapi/read-openapi.ts';
import { displayPath } from '../shared/display-path.ts';
import { userError } from '../shared/errors.ts';
import { endpointAccess } from './explain/endpoints.ts';
import { openApiReportJson } from './import/openapi-report-json.ts';
import { openApiReportMarkdown } from './import/openapi-report-markdown.ts';
import { throwIfInterrupted } from './interruption.ts';
import { requireFreeTarget, writeImport } from './import/write-import.ts';
import type { ImportTarget } from './import/write-import.ts';

export interface OpenApiImportRequest extends ImportTarget {
  /** The file of the document, as it was typed. */
  readonly file: string;
}

export interface OpenApiImportResult {
  readonly plan: OpenApiImportPlan;
  /** The report for people. */
  readonly markdown: string;
  /** The report for scripts. */
  readonly document: object;
  /** The name of the service in the definitions. */
  readonly name: string;
  /** The folder that was made, absolute. */
  readonly folder: string | undefined;
}

/**
 * Reads an OpenAPI document, and writes definitions and a report into a new folder, whole or not at all.
 * @throws UserError if it cannot be read, has no operations, or the target is not free.
 */
export async function importOpenApi(request: OpenApiImportRequest): Promise<OpenApiImportResult> {
  const { file, target, cwd, interrupted } = request;
  requireFreeTarget(request);
  const shown = displayPath(cwd, path.resolve(cwd, file));
  const document = readOpenApi(readBytes(path.resolve(cwd, file), shown), shown);
  const count = countOperations(document);
  if (count === 0) throw userError('no-operations', { path: shown });
  if (count > MOST_OPERATIONS) {
    throw userError('document-operations', { path: shown, count, most: MOST_OPERATIONS });
  }
  const base = target ?? path.basename(file, path.extname(file));
  const name = caseOf(path.basename(base), '-') || 'service';
  const plan = await planOpenApiImport(document, {
    service: name,
    endpointsOf: endpointAccess,
    checkpoint: () => throwIfInterrupted(interrupted),
  });
  if (plan.operations.every(({ method }) => method === ANY_METHOD)) {
    throw userError('paths-elsewhere', { path: shown });
  }
  const markdown = openApiReportMarkdown(plan);
  const report = openApiReportJson(plan);
  interrupted.throwIfAborted();
  const result = { plan, markdown, document: report, name };
  if (target === undefined) return { ...result, folder: undefined };
  if (plan.files.length === 0) throw userError('no-path-imported', {});
  return {
    ...result,
    folder: writeImport(request, target, plan.files.map(asText), markdown, report),
  };
}

/** The bytes of a document. A file that is too large is not read. */
function readBytes(file: string, shown: string): Uint8Array {
  return withFileErrors(shown, () => {
    const stats = fs.statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) throw userError('document-missing', { path: shown });
    if (!stats.isFile()) throw userError('document-not-file', { path: shown });
    if (stats.size > LARGEST_DOCUMENT) throw tooLargeError(shown, stats.size);
    return fs.readFileSync(file);
  });
}
