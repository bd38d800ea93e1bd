/** The tables of emitted tests are emptied: whatever refers to what, and what triggers insert meanwhile. On PGlite. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { OpenDatabase } from '../../../templates/service/src/platform/database/database.ts';
import {
  createInMemory,
  overPglite,
} from '../../../templates/service/src/platform/database/pglite.ts';
import { emptyTables } from '../../../templates/service/test/support/empty-tables.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = overPglite(await createInMemory(), () => {});
});
afterAll(() => database.close());

/** In each of the tables: own ones of the schema "service", those of other programs in "old". */
const TABLES = `
  drop schema if exists "service", "old" cascade;
  create schema "service"; create schema "old"; set search_path = "service";
  create table "_migrations" ("id" integer);
  create table "_tombstones" ("id" integer);
  create table "jobs" ("id" integer);
  create table "authors" ("id" integer primary key);
  create table "Books of all" ("id" integer, "author_id" integer references "authors" deferrable initially deferred);
  create table "audit" ("id" integer);
  create table "empty" ("id" integer);
  create table "old"."film" ("id" integer primary key, "next" integer references "old"."film");
  create table "old"."cast" ("film" integer references "old"."film");
  insert into "_migrations" values (1);
  insert into "_tombstones" values (1);
  insert into "jobs" values (1);
  insert into "authors" values (1), (2);
  insert into "Books of all" values (1, 1);
  insert into "old"."film" values (1, null), (2, 1);
  insert into "old"."cast" values (2);
`;

beforeEach(() => database.query({ text: TABLES }));

const NAMES = [
  ...['_migrations', '_tombstones', 'jobs', 'authors', '"Books of all"', 'audit'],
  ...['"old"."film"', '"old"."cast"'],
];

/** The tables that have rows. */
async function filled(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of NAMES) {
    if ((await database.query({ text: `select from ${name}` })).length > 0) found.push(name);
  }
  return found;
}

test('all but the kept tables are empty, and tables of other programs stay as they are', async () => {
  await emptyTables(database, ['_migrations']);
  expect(await filled()).toEqual(['_migrations', '"old"."film"', '"old"."cast"']);
});

test('existing tables that refer to each other are emptied, too', async () => {
  await emptyTables(database, ['_migrations', 'authors', 'Books of all'], ['old']);
  expect(await filled()).toEqual(['_migrations', 'authors', '"Books of all"']);
});

test.each([
  ['a table that was empty', 'audit'],
  ['tombstones', '_tombstones'],
])('rows that a deletion inserts into %s are deleted', async (_what, table) => {
  await database.query({
    text: `create function "keep"() returns trigger language plpgsql as $$
        begin insert into "service"."${table}" values (old."id"); return null; end $$;
      create trigger "keep" after delete on "service"."authors" for each row execute function "keep"()`,
  });
  await emptyTables(database, ['_migrations']);
  expect(await filled()).not.toContain(table);
});

test('jobs, and what workers lock of webhooks, are deleted first, in the order of the workers', async () => {
  const names = ['jobs', '_webhook_cursor', 'webhooks', 'authors'];
  const note = names.map(
    (name) => `create trigger "note" after delete on "${name}" execute function "note"();`,
  );
  await database.query({
    text: `create table "webhooks" ("id" integer); create table "_webhook_cursor" ("id" integer);
      create table "log" ("at" serial, "name" text);
      create function "note"() returns trigger language plpgsql as $$
        begin insert into "service"."log" ("name") values (tg_table_name); return null; end $$;
      ${note.join(' ')}`,
  });
  await emptyTables(database, ['_migrations', 'log']);
  const log = await database.query<{ name: string }>({
    text: 'select "name" from "log" order by "at"',
  });
  expect(log.map(({ name }) => name)).toEqual(names);
});

test('a trigger that always inserts again does not keep it for ever', async () => {
  await database.query({
    text: `create function "again"() returns trigger language plpgsql as $$
        begin insert into "service"."authors" values (old."id" + 10); return null; end $$;
      create trigger "again" after delete on "service"."authors" for each row execute function "again"()`,
  });
  await emptyTables(database, ['_migrations']);
  expect(await filled()).toEqual(['_migrations', 'authors', '"old"."film"', '"old"."cast"']);
});
