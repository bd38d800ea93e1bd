/** Definitions for the tables of a database, and the report of how its tables differ. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { reportMarkdown } from '../../../src/commands/import/report-markdown.ts';
import { readSchema } from '../../../src/database/read-schema.ts';
import type {
  DatabaseColumn,
  DatabaseSchema,
  DatabaseTable,
  DatabaseType,
} from '../../../src/database/database-schema.ts';
import { nameWithSchema } from '../../../src/definition/existing-table.ts';
import { parseFolder } from '../../../src/definition/index.ts';
import { DIFFERENCES } from '../../../src/import/difference.ts';
import { planImport } from '../../../src/import/plan-import.ts';
import { collectionNameForTable, fieldNameFor } from '../../../src/import/propose-names.ts';
import type { SourceFile } from '../../../src/reading/position.ts';
import { emptyDatabase } from '../../support/pglite.ts';

/** The first words that make an action of a name. */
const verbs =
  'add approve assign calculate cancel create delete destroy disable edit enable fetch find generate get insert list modify patch publish put receive remove retrieve send update upsert validate verify'.split(
    ' ',
  );

const database = await emptyDatabase();

async function schemaOf(
  sql: string,
  schemas: readonly string[] = ['public'],
): Promise<DatabaseSchema> {
  await database.exec(
    `drop schema if exists public, billing, sales cascade; create schema public; ${sql}`,
  );
  const query = async <Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> =>
    (await database.query<Row>(text, [...(values ?? [])])).rows;
  return readSchema({ query }, schemas);
}

const OPTIONS = { service: 'shop', checkpoint: async () => Promise.resolve() };

/** The differences that only definitions have that use the tables. */
const IN_PLACE: ReadonlySet<string> = new Set([
  ...['inherited', 'name-with-dot', 'required-column', 'set-by-trigger', 'type-in-place'],
  ...[
    'index-missing',
    'single-precision',
    'key-client',
    'key-fields',
    'key-index',
    'key-secret',
    'other-values',
  ],
]);

const reportOn = async (sql: string) => planImport(await schemaOf(sql), OPTIONS);

test('a database with everything that import meets', async () => {
  const sql = readFileSync(path.join(import.meta.dirname, 'schema.sql'), 'utf8');
  const report = await reportOn(sql);
  // Each difference that there is, without those of tables in place.
  expect(report.counts.map(({ code }) => code).toSorted()).toEqual(
    Object.keys(DIFFERENCES)
      .filter((code) => !IN_PLACE.has(code))
      .toSorted(),
  );
  const definitions = report.tables.flatMap(({ collection, definition }) =>
    definition === null ? [] : [`# ${String(collection)}\n${definition}`],
  );
  await expect(definitions.join('\n')).toMatchFileSnapshot('expected/definitions.yaml');
  const { serverVersion } = report;
  await expect(reportMarkdown(report).replace(serverVersion, '18')).toMatchFileSnapshot(
    'expected/report.md',
  );
});

test('a table that a service would make the same has no difference', async () => {
  const { tables, counts } = await reportOn(`
    create table "notes" (
      "id" uuid primary key, "text" text not null, "number" bigint, "done" boolean default false,
      "price" numeric(10, 2), "at" timestamptz, "day" date, "meta" jsonb,
      "created_at" timestamptz not null, "updated_at" timestamptz not null
    )`);
  expect(tables).toEqual([
    {
      schema: 'public',
      table: 'notes',
      kind: 'table',
      rows: null,
      collection: 'notes',
      definition: `fields:
  text: { type: text, required: true }
  number: { type: bigint }
  done: { type: boolean, default: false }
  price: { type: decimal, precision: 10, scale: 2 }
  at: { type: timestamp }
  day: { type: date }
  meta: { type: json }
`,
      columns: [
        ['id', 'uuid'],
        ['text', 'text'],
        ['number', 'bigint'],
        ['done', 'boolean'],
        ['price', 'numeric(10,2)'],
        ['at', 'timestamp with time zone'],
        ['day', 'date'],
        ['meta', 'jsonb'],
        ['created_at', 'timestamp with time zone'],
        ['updated_at', 'timestamp with time zone'],
      ].map(([name, type], at) => ({ column: name, member: name, number: at + 1, type })),
      differences: [],
    },
  ]);
  expect(counts).toEqual([]);
});

test('the rows of partitions and of an analyzed table are estimated', async () => {
  const { tables } = await reportOn(`
    create table "days" ("id" bigint, "at" date) partition by range ("at");
    create table "days_1" partition of "days" for values from ('2026-01-01') to ('2026-02-01');
    create table "days_2" partition of "days" for values from ('2026-02-01') to ('2026-03-01');
    insert into "days" select n, date '2026-01-01' + n % 50 from generate_series(1, 100) n;
    create table "fresh" ("id" bigint);
    analyze "days"`);
  expect(tables.map(({ table, rows }) => [table, rows])).toEqual([
    ['days', 100],
    ['fresh', null],
  ]);
});

test('foreign keys of partitions are those of the table if all have them', async () => {
  const { tables } = await reportOn(`
    create table "authors" ("id" uuid primary key, "name" text);
    create table "days" ("author_id" uuid, "editor_id" uuid, "at" date) partition by range ("at");
    create table "days_1" partition of "days" for values from ('2026-01-01') to ('2026-02-01');
    create table "days_2" partition of "days" for values from ('2026-02-01') to ('2026-03-01');
    alter table "days_1" add foreign key ("author_id") references "authors" on delete cascade;
    alter table "days_2" add foreign key ("author_id") references "authors" on delete cascade;
    alter table "days_2" add foreign key ("editor_id") references "authors"`);
  expect(tables[1]?.definition).toBe(`fields:
  author_id: { type: reference, to: authors, on_delete: cascade }
  editor_id: { type: uuid }
  at: { type: date }
filter: [author_id]
`);
  expect(tables[1]?.differences).toContainEqual({
    code: 'foreign-key-partial',
    columns: ['editor_id'],
    text: 'refers to authors in some partitions, and not in all',
  });
});

test.each([
  ['int default 5', 5],
  ['int default -5', -5],
  ["int default '7'", 7],
  ['bigint default 12', '12'],
  ['numeric(5, 2) default 1.5', '1.50'],
  ['double precision default 0.5', 0.5],
  ['boolean default true', true],
  ["boolean default 'f'", false],
  ["varchar(9) default 'it''s'", "it's"],
  ["text default ''", ''],
  ["date default '2026-01-31'", '2026-01-31'],
  ['date default current_date', 'today'],
  ["date default (now() at time zone 'UTC')::date", 'today'],
  ['timestamptz default now()', 'now'],
  ['timestamptz default current_timestamp', 'now'],
  ["jsonb default '{}'", {}],
  ["text[] default '{}'", []],
  ['int default null', undefined],
])('the default of %s', async (column, expected) => {
  const { tables, files } = await reportOn(`create table "notes" ("x" ${column})`);
  expect(tables[0]?.differences.map(({ code }) => code)).not.toContain('default');
  const parsed = await parseFolder(files, { fallbackName: 'shop' });
  if (!parsed.ok) throw new Error(parsed.issues[0]?.message);
  const [field] = parsed.service.collections[0]?.fields ?? [];
  const value = field?.default;
  expect(value).toEqual(expected);
});

test.each(["int default nextval('s')", 'int generated always as identity', 'serial', 'bigserial'])(
  'a column that is numbered by the database is a sequence: %s',
  async (column) => {
    const { tables, files } = await reportOn(
      `create sequence "s"; create table "notes" ("x" ${column}, "y" text)`,
    );
    expect(tables[0]?.definition).toMatch(
      /^fields:\n {2}x: \{ type: (?:integer|bigint), set_by: service, default: sequence \}\n/,
    );
    expect(await fieldsIn(files)).toBe(2);
  },
);

test.each(['random()::int', '1 + 1', "length('x')"])(
  'the default %s is not a constant',
  async (sql) => {
    const { tables } = await reportOn(
      `create sequence "s"; create table "notes" ("x" int default ${sql})`,
    );
    expect(tables[0]?.definition).toBe(
      'fields:\n  x: { type: integer, minimum: -2147483648, maximum: 2147483647 }\n',
    );
    expect(tables[0]?.differences.map(({ code }) => code)).toContain('default');
  },
);

test.each<[column: string, check: string, rule: string | undefined]>([
  ['int', 'x::bigint > 5', 'x > 5'],
  ['int', 'x::smallint > 5', undefined],
  ['bigint', 'x::int <> 5', undefined],
  ['date', 'x <= current_date', undefined],
  ['int', 'x::numeric > 5', 'x > 5'],
  ['int', 'x > 1.5', undefined],
  ['smallint', "x > '5'::smallint", 'x > 5'],
  ['numeric(10, 2)', 'x > 5', 'x > 5'],
  ['numeric(10, 2)', 'x > 1.5', 'x > 1.5'],
  ['numeric(10, 2)', 'x::bigint > 5', undefined],
  ['numeric(10, 2)', 'x > 1.5::integer', undefined],
  ['numeric(10, 2)', 'x <> all ((array[1.5, 2.7])::integer[])', undefined],
  ['numeric(10, 2)', "x::text <> '1'", undefined],
  ['float8', 'x > 1.5', 'x > 1.5'],
  ['float8', 'x::bigint = 3', undefined],
  ['float8', 'x::numeric <= 0.3', undefined],
  ['inet', "x::text <> '1.2.3.4'", undefined],
  ['inet', "x <> '1.2.3.4'", undefined],
  [
    'uuid',
    "x <> 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
    "x != 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'",
  ],
  ['uuid', "x::text <> 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", undefined],
  ['interval', "x <> 'PT1H'", undefined],
  ['timestamptz', "x > '2020-01-01'", undefined],
  ['date', "x > '2020-01-01'", "x > '2020-01-01'"],
  ['varchar(9)', "x <> 'a'", "x != 'a'"],
  ['varchar(9)', "x in ('a', 'b')", "x in ('a', 'b')"],
  ['varchar(9)', "x <> 'abc'::varchar(2)", undefined],
  ['text', `x <> 'a' collate "loose"`, undefined],
  ['text collate "loose"', "x <> 'a'", undefined],
  ['char(5)', "x <> 'a'", undefined],
  ['char(5)', 'x is not null', 'x != null'],
  ['mood', "x <> 'sad'", "x != 'sad'"],
  ['mood', "x::text in ('sad')", "x = 'sad'"],
  ['year', 'x > 2000', 'x > 2000'],
  ['boolean', 'x', 'x = true'],
  ['int', "x > ('1 or x = null'::text)::int", undefined],
])('%s check (%s)', async (column, check, expected) => {
  const { tables } = await reportOn(`
    drop collation if exists "loose";
    create collation "loose" (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    create type "mood" as enum ('sad', 'happy');
    create domain "year" as int;
    create table "notes" ("x" ${column}, constraint "one" check (${check}))`);
  const { checks } = parse(tables[0]?.definition ?? '') as {
    checks?: { one: { rule: string } };
  };
  expect(checks?.one.rule).toBe(expected);
  const codes = tables[0]?.differences.map(({ code }) => code);
  expect(codes?.includes('check')).toBe(expected === undefined);
});

/** The differences of one table, by their codes. */
async function differencesOf(
  sql: string,
  table = 'notes',
): Promise<Readonly<Record<string, string>>> {
  const { tables } = await reportOn(sql);
  const found = tables.find((one) => one.table === table);
  return Object.fromEntries(
    (found?.differences ?? []).map(({ code, columns, text }) => [
      code,
      `${columns.join()}: ${text}`,
    ]),
  );
}

test.each<[sql: string, code: string, text: string]>([
  [
    'create table "notes" ("a" char(3) unique)',
    'comparison',
    'a: is character(3), which can treat different texts as equal; the service does not',
  ],
  [
    `create collation "loose" (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      create table "notes" ("a" text); create unique index "one" on "notes" ("a" collate "loose")`,
    'unique',
    ': one (a) is left out: its collation is nondeterministic',
  ],
  [
    `create table "authors" ("id" uuid primary key, "x" int); create table "others" ("id" uuid primary key, "x" int);
      create table "notes" ("a_id" uuid references "authors" references "others" on delete cascade)`,
    'foreign-key-second',
    'a_id: refers to others too, and a field refers to one collection',
  ],
  [
    `create table "authors" ("id" uuid primary key, "x" int);
      create table "notes" ("a_id" uuid constraint "one" references "authors" deferrable initially deferred)`,
    'constraint-state',
    ': one is deferrable; the service enforces it immediately and for all rows',
  ],
  [
    'create table "notes" ("a" int); alter table "notes" add constraint "one" check ("a" > 0) not valid',
    'constraint-state',
    ': one is not valid; the service enforces it immediately and for all rows',
  ],
  [
    `create table "authors" ("id" uuid primary key, "x" int); create table "notes" ("a_id" uuid);
      alter table "notes" add constraint "one" foreign key ("a_id") references "authors" not enforced`,
    'constraint-state',
    ': one is not enforced; the service enforces it immediately and for all rows',
  ],
  [
    'create table "notes" ("a" int); create rule "one" as on delete to "notes" do instead nothing',
    'trigger',
    ': one is left out: CREATE RULE one AS',
  ],
  [
    `create domain "low" as int check (value < 100); create domain "both" as "low" check (value > 0);
      create table "notes" ("a" "both")`,
    'domain',
    'a: is the domain "both"; left out of it: CHECK ((VALUE < 100)) and CHECK (((VALUE)::integer > 0))',
  ],
  [
    `create domain "short" as varchar(5) check (value <> 'x'); create table "notes" ("a" "short"[])`,
    'domain',
    "a: is the domain short[]; left out of it: CHECK (((VALUE)::text <> 'x'::text))",
  ],
  [
    'create table "notes" ("a" int default 1.5)',
    'default',
    'a: has the default 1.5, which is left out (default 1.5 is not a whole number.)',
  ],
  [
    `create table "notes" ("a" jsonb not null default 'null')`,
    'default',
    "a: has the default 'null'::jsonb, which is left out: requests have to send it",
  ],
  [
    'create table "notes" ("a" int, constraint "A B" check ("a" > 1), constraint "a_b" check ("a" > 2))',
    'check',
    ': a_b is left out: CHECK ((a > 2)) (a_b is another check)',
  ],
  [
    `create table "notes" ("a" text, "created_at" timestamptz generated always as (timestamptz '2000-01-01Z') stored)`,
    'timestamps',
    'created_at: is timestamp with time zone, and',
  ],
])('%s tells of %s', async (sql, code, text) => {
  const differences = await differencesOf(sql);
  expect(differences[code]?.startsWith(text) === true ? text : differences).toBe(text);
});

test.each([
  ["text default 'abcdef'::varchar(3)"],
  ['numeric(10, 2) default 1.5::integer'],
  ["text default 'ABC'::char(2)"],
  [`jsonb default '{"n": 12345678901234567890}'`],
  [`jsonb default '{"n": 0.12345678901234567890}'`],
  ["varchar(9) default 'a  '::bpchar"],
  ["jsonb default '1e400'"],
  ["date default 'infinity'"],
  ['numeric(5, 1) default 1.26::numeric(9, 4)'],
])('a default that would become another value is left out: %s', async (column) => {
  const { tables } = await reportOn(`create table "notes" ("x" ${column})`);
  expect(tables[0]?.columns).toEqual([
    { column: 'x', member: 'x', number: 1, type: expect.any(String) as string },
  ]);
  expect(tables[0]?.definition).not.toContain('default');
  expect(tables[0]?.differences.map(({ code }) => code)).toContain('default');
});

test('a domain takes no nulls, and has a default', async () => {
  const { tables } = await reportOn(`
    create domain "word" as text not null default 'hello';
    create domain "short" as varchar(5);
    create table "notes" ("a" "word", "b" "short"[])`);
  expect(tables[0]?.definition).toBe(`fields:
  a: { type: text, required: true, default: hello }
  b: { type: list, of: { type: string, max_length: 5 } }
`);
});

test('line breaks in defaults, values and comments are kept out of the lines of a definition', async () => {
  const { tables, files } = await reportOn(String.raw`
    create type "mood" as enum (E'a\nb', 'c');
    create table "notes" ("a" text default E'a\nb', "b" "mood", "c" jsonb default '{"n":"a\nb"}');
    comment on column "notes"."a" is E'one\n\x1b[31mtwo'`);
  expect(tables[0]?.definition).toBe(String.raw`fields:
  a: { type: text, default: "a\nb", description: 'one [31mtwo' }
  b: { type: enum, values: ["a\nb", c] }
  c: { type: json, default: { n: "a\nb" } }
`);
  expect(await fieldsIn(files)).toBe(3);
});

test('a required reference is not cleared', async () => {
  const { tables } = await reportOn(`
    create table "authors" ("id" uuid primary key, "name" text);
    create table "notes" ("author_id" uuid not null references "authors" on delete set null)`);
  expect(tables[1]?.definition).toBe(
    'fields:\n  author_id: { type: reference, to: authors, required: true }\nfilter: [author_id]\n',
  );
  expect(tables[1]?.differences).toContainEqual({
    code: 'foreign-key-action',
    columns: ['author_id'],
    text: 'has on delete set null; the service refuses to delete what it refers to',
  });
});

test('lists are filtered by references, and filtered and sorted by what an index begins with', async () => {
  const { tables } = await reportOn(`
    create table "authors" ("id" uuid primary key, "name" text);
    create table "notes" (
      "author_id" uuid references "authors", "title" text, "at" date, "limit" int, "number" int unique
    );
    create index "one" on "notes" ("title", "at" desc); create index "two" on "notes" ("limit");
    create index "three" on "notes" ("at") where "number" > 0; create index "four" on "notes" using hash ("at")`);
  const { sort, filter, indexes } = parse(tables[1]?.definition ?? '') as Record<string, unknown>;
  expect({ sort, filter, indexes }).toEqual({
    sort: ['created_at', 'number', 'title', 'limit'],
    filter: ['author_id', 'number', 'title'],
    indexes: [['title', '-at']],
  });
  const left = tables[1]?.differences.filter(({ code }) => code === 'index');
  expect(left?.map(({ text }) => text).toSorted()).toEqual([
    'four is left out: its method is hash',
    'lists cannot be filtered by limit: each list has a parameter of that name',
    'three is left out: it has the condition (number > 0)',
  ]);
});

test.each([
  ['"deleted_at" timestamptz', 'soft-delete'],
  ['"access_token" text', 'write-only'],
  ['"pin" varchar(4)', 'write-only'],
])('%s is told as %s', async (column, code) => {
  expect(await differencesOf(`create table "notes" ("x" int, ${column})`)).toHaveProperty([code]);
});

test.each([
  ['users', 'user_accounts'],
  ['User', 'user_accounts'],
  ['tokens', 'access_tokens'],
  ['job', 'background_jobs'],
])('a table %s becomes the collection %s, and the report says why', async (table, name) => {
  const sql = `create table "${table}" ("id" uuid primary key, "name" text)`;
  const { tables, files } = await reportOn(sql);
  expect(tables[0]?.collection).toBe(name);
  expect(files.map((file) => file.path)).toContain(`definitions/collections/${name}.yaml`);
  const own = name === 'user_accounts' ? 'users' : name.replace(/^[a-z]+_/, '');
  expect(tables[0]?.differences.map(({ text }) => text)).toContain(
    `becomes ${name}, because ${own} is a built-in collection`,
  );
  expect(tables[0]?.differences.map(({ code }) => code)).not.toContain('table-name');
});

test.each([
  ['Straße', 'strasse'],
  ['1st_key', 'first_key'],
  ['2fa_code', 'n2fa_code'],
  ['IPv4Address', 'ipv4_address'],
  ['peerIPv6', 'peer_ipv6'],
  ['HTTPServer', 'http_server'],
  ['42', ''],
])('the column %s becomes %s', (column, field) => {
  expect(fieldNameFor(column, false)).toBe(field);
});

test.each([
  ['author', 'authors', 'id', 'author_id'],
  ['author_id', 'authors', 'id', 'author_id'],
  ['customerid', 'customers', 'customerid', 'customer_id'],
  ['oldcustomerid', 'customers', 'customerid', 'oldcustomer_id'],
  ['salesorderid', 'sales_orders', 'id', 'salesorder_id'],
  ['businessentityid', 'person', 'businessentityid', 'businessentity_id'],
  ['bid', 'bids', 'bid', 'bid_id'],
  ['grid', 'grids', 'id', 'grid_id'],
  ['paid', 'payments', 'id', 'paid_id'],
])('the column %s that refers to %s.%s becomes %s', (column, table, referred, field) => {
  expect(fieldNameFor(column, true, { table, referredColumns: [referred] })).toBe(field);
});

describe('a table whose name is an action', () => {
  test.each([
    ['edit_artist', 'edit_artist_items'],
    ['EditArtists', 'edit_artist_items'],
    ['list_user_preferences', 'list_user_preference_items'],
    ['verify_codes', 'verification_codes'],
    ['delete_requests', 'deletion_requests'],
    ['publish_queue', 'publish_queues'],
    ['books_delete', 'books_deletes'],
  ])('%s becomes %s', (table, collection) => {
    expect(collectionNameForTable(table)?.name).toBe(collection);
  });

  test.each([...verbs])('%s leads to a name that definitions accept', async (verb) => {
    const name = collectionNameForTable(`${verb}_artist`)?.name ?? '';
    const text = 'fields:\n  note: { type: text }\n';
    const file = { path: `definitions/collections/${name}.yaml`, bytes: Buffer.from(text) };
    expect(await parseFolder([file], { fallbackName: 'shop' })).toMatchObject({ ok: true });
  });

  test('is taken, with the references to it, and the report says why it has another name', async () => {
    const { tables } = await reportOn(`
      create table "edit_artist" ("id" uuid primary key, "note" text);
      create table "edit_artist_items" ("id" uuid primary key, "note" text);
      create table "votes" ("id" uuid primary key, "edit_id" uuid references "edit_artist")`);
    expect(tables.map(({ collection }) => collection)).toEqual([
      'public_edit_artists',
      'edit_artist_items',
      'votes',
    ]);
    expect(tables[2]?.definition).toContain('to: public_edit_artists');
    const [table] = (await reportOn('create table "edit_artist" ("a" text)')).tables;
    expect(table?.differences.map(({ text }) => text)).toContain(
      'becomes edit_artist_items, because edit_artists is an action: paths name things, and the HTTP method says what is done',
    );
  });
});

describe('tables whose collections would have one name', () => {
  test.each<
    [tables: readonly string[], collections: readonly string[], schemas?: readonly string[]]
  >([
    [
      ['data_source', 'data_sources'],
      ['data_source_items', 'data_sources'],
    ],
    [
      ['DataSource', 'data_source'],
      ['data_sources', 'data_source_items'],
    ],
    [
      ['user_account', 'users'],
      ['user_accounts', 'user_items'],
    ],
    [
      ['user_account', 'user_accounts'],
      ['user_account_items', 'user_accounts'],
    ],
    [
      ['Film', 'film', 'film_item', 'films'],
      ['public_films', 'film_2_items', 'film_items', 'films'],
    ],
    [
      ['accounts', 'billing.accounts', 'sales.account'],
      ['accounts', 'billing_accounts', 'sales_accounts'],
    ],
    [
      ['billing.accounts', 'accounts', 'sales.account'],
      ['accounts', 'public_accounts', 'sales_accounts'],
      ['billing', 'public', 'sales'],
    ],
    [
      ['account', 'billing.accounts'],
      ['public_accounts', 'accounts'],
    ],
    [
      ['data2', 'data_2'],
      ['data2', 'public_data_2'],
    ],
    // Names have 63 characters at most.
    [
      [`${'b'.repeat(57)}_Film`, `${'b'.repeat(57)}_film`, `${'b'.repeat(57)}_films`],
      [`${'b'.repeat(57)}_items`, `${'b'.repeat(55)}_2_items`, `${'b'.repeat(57)}_films`],
    ],
  ])('%j', async (names, collections, schemas = ['public', 'billing', 'sales']) => {
    const create = (name: string): string =>
      `create table ${name.replaceAll(/\w+/g, '"$&"')} ("id" uuid primary key, "name" text);`;
    const plan = await planImport(
      await schemaOf(
        `create schema "billing"; create schema "sales"; ${names.map(create).join('')}`,
        schemas,
      ),
      OPTIONS,
    );
    expect(
      plan.tables.map(({ schema, table, collection }) => [
        nameWithSchema({ schema, table }),
        collection,
      ]),
    ).toEqual(names.map((name, index) => [name, collections[index]]));
  });

  test('are all referred to, and the report says which has the name', async () => {
    const plan = await planImport(
      await schemaOf(
        `create schema "billing"; create table "accounts" ("id" serial primary key, "name" text);
          create table "billing"."accounts" ("id" serial primary key, "iban" text);
          create table "invoices" (
            "id" serial primary key, "account_id" int not null references "accounts",
            "payer_id" int references "billing"."accounts"
          )`,
        ['public', 'billing'],
      ),
      OPTIONS,
    );
    expect(plan.tables.map(({ table, definition }) => [table, definition])).toEqual([
      ['accounts', expect.stringContaining('name: ')],
      [
        'invoices',
        expect.stringMatching(/account_id: .* to: accounts,[^]*payer_id: .* to: billing_accounts /),
      ],
      ['accounts', expect.stringContaining('iban: ')],
    ]);
    expect(plan.tables.at(-1)?.differences[0]?.text).toBe(
      'becomes billing_accounts, because the table public.accounts becomes accounts',
    );
  });
});

describe('columns whose fields would have one name', () => {
  test.each([
    ['"x y" text, "x_y" text', { 'x y': 'x_y_2', x_y: 'x_y' }],
    ['"x y" text, "x.y" text, "x_y_2" text', { 'x y': 'x_y', 'x.y': 'x_y_3', x_y_2: 'x_y_2' }],
    ['"x_1" text, "x1" text', { x_1: 'x_1', x1: 'x1_2' }],
    [
      `"${'b'.repeat(61)} y" text, "${'b'.repeat(61)}.y" text`,
      {
        [`${'b'.repeat(61)} y`]: `${'b'.repeat(61)}_y`,
        [`${'b'.repeat(61)}.y`]: `${'b'.repeat(61)}_2`,
      },
    ],
    [
      '"ward" uuid references "wards", "ward_id" uuid references "wards"',
      { ward: 'ward_2_id', ward_id: 'ward_id' },
    ],
    [
      '"ward" uuid not null references "notes", "ward_id" uuid not null references "notes"',
      { ward: 'ward_2_id', ward_id: 'ward_id' },
    ],
  ])('%s', async (columns, fields) => {
    for (const adopt of [undefined, { timestamps: undefined }]) {
      const { tables } = await planImport(
        await schemaOf(`create table "wards" ("id" uuid primary key, "name" text);
          create table "notes" ("id" uuid primary key, ${columns})`),
        { ...OPTIONS, adopt },
      );
      expect(
        Object.fromEntries(
          tables[0]!.columns
            .filter(({ column }) => column !== 'id')
            .map(({ column, member }) => [column, member]),
        ),
      ).toEqual(adopt !== undefined && columns.includes('not null') ? NO_REFERENCES : fields);
    }
  });

  /** Of required references of a table to itself: they are plain fields of tables in place. */
  const NO_REFERENCES = { ward: 'ward', ward_id: 'ward_key' };
});

test('a number with the name of a secret is none', async () => {
  const { tables } = await reportOn('create table "notes" ("token_count" int)');
  expect(tables[0]?.definition).not.toContain('write_only');
});

test('references to a key with a meaning, and to a table users that is left out, say what they become', async () => {
  const differences = await differencesOf(`
    create table "users" ("id" int primary key);
    create table "wards" ("code" text primary key, "name" text);
    create table "notes" ("ward_code" text references "wards", "changed_by" int references "users")`);
  expect(differences['foreign-key-natural']).toBe(
    'ward_code: refers to the natural primary key of wards; a reference holds the id',
  );
  expect(differences['foreign-key-not-imported']).toBe(
    'changed_by: refers to users, which is not among the collections: for the built-in users, write changed_by_id: { type: reference, to: users }',
  );
});

test('a key of the catalog that becomes an id, and refers to something, is told', async () => {
  const differences = await differencesOf(
    `create table "people" ("id" int primary key, "x" int);
      create table "notes" ("id" int primary key references "people", "x" text)`,
  );
  expect(differences['foreign-key-not-imported']).toBe(
    'id: refers to people; the built-in id cannot be a reference',
  );
});

test.each([
  ['unique nulls not distinct ("a")', 'where "b"', '- { fields: [a], where: b = true }'],
  ['unique ("a")', 'nulls not distinct where "b"', undefined],
])('%s does not imply an index that is %s', async (key, index, entry) => {
  const { tables } = await reportOn(`
    create table "notes" ("a" int, "b" boolean, constraint "one" ${key});
    create unique index "two" on "notes" ("a") ${index}`);
  const { definition, differences } = tables[0] ?? {};
  const left = differences?.filter(({ code }) => code === 'unique').map(({ text }) => text);
  expect(left?.some((text) => text.startsWith('two'))).toBe(entry === undefined);
  expect(definition).toContain(entry ?? 'a: {');
});

test('an index with a condition that a whole one implies is no difference', async () => {
  const { tables } = await reportOn(`
    create table "notes" ("a" int unique, "b" boolean);
    create unique index "two" on "notes" ("a") where "b"`);
  expect(tables[0]?.definition).not.toContain('where');
  expect(tables[0]?.differences.map(({ code }) => code)).not.toContain('unique');
});

test('the checks that a collection cannot have are left out at once', async () => {
  const checks = Array.from({ length: 300 }, (_none, n) => `check ("x" > ${n})`);
  const found = await schemaOf(`create table "notes" ("x" int, ${checks.join()})`);
  const before = process.cpuUsage();
  const { tables } = await planImport(found, OPTIONS);
  expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(10);
  expect(tables[0]?.definition?.match(/rule:/g)).toHaveLength(50);
  const left = tables[0]?.differences.filter(({ code }) => code === 'check') ?? [];
  expect(left).toHaveLength(250);
  expect(left[0]?.text).toContain('(a collection has at most 50 checks)');
});

test('of a column that is left out nothing else is said', async () => {
  const { tables } = await reportOn('create table "notes" ("f" int, "1" int default 2 * 3)');
  const own = tables[0]?.differences.filter(({ columns }) => columns.includes('1'));
  expect(own?.map(({ text }) => text)).toEqual(['is left out: it has no letter of a to z']);
});

test('of the unique rules only those are left out that are refused', async () => {
  const { tables } = await reportOn(`
    create table "notes" (
      "a" int not null, "b" int not null, "c" int, "deleted_at" timestamptz not null,
      constraint "kept" unique ("a", "b"), constraint "also" unique ("b", "c")
    );
    create unique index "refused" on "notes" ("c") where "deleted_at" is null`);
  expect(tables[0]?.definition).toContain(`unique:
  - [b, c]
  - [a, b]
`);
  expect(tables[0]?.differences.filter(({ code }) => code === 'unique')).toEqual([
    {
      code: 'unique',
      columns: [],
      text: expect.stringMatching(/^refused \(c\) is left out: where of unique/),
    },
  ]);
});

test('tables that all need each other take little time, and an interruption ends it', async () => {
  const { tables, ...rest } = await schemaOf(
    'create table "t0s" ("id" uuid primary key, "x_id" uuid not null references "t0s")',
  );
  const [table] = tables;
  const [id, reference] = table?.columns ?? [];
  const [key] = table?.foreignKeys ?? [];
  if (table === undefined || id === undefined || reference === undefined || key === undefined) {
    throw new Error('the table is not read');
  }
  const names = Array.from({ length: 60 }, (_none, n) => `t${n}s`);
  const found = {
    ...rest,
    tables: names.map((one) => ({
      ...table,
      name: one,
      columns: [id, ...names.map((to) => ({ ...reference, name: `${to}_id` }))],
      foreignKeys: names.map((to) => ({ ...key, columns: [`${to}_id`], table: to })),
    })),
  };
  const before = process.cpuUsage();
  const { files } = await planImport(found, OPTIONS);
  expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(20);
  expect(files).toHaveLength(names.length + 1);
  const checkpoint = async () => Promise.reject(new Error('interrupted'));
  await expect(planImport(found, { ...OPTIONS, checkpoint })).rejects.toThrow('interrupted');
});

const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  fc.constantFrom(
    ...['id', 'created_at', 'users', 'tokens', 'order', 'Order', 'orders', 'null', 'true', 'on'],
    ...[
      'limit',
      'sort',
      'xmin',
      'password',
      '__proto__',
      'constructor',
      'a: b',
      "'",
      '"',
      '#',
      '-',
      '空',
    ],
    ...['create', 'delete_book', 'v1', 'con', 'x'.repeat(63), 'data', 'news', 'userId', 'a_', '1a'],
  ),
);

const plain = (type: string, more: Partial<DatabaseType> = {}): DatabaseType => ({
  ...{
    name: type,
    schema: 'pg_catalog',
    kind: 'base',
    values: [],
    checks: [],
    extension: null,
    modifier: -1,
  },
  ...more,
});

const columnType: fc.Arbitrary<DatabaseType> = fc.oneof(
  fc
    .constantFrom(
      ...['bool', 'int2', 'int4', 'int8', 'float8', 'numeric', 'text', 'varchar', 'bpchar', 'uuid'],
      ...['date', 'time', 'interval', 'timestamptz', 'timestamp', 'json', 'inet', 'bytea', 'xml'],
      ...['toString', '__proto__', 'citext'],
    )
    .map((one) => plain(one)),
  fc
    .array(name, { maxLength: 4 })
    .map((values) => plain('mood', { schema: 'public', kind: 'enum', values })),
  fc.constantFrom('int4', 'text', '_text').map((one) => plain(`_${one}`, { element: plain(one) })),
);

const column: fc.Arbitrary<DatabaseColumn> = fc.record({
  name,
  number: fc.constant(1),
  type: columnType,
  definition: name,
  modifier: fc.constantFrom(-1, 4, 5, 14, 655_366, 104_857_604),
  notNull: fc.boolean(),
  default: fc.oneof(
    fc.constant(null),
    name.map((text) => `'${text.replaceAll("'", "''")}'::text`),
    fc.constantFrom('now()', 'true', '-1', "'5'::integer", '\'{"a": 1}\'::jsonb', "'{}'::text[]"),
  ),
  domainDefault: fc.constantFrom(null, '1', "'5'::integer"),
  isIdentity: fc.boolean(),
  isAlwaysIdentity: fc.boolean(),
  comparesExactly: fc.boolean(),
  isGenerated: fc.constant(false),
  comment: fc.option(fc.string({ unit: 'binary', maxLength: 40 }), { nil: null }),
});

const table: fc.Arbitrary<DatabaseTable> = fc
  .uniqueArray(column, { selector: (one) => one.name, maxLength: 6 })
  .chain((columns) => {
    const names =
      columns.length === 0 ? fc.constant('x') : fc.constantFrom(...columns.map((one) => one.name));
    const unique = fc.record({
      name,
      isPrimary: fc.boolean(),
      columns: fc.uniqueArray(names, { minLength: 1, maxLength: 3 }),
      where: fc.option(
        names.map((one) => `("${one}" IS NULL)`),
        { nil: null },
      ),
      nullsNotDistinct: fc.constant(false),
      isNondeterministic: fc.constant(false),
    });
    return fc.record({
      schema: fc.constantFrom('public', 'other'),
      name,
      kind: fc.constantFrom('table' as const, 'view' as const, 'partitioned table' as const),
      comment: fc.option(fc.string({ unit: 'binary', maxLength: 40 }), { nil: null }),
      rows: fc.constant(null),
      columns: fc.constant(columns),
      primaryKey: fc.option(
        unique.map((one) => ({ ...one, where: null })),
        { nil: undefined },
      ),
      uniques: fc.array(unique, { maxLength: 3 }),
      foreignKeys: fc.constant([]),
      checks: fc.array(fc.record({ name, sql: names.map((one) => `CHECK (("${one}" > 0))`) }), {
        maxLength: 2,
      }),
      exclusions: fc.constant([]),
      triggers: fc.constant([]),
      constraintStates: fc.constant([]),
      indexes: fc.array(
        fc.record({
          name,
          method: fc.constantFrom('btree', 'gin'),
          columns: fc.uniqueArray(names, { minLength: 1, maxLength: 3 }),
          descending: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
          where: fc.constant(null),
        }),
        { maxLength: 3 },
      ),
      parents: fc.constant([]),
      hasRowSecurity: fc.boolean(),
      isInherited: fc.boolean(),
    });
  });

/** Foreign keys from some columns to the primary keys of some tables. */
const schema: fc.Arbitrary<DatabaseSchema> = fc
  .uniqueArray(table, {
    selector: (one) => `${one.schema}.${one.name}`,
    minLength: 1,
    maxLength: 6,
  })
  .chain((tables) =>
    fc
      .array(
        fc.tuple(
          fc.nat(),
          fc.nat(),
          fc.nat(),
          fc.constantFrom('cascade' as const, 'set null' as const),
        ),
        {
          maxLength: 8,
        },
      )
      .map((keys) => ({
        database: 'shop',
        serverVersion: '18.1',
        schemas: ['public'],
        tables: tables.map((one, at) => ({
          ...one,
          foreignKeys: keys.flatMap(([from, to, of, onDelete]) => {
            const target = tables[to % tables.length];
            const own = one.columns[of % Math.max(one.columns.length, 1)];
            const referred = target?.primaryKey?.columns ?? [];
            if (from % tables.length !== at || own === undefined || referred.length !== 1)
              return [];
            return [
              {
                name: 'key',
                isPartial: false,
                columns: [own.name],
                schema: target?.schema ?? '',
                table: target?.name ?? '',
                referredColumns: referred.map(String),
                onDelete,
              },
            ];
          }),
        })),
      })),
  );

/** How many fields these definitions have together. @throws if they are refused. */
async function fieldsIn(files: readonly SourceFile[]): Promise<number> {
  if (files.length === 0) return 0;
  const parsed = await parseFolder(files, { fallbackName: 'shop' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.service.collections.reduce((sum, own) => sum + own.fields.length, 0);
}

test('definitions are accepted, whatever names, types, defaults and keys a database has', async () => {
  let fields = 0;
  await fc.assert(
    fc.asyncProperty(schema, async (one) => {
      const { tables, files } = await planImport(one, OPTIONS);
      expect(tables).toHaveLength(one.tables.length);
      const taken = tables.filter(({ collection }) => collection !== null);
      expect(files).toHaveLength(taken.length === 0 ? 0 : taken.length + 1);
      fields += await fieldsIn(files);
      for (const { columns, differences, collection } of tables) {
        // What is left out is said.
        const isWhole = collection !== null && columns.every(({ member }) => member !== null);
        expect(isWhole || differences.length > 0).toBe(true);
      }
    }),
    { numRuns: 150 },
  );
  expect(fields).toBeGreaterThan(150);
});

/** Gives a table a primary key that can be an id. */
const withId = (one: DatabaseTable, id: DatabaseColumn): DatabaseTable => ({
  ...one,
  isInherited: false,
  columns: [id, ...one.columns.filter((other) => other.name !== id.name)],
  primaryKey: {
    ...{ name: 'key', isPrimary: true, columns: [id.name], where: null },
    ...{ nullsNotDistinct: false, isNondeterministic: false },
  },
});

test('definitions that use the tables are accepted, whatever these have', async () => {
  const ids = fc.record({
    ...{ name, type: fc.constant(plain('uuid')), definition: fc.constant('uuid') },
    ...{ modifier: fc.constant(-1), notNull: fc.constant(true), default: fc.constant(null) },
    ...{ isIdentity: fc.constant(false), isAlwaysIdentity: fc.constant(false) },
    ...{ comparesExactly: fc.constant(true), domainDefault: fc.constant(null) },
    ...{ isGenerated: fc.constant(false), comment: fc.constant(null), number: fc.constant(1) },
  });
  const timestamps = fc.constantFrom('utc' as const, undefined);
  let fields = 0;
  await fc.assert(
    fc.asyncProperty(schema, ids, timestamps, async (one, id, zone) => {
      const found = { ...one, tables: one.tables.map((own) => withId(own, id)) };
      const { tables, files } = await planImport(found, {
        ...OPTIONS,
        adopt: { timestamps: zone },
      });
      fields += await fieldsIn(files);
      for (const { columns, differences, collection } of tables) {
        // What is left out is said.
        const isWhole = collection !== null && columns.every(({ member }) => member !== null);
        expect(isWhole || differences.length > 0).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
  expect(fields).toBeGreaterThan(100);
});
