/** A PGlite database in memory that test files share. */
import { createRequire } from 'node:module';

import { PGlite } from '@electric-sql/pglite';
import { citext } from '@electric-sql/pglite/contrib/citext';

import { createEmptyPglite } from '../../templates/service/src/platform/database/empty-pglite.ts';

const create = (): Promise<PGlite> =>
  createEmptyPglite<PGlite>(
    (options) => PGlite.create({ ...options, extensions: { citext } }),
    createRequire(import.meta.url).resolve('@electric-sql/pglite'),
  );

let shared: Promise<PGlite> | undefined;

/** Drops all schemas, with the extensions in them. */
const RESET = `
do $$
declare "one" name;
begin
  for "one" in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
    execute format('drop schema %I cascade', "one");
  end loop;
  for "one" in select fdwname from pg_foreign_data_wrapper loop
    execute format('drop foreign data wrapper %I cascade', "one");
  end loop;
end $$;
create schema "public";`;

/**
 * Gives an empty database with the extension citext. The files of a process share it, because opening one takes half a
 * second. Do not close it, and do not create roles or change settings of the database in it.
 */
export async function emptyDatabase(): Promise<PGlite> {
  shared ??= create();
  const database = await shared;
  // One at a time: neither DISCARD nor VACUUM can run in a transaction. VACUUM removes what the files before left in the catalog.
  for (const sql of ['rollback', 'discard all', RESET, 'vacuum']) await database.exec(sql);
  return database;
}
