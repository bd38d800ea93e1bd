/** Existing tables, which other programs made: PGlite and databases of tests get them from existing-tables.sql. */
import { readdir, readFile } from 'node:fs/promises';

import type { Database } from './database.ts';

const ROOT = new URL('../../../', import.meta.url);

/** Creates the existing tables in a database that has none of them. The service never does this on PostgreSQL. */
export async function createExistingTables(database: Database): Promise<void> {
  const [found] = await database.query<{ table: string | null }>(
    {
      text: 'select to_regclass($1)::text as "table"',
    },
    ['"public"."film"'],
  );
  if (typeof found?.table === 'string') return;
  const sql = await readFile(new URL('existing-tables.sql', ROOT), 'utf8');
  // Lines that begin with a backslash are for psql; pg_dump writes some.
  await database.query({ text: sql.replaceAll(/^\\.*$/gm, '') });
  // A dump changes settings of the session.
  await database.query({ text: `reset all; set intervalstyle = 'iso_8601'` });
  for (const text of await formerColumns()) await database.query({ text });
}

/** Statements that add the columns of former views: a field may have been removed since, and its column with it. */
async function formerColumns(): Promise<string[]> {
  const folder = new URL('migrations/', ROOT);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')));
  const all = texts.join('\n');
  return Array.from(all.matchAll(VIEW)).flatMap(
    ({ 1: view = '', 2: columns = '', 3: table = '', index }) => {
      const isFormer = [`drop view ${view};`, `drop view if exists ${view};`].some((drop) =>
        all.includes(drop, index),
      );
      if (!isFormer) return [];
      const additions = Array.from(
        columns.matchAll(COLUMN),
        ([, column = '']) => `add column if not exists ${column} text`,
      );
      return [
        `create table if not exists ${table} (); alter table ${table} ${additions.join(', ')};`,
      ];
    },
  );
}

/** A view of an existing table, as migrations create it, and a column in it. */
const VIEW =
  /^create view ("(?:[^"]|"")+") as select\n([^]*?)\nfrom ((?:"(?:[^"]|"")+"\.)"(?:[^"]|"")+");$/gm;
const COLUMN = /^ {2}("(?:[^"]|"")+")/gm;
