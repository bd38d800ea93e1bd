/** A database of its own for each test file, migrated and empty. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { PGlite } from '@electric-sql/pglite';
import { inject } from 'vitest';

import type { Database, OpenDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { overPglite } from '../../src/database/pglite.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { prepareUsers } from './users.ts';

/** Opens a new database: PGlite, or a schema in the PostgreSQL that `DATABASE_URL` names. */
export async function openTestDatabase(): Promise<OpenDatabase> {
  const url = process.env['DATABASE_URL'] ?? '';
  const database = await (url === '' ? copyTemplate() : makeSchema(url));
  let closed: Promise<void> | undefined;
  // A test that takes the database away closes it before the service does.
  return { ...database, close: () => (closed ??= database.close()) };
}

/**
 * Removes all items, and all traces of items that were removed. Jobs go first: one that is being
 * run stores nothing from then on.
 */
export async function clear(database: Database): Promise<void> {
  const tables = await database.query<{ name: string }>({
    text: `select quote_ident(tablename) as "name" from pg_tables
      where schemaname = current_schema() and tablename not in ('_migrations', '_secrets', 'users', 'tokens')
      order by tablename <> 'jobs', tablename = '_tombstones'`,
  });
  const statements = tables.map(({ name }) => `delete from ${name};`);
  await database.query({ text: `begin; ${statements.join(' ')} commit;` });
}

async function copyTemplate(): Promise<OpenDatabase> {
  const copy = new Blob([await readFile(inject('databaseTemplate'))]);
  return overPglite(await PGlite.create({ loadDataDir: copy }), () => {});
}

async function makeSchema(url: string): Promise<OpenDatabase> {
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  const owner = openPostgres(url, 1, console.error);
  await owner.query({ text: `create schema ${schema}` });
  const within = new URL(url);
  within.searchParams.set('options', `-c search_path=${schema}`);
  const database = openPostgres(within.href, 5, console.error);
  await migrate(database);
  await prepareUsers(database);
  return {
    ...database,
    async close() {
      await database.close();
      await owner.query({ text: `drop schema ${schema} cascade` });
      await owner.close();
    },
  };
}
