/** Definitions for the tables of a database, and the report of how its tables differ. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { PGlite } from '@electric-sql/pglite';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';

import { reportMarkdown } from '../../../src/commands/import/report-markdown.ts';
import { readSchema } from '../../../src/database/read-schema.ts';
import type {
  DatabaseColumn,
  DatabaseSchema,
  DatabaseTable,
  DatabaseType,
} from '../../../src/database/database-schema.ts';
import { parseFolder } from '../../../src/definition/index.ts';
import { importReport } from '../../../src/import/import-report.ts';
import type { SourceFile } from '../../../src/reading/position.ts';

const database = await PGlite.create();
afterAll(async () => database.close());

async function schemaOf(sql: string): Promise<DatabaseSchema> {
  await database.exec(`drop schema public cascade; create schema public; ${sql}`);
  const query = async <Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> =>
    (await database.query<Row>(text, [...(values ?? [])])).rows;
  return readSchema({ query }, ['public']);
}

const reportOn = async (sql: string) => importReport(await schemaOf(sql), 'shop');

test('a database with everything that import meets', async () => {
  const sql = readFileSync(path.join(import.meta.dirname, 'schema.sql'), 'utf8');
  const report = await reportOn(sql);
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
        'id',
        'text',
        'number',
        'done',
        'price',
        'at',
        'day',
        'meta',
        'created_at',
        'updated_at',
      ].map((name) => ({ column: name, member: name })),
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

test.each(["nextval('s')", 'random()::int', '1 + 1', "length('x')"])(
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
  ...{ name: type, schema: 'pg_catalog', kind: 'base', values: [], checks: [], extension: null },
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
  type: columnType,
  definition: name,
  modifier: fc.constantFrom(-1, 4, 5, 14, 655_366, 104_857_604),
  notNull: fc.boolean(),
  default: fc.oneof(
    fc.constant(null),
    name.map((text) => `'${text.replaceAll("'", "''")}'::text`),
    fc.constantFrom('now()', 'true', '-1', "'5'::integer", '\'{"a": 1}\'::jsonb', "'{}'::text[]"),
  ),
  isIdentity: fc.boolean(),
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
      columns: fc.uniqueArray(names, { minLength: 1, maxLength: 3 }),
      where: fc.option(
        names.map((one) => `("${one}" IS NULL)`),
        { nil: null },
      ),
      nullsNotDistinct: fc.constant(false),
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
      indexedColumns: fc.array(names, { maxLength: 3 }),
      parents: fc.constant([]),
      hasRowSecurity: fc.boolean(),
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
      const { tables, files } = await importReport(one, 'shop');
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
