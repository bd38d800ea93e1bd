/** What a database has otherwise than the definitions of existing tables say. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { compareTables } from '../../../src/commands/check/compare-tables.ts';
import type { DatabaseSchema } from '../../../src/database/database-schema.ts';
import { readSchema } from '../../../src/database/read-schema.ts';
import { parseFolder, parseSingleFile } from '../../../src/definition/index.ts';
import type { DefinitionResult } from '../../../src/definition/types.ts';
import { planImport } from '../../../src/import/plan-import.ts';
import { createExisting } from '../../../src/migration/create-existing.ts';
import { buildModel } from '../../../src/model/build.ts';
import { emptyDatabase } from '../../support/pglite.ts';

const database = await emptyDatabase();

async function schemaOf(sql: string): Promise<DatabaseSchema> {
  await database.exec(
    `reset all; drop schema if exists "public", "sales" cascade; create schema "public"; ${sql}`,
  );
  const query = async <Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> =>
    (await database.query<Row>(text, [...(values ?? [])])).rows;
  return readSchema({ query }, ['public', 'sales']);
}

function differencesOf(definitions: DefinitionResult, schema: DatabaseSchema): string[] {
  if (!definitions.ok) throw new Error(JSON.stringify(definitions.issues));
  const { collections } = buildModel(definitions.service);
  return compareTables(collections, schema).map(({ at, message }) => `${at.line}: ${message}`);
}

test.each(['../import/adopt.sql', '../../e2e/import/pagila.sql'])(
  'the definitions that import writes for %s have no difference',
  async (file) => {
    const schema = await schemaOf(readFileSync(path.join(import.meta.dirname, file), 'utf8'));
    const checkpoint = async () => Promise.resolve();
    const adopt = { timestamps: 'utc' } as const;
    const { files } = await planImport(schema, { service: 'shop', adopt, checkpoint });
    expect(files.length).toBeGreaterThan(5);
    expect(differencesOf(await parseFolder(files, { fallbackName: 'shop' }), schema)).toEqual([]);
  },
);

const TABLES = `
  create type public.rating as enum ('G', 'PG');
  create schema sales;
  create table sales.language (id uuid primary key default gen_random_uuid(), created_at timestamptz not null,
    updated_at timestamptz not null, name text);
  create table film (
    film_id integer generated always as identity primary key,
    title varchar(40) not null unique,
    minutes smallint,
    price numeric(6, 2),
    score numeric,
    rating public.rating,
    language_id uuid references sales.language on delete cascade,
    number bigserial,
    last_update timestamp not null default now(),
    constraint film_price unique (price, minutes)
  );`;

const DEFINITIONS = `name: shop
schema: service
collections:
  languages:
    table: sales.language
    fields:
      name: { type: text }
  films:
    table: film
    key: { type: integer, column: film_id }
    history: { updated_at: last_update }
    unique: [{ fields: [price, length], name: film_price }]
    fields:
      title: { type: string, max_length: 40, required: true, unique: true }
      length: { type: integer, minimum: 0, maximum: 900, column: minutes }
      price: { type: decimal, precision: 6, scale: 2 }
      rating: { type: enum, values: [G, PG], stored: rating }
      language_id: { type: reference, to: languages, on_delete: cascade }
      number: { type: integer, default: sequence, set_by: service }
`;

async function compare(sql: string, definitions = DEFINITIONS): Promise<string[]> {
  const bytes = new TextEncoder().encode(definitions);
  const parsed = await parseSingleFile({ path: 'shop.yaml', bytes }, { fallbackName: 'shop' });
  return differencesOf(parsed, await schemaOf(`${TABLES} ${sql}`));
}

test('what a table lacks comes with the SQL for it', async () => {
  const bytes = new TextEncoder().encode(DEFINITIONS);
  const parsed = await parseSingleFile({ path: 'shop.yaml', bytes }, { fallbackName: 'shop' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const sql = 'alter table film drop price, add unique (minutes)';
  const { collections } = buildModel(parsed.service);
  const found = compareTables(collections, await schemaOf(`${TABLES} ${sql}`));
  expect(found.map((one) => one.sql)).toEqual([
    'alter table "public"."film" add column if not exists "price" numeric(6, 2);',
    'create unique index "film_price" on "public"."film" ("price", "minutes");',
  ]);
});

test('a column that seems renamed comes with its new name, and without SQL for a second column', async () => {
  const bytes = new TextEncoder().encode(DEFINITIONS);
  const parsed = await parseSingleFile({ path: 'shop.yaml', bytes }, { fallbackName: 'shop' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const { collections } = buildModel(parsed.service);
  const schema = await schemaOf(`${TABLES} alter table film rename rating to grade`);
  const renamed = [{ table: 'film', from: 'rating', to: 'grade' }];
  expect(compareTables(collections, schema, renamed)).toMatchObject([
    {
      message:
        'film has no column "rating": it seems renamed to "grade". To keep the member rating, run create-service import --again, or write column: grade',
    },
  ]);
  expect(compareTables(collections, schema, renamed)[0]).not.toHaveProperty('sql');
});

test('a time that may be null takes a column with or without nulls, and the SQL for it has neither', async () => {
  const nullable = DEFINITIONS.replace(
    'updated_at: last_update',
    'updated_at: { column: last_update, nullable: true }',
  );
  const drop = 'alter table film alter last_update drop not null';
  expect(await compare(drop, nullable)).toEqual(await compare(''));
  expect(await compare('', nullable)).toEqual(await compare(''));
  const bytes = new TextEncoder().encode(nullable);
  const parsed = await parseSingleFile({ path: 'shop.yaml', bytes }, { fallbackName: 'shop' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const { collections } = buildModel(parsed.service);
  const schema = await schemaOf(`${TABLES} alter table film drop last_update`);
  expect(compareTables(collections, schema).flatMap(({ sql }) => sql ?? [])).toEqual([
    'alter table "public"."film" add column if not exists "last_update" timestamptz;',
  ]);
});

test('a renamed field comes with the SQL for the name of its column', async () => {
  const definitions = DEFINITIONS.replace('column: minutes', 'renamed_from: minutes');
  const bytes = new TextEncoder().encode(definitions);
  const parsed = await parseSingleFile({ path: 'shop.yaml', bytes }, { fallbackName: 'shop' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const { collections } = buildModel(parsed.service);
  const sql = compareTables(collections, await schemaOf(TABLES)).flatMap((one) => one.sql ?? []);
  expect(sql).toContain(
    `-- Or write "column: minutes" in the field length, and leave the table as it is:
alter table "public"."film" rename column "minutes" to "length";`,
  );
});

test('a table without the columns that the service sets comes with the SQL for them', async () => {
  const definitions = DEFINITIONS.replace(
    /( +)key: .*film_id.*\n/,
    '$&$1soft_delete: { column: gone }\n',
  );
  expect(definitions).not.toBe(DEFINITIONS);
  const bytes = new TextEncoder().encode(definitions);
  const parsed = await parseSingleFile({ path: 'shop.yaml', bytes }, { fallbackName: 'shop' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const { collections } = buildModel(parsed.service);
  const found = compareTables(
    collections,
    await schemaOf(`${TABLES} alter table film drop last_update`),
  );
  expect(found.flatMap((one) => one.sql ?? [])).toEqual([
    'alter table "public"."film" add column if not exists "last_update" timestamptz not null default now();',
    'alter table "public"."film" add column if not exists "gone" timestamptz;',
  ]);
});

test.each<[sql: string, type: string, expected: readonly string[]]>([
  ['gone timestamptz', 'timestamp', []],
  [
    'gone timestamptz not null',
    'timestamp',
    ['8: "gone" of film may not be null, and soft_delete needs that'],
  ],
  [
    'gone timestamptz default now()',
    'timestamp',
    ['8: "gone" of film has a default: new rows would be removed ones'],
  ],
  [
    'gone timestamptz generated always as (null) stored',
    'timestamp',
    ['8: "gone" of film is generated, and a removal sets it'],
  ],
  ['gone boolean', 'boolean', []],
  ['gone boolean not null default false', 'boolean', []],
  [
    'gone boolean default true',
    'boolean',
    ['8: "gone" of film has a default: new rows would be removed ones'],
  ],
  [
    'gone boolean generated always as (false) stored',
    'boolean',
    ['8: "gone" of film is generated, and a removal sets it'],
  ],
])('the column of soft_delete is %s, of type %s', async (column, type, expected) => {
  const definitions = DEFINITIONS.replace(
    /( +)key: .*film_id.*\n/,
    `$&$1soft_delete: { column: gone, type: ${type} }\n`,
  );
  expect(await compare(`alter table film add ${column}`, definitions)).toEqual(expected);
});

test.each([
  ['always', ['8: "film_id" of film is always generated, and requests send the id']],
  ['by default', []],
])('numbers of an identity that is generated %s, which clients send', async (when, expected) => {
  const definitions = DEFINITIONS.replace(
    'key: { type: integer,',
    'key: { type: integer, generated: client,',
  );
  const sql = `alter table film alter film_id set generated ${when}`;
  expect(await compare(sql, definitions)).toEqual(expected);
});

test.each([
  ['{ fields: [x, y] }', '{ fields: [y, x], name: other }'],
  ['{ fields: [x, y] }', '{ fields: [x, z], name: other }'],
  ['{ fields: [x, y] }', '{ type: bigint, column: z, generated: client, name: other }'],
  ['{ type: bigint, column: z, generated: client }', '{ fields: [x, y], name: other }'],
  ['{ type: bigint, column: z }', '{ type: bigint, column: w, generated: client, name: other }'],
])(
  'the table of two collections with the keys %s and %s has a unique index for each',
  async (one, other) => {
    const fields = ['x', 'y', 'z', 'w'].map(
      (name) =>
        `${name}: { type: integer, minimum: 0, maximum: 9, required: true, immutable: true }`,
    );
    const collection = (name: string, key: string): string => {
      const column = /column: (.)/.exec(key)?.[1];
      const own = fields.filter((field) => !field.startsWith(`${column}:`));
      return `  ${name}: { table: t, key: ${key}, history: {}, fields: { ${own.join(', ')} } }`;
    };
    const definitions = [
      'schema: service',
      'collections:',
      collection('ants', one),
      collection('bees', other),
    ];
    const bytes = new TextEncoder().encode(definitions.join('\n'));
    const parsed = await parseSingleFile({ path: 'club.yaml', bytes }, { fallbackName: 'club' });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
    const model = buildModel(parsed.service);
    const schema = await schemaOf(createExisting(model).join('\n'));
    const found = compareTables(model.collections, schema).map(({ message }) => message);
    expect(found).toEqual([]);
  },
);

test.each<[sql: string, expected: readonly string[]]>([
  ['constraint page_pkey primary key (book, word)', []],
  ['constraint page_pkey primary key (word, book)', []],
  ['constraint page_pkey unique (word, book)', []],
  [
    'constraint page_pkey primary key (book, word) deferrable',
    ['4: the key of page is "book" and "word", and no unique index is over these alone'],
  ],
  ['constraint other primary key (book, word)', ['4: page has no unique index called "page_pkey"']],
  [
    'constraint page_pkey primary key (book)',
    [
      '4: the key of page is "book" and "word", and no unique index is over these alone',
      '4: the unique index "page_pkey" of page is over other rows or columns',
    ],
  ],
])('a key of fields on a table with %s', async (constraint, expected) => {
  const definitions = `name: shop
schema: service
collections:
  pages:
    table: page
    history: {}
    key: { fields: [book, word] }
    fields:
      book: { type: integer, minimum: 0, maximum: 9, required: true, immutable: true }
      word: { type: string, required: true, immutable: true }
`;
  const sql = `create table page (book integer not null, word text not null, ${constraint})`;
  const bytes = new TextEncoder().encode(definitions);
  const parsed = await parseSingleFile({ path: 'shop.yaml', bytes }, { fallbackName: 'shop' });
  expect(differencesOf(parsed, await schemaOf(sql))).toEqual(expected);
});

test.each([
  ['smallint', []],
  ['integer', []],
  ['bigint', []],
  ['uuid', ['13: "room" of lamp is uuid, and "room_id" is reference']],
])('a reference to ids of the type smallint in a column of the type %s', async (type, expected) => {
  const definitions = `name: shop
schema: service
collections:
  rooms:
    table: room
    key: smallint
    history: {}
    fields: { name: { type: text } }
  lamps:
    table: lamp
    history: {}
    fields:
      room_id: { type: reference, to: rooms, column: room }
`;
  const bytes = new TextEncoder().encode(definitions);
  const parsed = await parseSingleFile({ path: 'shop.yaml', bytes }, { fallbackName: 'shop' });
  const key = type === 'uuid' ? '' : 'references room';
  const schema = await schemaOf(`create table room (id smallserial primary key, name text);
    create table lamp (id uuid primary key, room ${type} ${key})`);
  const found = differencesOf(parsed, schema).filter((one) => !one.includes('foreign key'));
  expect(found).toEqual(expected);
});

test('a part of a key treats different texts as equal', async () => {
  const definitions = `name: shop
schema: service
collections:
  pages:
    table: page
    history: {}
    key: { fields: [book, word] }
    fields:
      book: { type: uuid, required: true, immutable: true }
      word: { type: string, required: true, immutable: true }
`;
  const sql =
    'create extension citext schema public; create table page (book uuid, word citext, primary key (book, word))';
  const bytes = new TextEncoder().encode(definitions);
  const parsed = await parseSingleFile({ path: 'shop.yaml', bytes }, { fallbackName: 'shop' });
  expect(differencesOf(parsed, await schemaOf(sql))).toContain(
    '4: "word" of page is of the key, and treats different texts as equal',
  );
});

test('tables as the definitions say have no difference', async () => {
  expect(await compare('')).toEqual([]);
});

test('the table of two collections is created once, with the columns of both', async () => {
  const definitions = `name: club
schema: service
collections:
  members:
    table: member
    key: integer
    history: {}
    fields: { name: { type: string, required: true, unique: true }, email: { type: text, required: true } }
  people:
    table: member
    key: integer
    history: {}
    fields: { name: { type: string, required: true, unique: true }, boss_id: { type: reference, to: people } }
`;
  const bytes = new TextEncoder().encode(definitions);
  const parsed = await parseSingleFile({ path: 'club.yaml', bytes }, { fallbackName: 'club' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const model = buildModel(parsed.service);
  const schema = await schemaOf(createExisting(model).join('\n'));
  expect(schema.tables.map(({ name, columns }) => [name, columns.map((one) => one.name)])).toEqual([
    ['member', ['id', 'name', 'email', 'boss_id']],
  ]);
  const found = compareTables(model.collections, schema).map(({ message }) => message);
  // A creation of a person sends no address.
  expect(found).toEqual(['"email" of member may be null, and "email" is required']);
});

test.each([
  ['drop table film', '8: the database has no table film'],
  [
    'alter table film rename to f; create view film as table f',
    '8: film is a view, and not a plain table',
  ],
  ['alter table film rename film_id to id', '8: film has no column "film_id"'],
  [
    'alter table film alter film_id type bigint',
    '8: "film_id" of film is bigint, and the key is integer',
  ],
  [
    'alter table film alter film_id type smallint',
    '8: "film_id" of film is smallint, and the key is integer',
  ],
  [
    'alter table film drop constraint film_pkey',
    '8: "film_id" of film is the key, and has no unique index of its own',
  ],
  [
    'alter table film drop constraint film_pkey, add unique (film_id) deferrable',
    '8: "film_id" of film is the key, and has no unique index of its own',
  ],
  [
    'alter table film alter film_id drop identity',
    '8: "film_id" of film is the key, and has no sequence',
  ],
  [
    'alter table film alter last_update drop not null',
    '8: "last_update" of film may be null, and "updated_at" is never null: write updated_at: { column: "last_update", nullable: true } in history',
  ],
  [
    'alter table film drop last_update, add last_update timestamp not null generated always as (null) stored',
    '8: "last_update" of film is generated',
  ],
  [
    'alter table film drop minutes, add minutes smallint generated always as (7) stored, add constraint film_price unique (price, minutes)',
    '15: "minutes" of film is a generated column, which nothing can write: write "generated: true" in "length"',
  ],
  [
    'alter table film alter minutes set not null, alter minutes add generated always as identity',
    '15: "minutes" of film is always generated, and requests send "length"',
  ],
  [
    'alter table film drop constraint film_price, add constraint film_price unique (price, score)',
    '8: the unique index "film_price" of film is over other rows or columns',
  ],
  [
    'alter table film drop constraint film_price; create unique index film_price on film (price, minutes) where price > 1',
    '8: the unique index "film_price" of film is over other rows or columns',
  ],
  [
    'alter table sales.language add other uuid unique; alter table film drop constraint film_language_id_fkey, add foreign key (language_id) references sales.language (other) on delete cascade',
    '18: film has no foreign key from "language_id" to sales.language',
  ],
  ['alter table film rename last_update to changed', '8: film has no column "last_update"'],
  [
    'alter table film alter last_update drop default, alter last_update type text',
    '8: "last_update" of film is text, and "updated_at" needs a timestamp',
  ],
  [
    'alter table film rename minutes to length',
    '15: film has no column "minutes"',
    '8: the unique index "film_price" of film is over other rows or columns',
  ],
  [
    'alter table film alter minutes type text',
    '15: "minutes" of film is text, and "length" is integer',
  ],
  [
    'alter table film alter title type varchar(20)',
    '14: "title" of film is character varying(20), and "title" has no "max_length: 20"',
  ],
  [
    'alter table film alter title drop not null',
    '14: "title" of film may be null, and "title" is required',
  ],
  [
    'alter table film alter price type numeric(6, 3)',
    '16: "price" of film is numeric(6,3), and "price" is decimal(6, 2)',
  ],
  [
    'alter table film alter price type numeric(6, 1)',
    '16: "price" of film is numeric(6,1), and "price" is decimal(6, 2)',
  ],
  [
    'alter table film alter price set not null',
    '16: "price" of film takes no nulls, and "price" is not required',
  ],
  [`alter type rating add value 'R'`, '17: "rating" does not list the values "R" of rating'],
  [
    `alter type rating rename value 'PG' to 'R'`,
    '17: "rating" does not list the values "R" of rating',
    '17: rating has no values "PG"',
  ],
  [
    'alter table film alter rating type text',
    '17: "rating" of film is text, and "rating" is stored as rating',
  ],
  [
    'alter table film drop constraint film_language_id_fkey',
    '18: film has no foreign key from "language_id" to sales.language',
  ],
  [
    'alter table film drop constraint film_language_id_fkey, add foreign key (language_id) references sales.language',
    '18: the foreign key "film_language_id_fkey" of film is "on delete no action", and "language_id" has "on_delete: cascade"',
  ],
  ['alter table film alter number drop default', '19: "number" of film has no sequence'],
  [
    'alter table film drop constraint film_title_key',
    '8: film has no unique index called "film_title_key"',
  ],
  [
    'alter table film rename constraint film_price to fp',
    '8: film has no unique index called "film_price"',
  ],
  [
    'alter table film alter score set not null',
    '8: each row of film needs a value of "score", and no field is stored in it',
  ],
  [
    'drop table sales.language cascade',
    '18: film has no foreign key from "language_id" to sales.language',
    '4: the database has no table sales.language',
  ],
])('%s', async (sql, ...differences) => {
  expect(await compare(sql)).toEqual(differences);
});

test('a default that the database computes is one of the column, by whatever expression', async () => {
  const definitions = DEFINITIONS.replace(
    'length: {',
    'number_2: { type: bigint, column: score, required: true, database_default: true }\n      length: {',
  );
  const add = 'alter table film drop score, add score bigint not null';
  const missing =
    '15: "score" of film has no default, and "number_2" has "database_default: true": remove it, or give the column a default';
  expect(await compare(add, definitions)).toEqual([missing]);
  for (const column of ['default 1 + 1', 'default 7', 'generated by default as identity']) {
    expect(await compare(`${add} ${column}`, definitions)).toEqual([]);
  }
});

test('the default of a domain is used in place of that of the column', async () => {
  const definitions = DEFINITIONS.replace(
    'length: {',
    'label: { type: text, required: true, database_default: true }\n      length: {',
  );
  const add = (column: string): string =>
    `drop domain if exists label; create domain label as text default 'd' || 1;
     alter table film add label label not null ${column}`;
  expect(await compare(add(''), definitions)).toEqual([]);
  expect(await compare(add("default 'c' || 2"), definitions)).toEqual([
    `15: "label" of film has the default ('c'::text || 2), and its domain has ('d'::text || 1), which PostgreSQL uses for inserts into a view: drop the default of one of them, or remove "database_default: true" from "label"`,
  ]);
});

test('a column that takes no nulls is one of a required field, whatever its default', async () => {
  for (const value of ["'x'", "'x' || 1"]) {
    expect(
      await compare(
        `alter table film add label text not null default ${value}`,
        DEFINITIONS.replace('length: {', 'label: { type: text }\n      length: {'),
      ),
    ).toEqual(['15: "label" of film takes no nulls, and "label" is not required']);
  }
});

test('ignores on delete set default, which no definition has', async () => {
  const key =
    'alter table film drop constraint film_language_id_fkey, add foreign key (language_id) references sales.language on delete set default';
  expect(await compare(key)).toEqual([]);
});

test('reports integers that the column does not take', async () => {
  const wider = DEFINITIONS.replace('maximum: 900', 'maximum: 40000');
  const big = DEFINITIONS.replace('type: integer, minimum: 0, maximum: 900', 'type: bigint');
  expect(await compare('', big)).toHaveLength(1);
  expect(await compare('', wider)).toEqual([
    '15: "minutes" of film is smallint, and "length" has no "minimum: -32768" and "maximum: 32767"',
  ]);
});

test('reports an enum type that the definition does not name', async () => {
  const text = DEFINITIONS.replace('type: enum, values: [G, PG], stored: rating', 'type: string');
  expect(await compare('', text)).toEqual([
    '17: "rating" of film is rating, and "rating" has no "stored: rating"',
  ]);
});

const DECIMALS = 'list, of: { type: decimal, precision:';
test.each<[column: string, field: string, found: readonly string[]]>([
  ['text[]', 'list, of: text, stored: array', []],
  ['varchar(9)[]', 'list, of: { type: string, max_length: 9 }, stored: array', []],
  ['citext[]', 'list, of: string, stored: array', []],
  ['smallint[]', 'list, of: { type: integer, minimum: 0, maximum: 9 }, stored: array', []],
  ['public.rating[]', 'list, of: { type: enum, values: [G, PG] }, stored: array', []],
  ['jsonb', 'list, of: text', []],
  ['jsonb', 'list, of: text, stored: array', ['is jsonb, and "many" is stored as an array']],
  ['text[]', 'list, of: text', ['is text[], and "many" has no "stored: array"']],
  ['text[]', 'text', ['is text[], and "many" is text']],
  ['uuid[]', 'list, of: text, stored: array', ['is uuid[], and "many" is a list of text']],
  [
    'varchar(9)[]',
    'list, of: string, stored: array',
    ['is character varying(9)[], and "many" has no "max_length: 9"'],
  ],
  ['short[]', 'list, of: string, stored: array', ['is short[], and "many" has no "max_length: 5"']],
  ['short[]', 'list, of: { type: string, max_length: 5 }, stored: array', []],
  ['shorts', 'list, of: string, stored: array', ['is shorts, and "many" has no "max_length: 5"']],
  ['numeric(6, 2)[]', `${DECIMALS} 6, scale: 2 }, stored: array`, []],
  ['numeric(6, 2)[]', `${DECIMALS} 5, scale: 1 }, stored: array`, []],
  ['numeric[]', `${DECIMALS} 8, scale: 3 }, stored: array`, []],
  [
    'numeric(6, 2)[]',
    `${DECIMALS} 8, scale: 2 }, stored: array`,
    ['is numeric(6,2)[], and "many" is decimal(8, 2)'],
  ],
  ['cents[]', `${DECIMALS} 6, scale: 2 }, stored: array`, []],
  [
    'cents[]',
    `${DECIMALS} 6, scale: 3 }, stored: array`,
    ['is cents[], and "many" is decimal(6, 3)'],
  ],
  [
    'age[]',
    'list, of: integer, stored: array',
    ['is age[], and "many" has no "minimum: -32768" and "maximum: 32767"'],
  ],
  ['age[]', 'list, of: { type: integer, minimum: 0, maximum: 150 }, stored: array', []],
  ['age[]', 'list, of: boolean, stored: array', ['is age[], and "many" is a list of boolean']],
])('compares the array %s with %s', async (column, field, found) => {
  const definitions = DEFINITIONS.replace('      rating:', `      many: { type: ${field} }\n$&`);
  const sql = `create extension if not exists citext;
    create domain short as varchar(5); create domain shorts as varchar(5)[];
    create domain cents as numeric(6, 2); create domain age as smallint check (value >= 0);
    alter table film add many ${column};`;
  expect(await compare(sql, definitions)).toEqual(
    found.map((text) => `17: "many" of film ${text}`),
  );
});

test.each<[column: string, field: string, found: readonly string[]]>([
  ['int generated always as (minutes * 2) stored', 'integer, generated: true', []],
  ['bigint generated always as (minutes * 2) virtual', 'bigint, generated: true', []],
  ['varchar(9) generated always as (title) stored', 'string, generated: true', []],
  [
    'int',
    'integer, generated: true',
    [
      '"many" of film is no generated column, and no request may set "many": remove "generated: true", or make the column a generated one',
    ],
  ],
  ...['integer', 'integer, read_only: true', 'integer, set_by: service'].map(
    (field): [string, string, string[]] => [
      'int generated always as (minutes) stored',
      field,
      [
        '"many" of film is a generated column, which nothing can write: write "generated: true" in "many"',
      ],
    ],
  ),
  [
    'int generated always as (minutes) stored',
    'integer, required: true, generated: true',
    ['"many" of film may be null, and "many" is required'],
  ],
  [
    'text generated always as (title) stored',
    'integer, generated: true',
    ['"many" of film is text, and "many" is integer'],
  ],
  [
    'int generated always as identity',
    'integer, minimum: 0, maximum: 9, required: true',
    ['"many" of film is always generated, and requests send "many"'],
  ],
])('compares the column %s with a field %s', async (column, field, found) => {
  const definitions = DEFINITIONS.replace('      rating:', `      many: { type: ${field} }\n$&`);
  expect(await compare(`alter table film add many ${column};`, definitions)).toEqual(
    found.map((text) => `17: ${text}`),
  );
});

test('compares the values of an array of an enum type', async () => {
  const field = 'many: { type: list, of: { type: enum, values: [PG, R] }, stored: array }';
  const definitions = DEFINITIONS.replace('      rating:', `      ${field}\n$&`);
  expect(await compare('alter table film add many public.rating[];', definitions)).toEqual([
    '17: "many" does not list the values "G" of rating[]',
    '17: rating[] has no values "R"',
  ]);
});

test('a trigger before insert may set what no field has', async () => {
  const trigger = `alter table film alter score set not null;
    create function f() returns trigger language plpgsql as 'begin return new; end';
    create trigger t before insert on film for each row execute function f();`;
  expect(await compare(trigger)).toEqual([]);
  expect(await compare(trigger.replace('before insert', 'after insert'))).toHaveLength(1);
});
