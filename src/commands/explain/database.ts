/** What a database does with the lists of definitions: the result of `explain --database`. */
import { measureLists } from '../../database/measure-lists.ts';
import type { MeasuredList } from '../../database/measure-lists.ts';
import { withDatabase } from '../../database/session.ts';
import { suggestIndex } from '../../database/suggest-index.ts';
import type { Suggestion } from '../../database/suggest-index.ts';
import { readTableSizes } from '../../database/table-sizes.ts';
import type { TableSizes } from '../../database/table-sizes.ts';
import { nameWithSchema } from '../../definition/existing-table.ts';
import { packageRoot } from '../../disk/package.ts';
import { collectionLists } from '../../model/lists.ts';
import type { CollectionLists } from '../../model/lists.ts';
import { isExisting } from '../../model/existing.ts';
import type { Model, Table } from '../../model/types.ts';
import { enumerate } from '../../reading/quote.ts';
import { quoted } from '../../shared/sql.ts';

/**
 * A list whose page reads more rows than this is reported. By an index, so many rows took 19 ms on a small machine (400,000
 * rows took 1.5 s): a hundred times a page whose index has its order.
 */
export const MOST_ROWS_READ = 5_000;

/** A list with what to do if it reads more rows than that; undefined if it does not. */
export interface ExplainedList extends MeasuredList {
  readonly suggestion: Suggestion | undefined;
}

/** A collection in the database. */
export interface ExplainedTable {
  readonly collection: string;
  readonly table: string;
  /** Undefined if the database does not have the table. */
  readonly sizes: TableSizes | undefined;
  /** Indexes of the definitions that the database does not have. */
  readonly missing: readonly string[];
  /** Why no list was measured; undefined if lists were. */
  readonly note: string | undefined;
  readonly lists: readonly ExplainedList[];
}

/** Reads the sizes of the tables and the plans of the lists, in the newest version. */
export const measureDatabase = async (
  model: Model,
  url: string,
  signal: AbortSignal,
): Promise<ExplainedTable[]> =>
  withDatabase(url, { command: 'explain', driverFolder: packageRoot, signal }, async (session) => {
    const { schema } = model.service;
    if (schema !== undefined) {
      await session.query(`set local search_path = ${quoted(schema)}, "$user", public`);
    }
    const names = model.collections
      .filter((collection) => !isExisting(collection))
      .map(({ table }) => table.name);
    const tables = await readTableSizes(session, names);
    const found: ExplainedTable[] = [];
    for (const lists of collectionLists(model)) {
      const { definition, table } = lists.collection;
      const sizes = tables.get(table.name);
      const has = (name: string): boolean =>
        sizes === undefined || sizes.indexes.some((index) => index.name === name);
      const missing = table.indexes.map(({ name }) => name).filter((name) => !has(name));
      const note = noteOf(table, sizes);
      const measured = note === undefined ? await measureLists(session, lists, tables) : [];
      found.push({
        collection: definition.name,
        table: table.name,
        sizes,
        missing,
        note,
        lists: measured.map((one) => ({ ...one, suggestion: suggestionFor(one, lists, missing) })),
      });
    }
    return found;
  });

function noteOf(
  { name, columns, existing }: Table,
  sizes: TableSizes | undefined,
): string | undefined {
  if (existing !== undefined) {
    return `its rows are in the existing table ${nameWithSchema(existing)}, whose lists are not measured`;
  }
  if (sizes === undefined)
    return 'the database does not have this table, or this user does not see it. Check the name of the database and the search_path, or run npm run migrate';
  const absent = columns.map((column) => column.name).filter((one) => !sizes.columns.has(one));
  if (absent.length > 0) {
    return `the table does not have ${enumerate(absent)}: run npm run migrate, and ask again`;
  }
  if (sizes.rows === undefined || (sizes.rows > 0 && !sizes.isAnalyzed)) {
    return `the server has no statistics of this table yet: run analyze ${quoted(name)}`;
  }
  if (sizes.rows === 0) return 'the table is empty: there is nothing to measure';
  return sizes.rows <= MOST_ROWS_READ
    ? `plans say nothing yet: no list can read more than ${formatNumber(MOST_ROWS_READ)} rows`
    : undefined;
}

function suggestionFor(
  { list, reading }: MeasuredList,
  { collection }: CollectionLists,
  missing: readonly string[],
): Suggestion | undefined {
  if (reading === undefined || reading.rows <= MOST_ROWS_READ) return undefined;
  return missing.length > 0
    ? { reason: 'an index of the definitions is not in the database' }
    : suggestIndex(collection, list, reading.rows);
}

/** `200,000` */
export const formatNumber = (number: number): string => Math.round(number).toLocaleString('en');
