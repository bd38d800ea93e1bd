/** `existingTables`: the tables that other programs created, with the views over them. PGlite and databases of tests get the tables from existing-tables.sql. */
import { readFile } from 'node:fs/promises';

import type { Database } from './database.ts';
import type { DatabaseFeature } from './feature.ts';
import { recreateViewsInMigration, VIEWS } from './views.ts';

const FILE = new URL('../../../existing-tables.sql', import.meta.url);

/** A table, quoted, and columns that need a unique index. */
interface ExistingTable {
  readonly table: string;
  readonly columns: readonly string[];
}

export const existingTables = (tables: readonly ExistingTable[]): DatabaseFeature => ({
  initialize: (database) => createTables(database, tables),
  beforeMigrations: (database) => requireTables(database, tables),
  migrationOptions: { recreateViews: recreateViewsInMigration },
  repeatable: VIEWS,
});

/** Creates the tables in a database that has none of them. The service never does this on PostgreSQL. */
async function createTables(database: Database, tables: readonly ExistingTable[]): Promise<void> {
  const found = await database.query(
    {
      text: 'select from unnest($1::text[]) as "needed" ("table") where to_regclass("table") is not null',
    },
    [tables.map(({ table }) => table)],
  );
  if (found.length > 0) return;
  const sql = await readFile(FILE, 'utf8');
  // Lines that begin with a backslash are for psql; pg_dump writes some.
  await database.query({ text: sql.replaceAll(/^\\.*$/gm, '') });
  // A dump changes settings of the session.
  await database.query({ text: `reset all; set intervalstyle = 'iso_8601'` });
}

/** @throws if a table is missing, or if such columns are not unique. */
async function requireTables(database: Database, tables: readonly ExistingTable[]): Promise<void> {
  const missing = await findMissing(database, tables);
  if (missing.length === 0) return;
  const names = missing.map(({ table, columns }) => `${table} (${columns.join(', ')})`).join(', ');
  throw new Error(
    `The database has no such tables with a unique index on exactly these columns, not partial and not deferrable: ${names}. ` +
      'Create them, or correct the definitions. On PGlite, delete its folder, and they are created anew.',
  );
}

/** The tables that are missing, are views, or have no unique index on these columns. */
const findMissing = (
  database: Database,
  tables: readonly ExistingTable[],
): Promise<ExistingTable[]> =>
  database.query(
    {
      text: `select "table", "columns" from jsonb_to_recordset($1) as "needed" ("table" text, "columns" text[])
        where not exists (
          select from pg_index where indrelid = to_regclass("table")
            and indisunique and indisvalid and indimmediate and indpred is null
            and indnkeyatts = cardinality("columns") and not exists (
              select from unnest("columns") as "column" where not exists (
                select from pg_attribute where attrelid = indrelid and attname = "column"
                  and attnum = any ((indkey::int2[])[0:indnkeyatts - 1])))
        )
        order by "table"`,
    },
    [JSON.stringify(tables)],
  );
