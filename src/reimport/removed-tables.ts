/** Finds the tables that a database no longer has, and tells whether it is another database. */
import type { ImportLock, ImportOptions } from './types.ts';
import { diskDefinitions, diskDefinitionOf } from './match-definitions.ts';

/** What was read of a database. */
export interface ReadTables {
  readonly options: Pick<ImportOptions, 'schemas'>;
  /** The names of all tables and views in the schemas that were read, with the schema if it is not `public`. */
  readonly tables: ReadonlySet<string>;
}

/** Whether the database no longer has a table. False if its schema was not read. */
export const isTableRemoved = (table: string, { options, tables }: ReadTables): boolean =>
  !tables.has(table) &&
  options.schemas.includes(table.includes('.') ? table.slice(0, table.indexOf('.')) : 'public');

/** The tables of the last import that have definitions, and that the database should have. */
export interface ExpectedTables {
  readonly count: number;
  /** Those that it has. */
  readonly found: number;
  /** The definitions of the others. */
  readonly gone: readonly string[];
}

/** Compares a database with the last import. Tables whose definitions the team has removed do not count. */
export function expectedTables(
  { imported }: ImportLock,
  files: ReadonlyMap<string, string>,
  read: ReadTables,
): ExpectedTables {
  const disk = diskDefinitions(files);
  const expected = imported.flatMap((one) => {
    const ours = diskDefinitionOf(one, disk);
    return ours === undefined ? [] : [{ path: ours.path, table: one.table }];
  });
  const gone = expected.filter(({ table }) => isTableRemoved(table, read)).map(({ path }) => path);
  const found = expected.filter(({ table }) => read.tables.has(table)).length;
  return { count: gone.length + found, found, gone };
}

/**
 * Whether a database is probably another one: it has no more than half of the tables. Without this rule, a wrong URL
 * would remove the definitions of all others.
 */
export const isOtherDatabase = ({ count, found, gone }: ExpectedTables): boolean =>
  gone.length > 0 && found * 2 <= count;
