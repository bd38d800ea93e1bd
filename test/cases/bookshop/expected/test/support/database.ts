/** Provides a migrated, empty database for each test file. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { PGlite } from '@electric-sql/pglite';
import { inject } from 'vitest';

import type { Database, OpenDatabase } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { initialize } from '../../src/platform/database/open.ts';
import { overPglite } from '../../src/platform/database/pglite.ts';
import { openPostgres } from '../../src/platform/database/postgres.ts';
import { emptyTables } from './empty-tables.ts';
import { prepareUsers } from './users.ts';

/** Databases of finished test files: emptying one is faster than creating one. */
const idle: OpenDatabase[] = [];

/** Opens a database with an administrator and nothing else. `close` makes it available to the next file. */
export async function openTestDatabase(): Promise<OpenDatabase> {
  const used = idle.pop();
  const database = used ?? (await makeDatabase());
  if (used === undefined) await prepareUsers(database);
  else await emptyTestDatabase(used);
  return {
    ...database,
    async close() {
      idle.push(database);
    },
  };
}

/** Leaves an administrator in a database, and nothing else. */
export async function emptyTestDatabase(database: Database): Promise<void> {
  await clear(database, ['_migrations', '_secrets']);
  await prepareUsers(database);
}

/** Creates a migrated database: PGlite, or a schema in the PostgreSQL of `DATABASE_URL`. */
export function makeDatabase(): Promise<OpenDatabase> {
  const url = process.env['DATABASE_URL'] ?? '';
  return url === '' ? copyTemplate() : makeSchema(url);
}

/** Deletes all rows, except those of the kept tables. */
export const clear = (
  database: Database,
  kept = ['_migrations', '_secrets', 'users', 'tokens'],
): Promise<void> => emptyTables(database, kept);

async function copyTemplate(): Promise<OpenDatabase> {
  const copy = new Blob([await readFile(inject('databaseTemplate'))]);
  const database = overPglite(await PGlite.create({ loadDataDir: copy }), () => {});
  await initialize(database);
  return database;
}

async function makeSchema(url: string): Promise<OpenDatabase> {
  const schema = `${inject('schemaPrefix')}${randomUUID().slice(0, 8)}`;
  const owner = openPostgres(url, 1, console.error);
  await owner.query({ text: `create schema ${schema}` });
  await owner.close();
  const within = new URL(url);
  within.searchParams.set('options', `-c search_path=${schema}`);
  const database = openPostgres(within.href, 5, console.error);
  await migrate(database);
  return database;
}
