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
  const lines = texts.flatMap((text) => text.split('\n'));
  const statements: string[] = [];
  let view = '';
  let columns: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('create view "') && line.endsWith(' as select')) {
      view = line.slice('create view '.length, -' as select'.length);
      columns = [];
    } else if (view !== '' && line.startsWith('  "')) {
      columns.push(/^ {2}("(?:[^"]|"")+")/.exec(line)?.[1] ?? '');
    } else if (view !== '' && line.startsWith('from ')) {
      const table = line.slice('from '.length, -';'.length);
      const drops = new Set([`drop view ${view};`, `drop view if exists ${view};`]);
      const additions = columns.map((column) => `add column if not exists ${column} text`);
      if (lines.slice(at).some((later) => drops.has(later))) {
        statements.push(
          `create table if not exists ${table} (); alter table ${table} ${additions.join(', ')};`,
        );
      }
      view = '';
    }
  }
  return statements;
}
