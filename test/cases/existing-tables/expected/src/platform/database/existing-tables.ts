/** Existing tables, which other programs made: PGlite and databases of tests get them from existing-tables.sql. */
import { readFile } from 'node:fs/promises';

import type { Database } from './database.ts';

const FILE = new URL('../../../existing-tables.sql', import.meta.url);

/** The tables of definitions/, and columns of theirs that have to be unique. */
const TABLES = [
  { table: '"public"."film"', columns: ['film_id'] },
  { table: '"Words"."language"', columns: ['id'] },
];

/** Creates the existing tables in a database that has none of them. The service never does this on PostgreSQL. */
export async function createExistingTables(database: Database): Promise<void> {
  const found = await database.query(
    {
      text: 'select from unnest($1::text[]) as "needed" ("table") where to_regclass("table") is not null',
    },
    [TABLES.map(({ table }) => table)],
  );
  if (found.length > 0) return;
  const sql = await readFile(FILE, 'utf8');
  // Lines that begin with a backslash are for psql; pg_dump writes some.
  await database.query({ text: sql.replaceAll(/^\\.*$/gm, '') });
  // A dump changes settings of the session.
  await database.query({ text: `reset all; set intervalstyle = 'iso_8601'` });
}

/** @throws if a table is missing, or if such columns are not unique. */
export async function requireExistingTables(database: Database): Promise<void> {
  const missing = await findMissing(database);
  if (missing.length === 0) return;
  const tables = missing.map(({ table, columns }) => `${table} (${columns.join(', ')})`).join(', ');
  throw new Error(
    `The database has no such tables with a unique index on exactly these columns, not partial and not deferrable: ${tables}. ` +
      'Create them, or correct the definitions. On PGlite, delete its folder, and they are created anew.',
  );
}

/** The tables that are missing, are views, or have no unique index on these columns. */
const findMissing = (database: Database): Promise<{ table: string; columns: string[] }[]> =>
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
    [JSON.stringify(TABLES)],
  );
