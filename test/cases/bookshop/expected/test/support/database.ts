/** Provides a migrated, empty database for each test file. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { PGlite } from '@electric-sql/pglite';
import { inject } from 'vitest';

import type { Database, OpenDatabase } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { overPglite } from '../../src/platform/database/pglite.ts';
import { openPostgres } from '../../src/platform/database/postgres.ts';
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

/**
 * Deletes all rows, tombstones included, except those of the kept tables. Jobs are deleted first, so
 * that running jobs store nothing any more. Rows of webhooks are locked in the order in which workers lock
 * them: in another order, each attempt of a failing webhook could be a deadlock.
 */
export async function clear(
  database: Database,
  kept = ['_migrations', '_secrets', 'users', 'tokens'],
): Promise<void> {
  const tables = await database.query<{ name: string; group: 'first' | 'last' | null }>(
    {
      prepared: true,
      text: `select quote_ident(tablename) as "name",
          case when tablename in ('jobs', '_webhook_cursor', 'webhooks') then 'first'
            when tablename like '%tombstones' then 'last' end as "group"
        from pg_tables where schemaname = current_schema() and tablename <> all ($1)
        order by array_position(array['jobs', '_webhook_cursor', 'webhooks'], tablename::text)`,
    },
    [kept],
  );
  const inGroup = (group: 'first' | 'last' | null) =>
    tables.filter((table) => table.group === group);
  const others = inGroup(null);
  // Most tables are empty: finding the others is faster than a DELETE for each.
  const isFilled = others.map(({ name }) => `exists (select from ${name})`);
  const findFilled = `select ("at" - 1)::integer as "at"
    from unnest(array[${isFilled.join(', ')}]::boolean[]) with ordinality as "tables" ("is_filled", "at")
    where "is_filled"`;
  await database.transaction(async (transaction) => {
    await transaction.query({ text: emptying(inGroup('first')) });
    // Triggers of deletions may fill tables that were empty.
    for (let round = 0; round < 3; round++) {
      const found = await transaction.query<{ at: number }>({ prepared: true, text: findFilled });
      if (found.length === 0) break;
      const filled = new Set(found.map(({ at }) => at));
      await transaction.query({ text: emptying(others.filter((_table, at) => filled.has(at))) });
    }
    // Deleted rows leave tombstones.
    await transaction.query({ text: emptying(inGroup('last')) });
  });
}

/** The statements that delete all rows of tables. */
const emptying = (tables: readonly { readonly name: string }[]): string =>
  tables.map(({ name }) => `delete from ${name};`).join(' ');

async function copyTemplate(): Promise<OpenDatabase> {
  const copy = new Blob([await readFile(inject('databaseTemplate'))]);
  return overPglite(await PGlite.create({ loadDataDir: copy }), () => {});
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
