/** Reads the schema of a database into definitions: the result of `create-service import`. */
import path from 'node:path';

import type { DatabaseSchema, DatabaseTable } from '../database/database-schema.ts';
import { readSchema } from '../database/read-schema.ts';
import { withDatabase } from '../database/session.ts';
import type { DatabaseSession } from '../database/session.ts';
import { caseOf } from '../definition/names.ts';
import { asText, DEFINITIONS, IMPORT_LOCK } from '../disk/definitions.ts';
import { packageRoot } from '../disk/package.ts';
import type { AdoptSettings } from '../import/adopted-column-type.ts';
import { chooseSoftDeleteColumns } from '../import/soft-delete.ts';
import type { ChooseSoftDelete } from '../import/soft-delete.ts';
import { planImport } from '../import/plan-import.ts';
import type { ImportPlan } from '../import/plan-import.ts';
import { importedDefinitions, leftOutIn, lockText } from '../reimport/import-lock.ts';
import { nearest } from '../reading/nearest.ts';
import { enumerate, quote } from '../reading/quote.ts';
import { userError } from '../shared/errors.ts';
import { throwIfInterrupted } from './interruption.ts';
import { reportJson } from './import/report-json.ts';
import { reportMarkdown } from './import/report-markdown.ts';
import { requireFreeTarget, writeImport } from './import/write-import.ts';
import type { ImportTarget } from './import/write-import.ts';

export interface ImportRequest extends ImportTarget {
  /** The URL of the database. */
  readonly url: string;
  readonly schemas: readonly string[];
  /** The tables to read, with or without their schema; absent: all. */
  readonly tables: readonly string[] | undefined;
  /** Tables to leave out. */
  readonly skip: readonly string[];
  /** How the definitions use the tables; undefined: they are for new tables. */
  readonly adopt: Pick<AdoptSettings, 'timestamps'> | undefined;
  /** The tables whose rows a column marks as removed. */
  readonly softDelete: ChooseSoftDelete;
}

export interface ImportResult {
  readonly plan: ImportPlan;
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
 * Reads a database, and writes definitions and a report into a new folder, whole or not at all.
 * @throws UserError if the database cannot be read, has none of the tables, or the target is not free.
 */
export async function importDatabase(request: ImportRequest): Promise<ImportResult> {
  const { url, schemas, adopt, target, interrupted } = request;
  requireFreeTarget(request);
  const command = { command: 'import', driverFolder: packageRoot, signal: interrupted } as const;
  const schema = await withDatabase(url, command, async (session) => readTables(session, schemas));
  const name = caseOf(path.basename(target ?? schema.database), '-') || 'service';
  const selected = selectTables(schema, request);
  const plan = await planImport(selected, {
    service: name,
    adopt: adopt && {
      ...adopt,
      softDeleteColumns: await chooseSoftDeleteColumns(selected.tables, adopt, request.softDelete),
    },
    checkpoint: () => throwIfInterrupted(interrupted),
  });
  const markdown = reportMarkdown(plan);
  const document = reportJson(plan);
  interrupted.throwIfAborted();
  if (target === undefined) return { plan, markdown, document, name, folder: undefined };
  if (plan.files.length === 0) throw userError('no-collection-imported', {});
  const { tables, skip } = request;
  const options = { schemas, tables, skip, adopt: adopt !== undefined, ...adopt };
  const imported = importedDefinitions(plan);
  const text = lockText({ options, imported, ...leftOutIn(plan) });
  const lock = { path: `${DEFINITIONS}/${IMPORT_LOCK}`, text };
  const definitions = [...plan.files.map(asText), lock];
  const folder = writeImport(request, target, definitions, markdown, document);
  return { plan, markdown, document, name, folder };
}

/** Reads the tables of schemas. @throws UserError if there is none. */
export async function readTables(
  session: DatabaseSession,
  schemas: readonly string[],
): Promise<DatabaseSchema> {
  const read = await readSchema(session, schemas);
  if (read.tables.length > 0) return read;
  throw userError('no-tables', {
    schemas: enumerate(schemas.map(quote), 'or'),
    others: enumerate(read.schemas.slice(0, 10).map(quote), 'or'),
  });
}

/** The tables that were asked for. @throws UserError if one is not there. */
export function selectTables(
  { tables: all, ...schema }: DatabaseSchema,
  { tables, skip }: Pick<ImportRequest, 'tables' | 'skip'>,
): DatabaseSchema {
  const find = (option: string, names: readonly string[]): readonly DatabaseTable[] =>
    names.flatMap((name) => {
      const found = all.filter((table) => [table.name, qualified(table)].includes(name));
      if (found.length > 0) return found;
      const there = all.map((table) => table.name);
      const meant = nearest(name, there);
      const further = there.length > 10 ? `, and ${there.length - 10} more` : '';
      throw userError('usage', {
        problem: `${option} names ${quote(name)}, and there is no such table or view in the schemas that are read`,
        hint:
          meant === undefined
            ? `They have ${there.slice(0, 10).join(', ')}${further}.`
            : `Did you mean ${meant}?`,
      });
    });
  const wanted = tables === undefined ? all : find('--tables', tables);
  const skipped = find('--skip', skip);
  return { ...schema, tables: all.filter((one) => wanted.includes(one) && !skipped.includes(one)) };
}

const qualified = ({ schema, name }: DatabaseTable): string => `${schema}.${name}`;
