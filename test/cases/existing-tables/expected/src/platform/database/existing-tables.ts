/** Existing tables, which other programs made: PGlite and databases of tests get them from existing-tables.sql. */
import { readFile } from 'node:fs/promises';

import type { Database } from './database.ts';

const FILE = new URL('../../../existing-tables.sql', import.meta.url);

/** The tables of definitions/, and the columns that ids are in. */
const TABLES = [
  { table: '"public"."film"', key: 'film_id' },
  { table: '"Words"."language"', key: 'id' },
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

/** @throws if a table is missing, or if the column that its ids are in is not unique. */
export async function requireExistingTables(database: Database): Promise<void> {
  const missing = await findMissing(database);
  if (missing.length === 0) return;
  const tables = missing.map(({ table, key }) => `${table} (${key})`).join(', ');
  throw new Error(
    `The database has no such tables with a unique index on this column alone, not partial and not deferrable: ${tables}. ` +
      'Create them, or correct the definitions. On PGlite, delete its folder, and they are created anew.',
  );
}

/** The tables that are missing, are views, or have no unique index on the column that ids are in. */
const findMissing = (database: Database): Promise<{ table: string; key: string }[]> =>
  database.query(
    {
      text: `select "table", "key" from unnest($1::text[], $2::text[]) as "needed" ("table", "key")
        where not exists (
          select from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
          where indrelid = to_regclass("table") and attname = "key"
            and indisunique and indisvalid and indimmediate and indnkeyatts = 1 and indpred is null
        )
        order by "table"`,
    },
    [TABLES.map(({ table }) => table), TABLES.map(({ key }) => key)],
  );
