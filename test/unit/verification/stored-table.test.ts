/** The rows of existing tables as JSON, for columns of every type that a field can have. */
import { beforeAll, expect, test } from 'vitest';

import { parseSingleFile } from '../../../src/definition/index.ts';
import { buildModel } from '../../../src/model/build.ts';
import {
  isSameJson,
  shownReferences,
  storedTable,
} from '../../../src/verification/stored-table.ts';
import type { StoredRow } from '../../../src/verification/stored-table.ts';
import { emptyDatabase } from '../../support/pglite.ts';

const database = await emptyDatabase();

/** A column, the field that it is, a value of SQL, and the JSON that the service has to answer. */
const COLUMNS: readonly (readonly [
  name: string,
  column: string,
  field: string,
  value: string,
  json: unknown,
])[] = [
  ['padded', 'char(5)', 'string, max_length: 5', `'ab'`, 'ab'],
  ['blank', 'varchar(5)', 'string, max_length: 5', `'a  '`, 'a  '],
  ['folded', 'citext', 'string', `'Ab'`, 'Ab'],
  ['long', 'text', 'text', String.raw`E'a\n"\\\u00e4'`, 'a\n"\\ä'],
  ['small', 'smallint', 'integer', '-7', -7],
  ['big', 'bigint', 'bigint', '9007199254740993', '9007199254740993'],
  ['single', 'real', 'number', '0.1', 0.1],
  ['double', 'double precision', 'number', '1e300', 1e300],
  ['price', 'numeric(10, 2)', 'decimal, precision: 10, scale: 2', '5', '5.00'],
  ['flag', 'boolean', 'boolean', 'true', true],
  ['day', 'date', 'date', `'2024-02-29'`, '2024-02-29'],
  [
    'moment',
    'timestamptz',
    'timestamp',
    `'2024-02-29 23:30:00.123456-05'`,
    '2024-03-01T04:30:00.123456Z',
  ],
  ['local', 'timestamp', 'timestamp', `'2024-02-29 12:00:00.5'`, '2024-02-29T12:00:00.500Z'],
  ['hour', 'time', 'time', `'23:59:59.5'`, '23:59:59.5'],
  ['span', 'interval', 'duration', `'2 days 3:30'`, 'P2DT3H30M'],
  [
    'code',
    'uuid',
    'uuid',
    `'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'`,
    'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  ],
  ['address', 'inet', 'ip', `'10.0.0.1/32'`, '10.0.0.1'],
  ['bytes', 'bytea', 'bytes, max_bytes: 100', String.raw`'\x00ff10'`, 'AP8Q'],
  ['mood', 'mood', 'enum, values: [glad, sad], stored: mood', `'sad'`, 'sad'],
  ['plain', 'json', 'json', `'{"b": 1, "a": [null, 2.50], "b": 2}'`, { a: [null, 2.5], b: 2 }],
  ['binary', 'jsonb', 'json', `'{"deep": {"x": "\\u00e4"}}'`, { deep: { x: 'ä' } }],
  ['parent', 'integer', 'reference, to: things', '1', '1'],
  [
    'words',
    'text[]',
    'list, of: text, stored: array',
    `array['a,"b', '', null]`,
    ['a,"b', '', null],
  ],
  ['shorts', 'varchar(5)[]', 'list, of: string, stored: array', `'{}'`, []],
  [
    'moods',
    'mood[]',
    'list, of: { type: enum, values: [glad, sad] }, stored: array',
    `'{sad}'`,
    ['sad'],
  ],
  ['counts', 'smallint[]', 'list, of: integer, stored: array', `'[3:4]={5,-7}'`, [5, -7]],
  [
    'bigs',
    'bigint[]',
    'list, of: bigint, stored: array',
    `'{9007199254740993}'`,
    ['9007199254740993'],
  ],
  ['doubles', 'double precision[]', 'list, of: number, stored: array', `'{1e300}'`, [1e300]],
  [
    'prices',
    'numeric(10, 2)[]',
    'list, of: { type: decimal, precision: 10, scale: 2 }, stored: array',
    `'{5}'`,
    ['5.00'],
  ],
  ['flags', 'boolean[]', 'list, of: boolean, stored: array', `'{t,f}'`, [true, false]],
  ['days', 'date[]', 'list, of: date, stored: array', `'{2024-02-29}'`, ['2024-02-29']],
  ['codes', 'uuid[]', 'list, of: uuid, stored: array', `'{}'`, []],
  [
    'total',
    'integer generated always as (nullif("values", 2) * 2) stored',
    'integer, generated: true',
    'default',
    2,
  ],
];

/** Values that a column can have and a field cannot. */
const UNREPRESENTABLE: readonly (readonly [
  name: string,
  column: string,
  field: string,
  value: string,
  text: string,
])[] = [
  ['latest', 'timestamptz', 'timestamp', `'infinity'`, 'infinity'],
  ['ancient', 'timestamp', 'timestamp', `'0044-03-15 BC'`, '0044-03-15 00:00:00 BC'],
  ['beyond', 'date', 'date', `'10000-01-01'`, '10000-01-01'],
  ['last', 'date', 'date', `'5874897-12-31'`, '5874897-12-31'],
  ['never', 'date', 'date', `'-infinity'`, '-infinity'],
  ['months', 'interval', 'duration', `'1 mon 2 days'`, 'P1M2D'],
  ['back', 'interval', 'duration', `'-1 hours'`, 'PT-1H'],
  ['midnight', 'time', 'time', `'24:00'`, '24:00:00'],
  ['ratio', 'numeric(10, 2)', 'decimal, precision: 10, scale: 2', `'NaN'`, 'NaN'],
  ['root', 'double precision', 'number', `'-Infinity'`, '-Infinity'],
  ['single_root', 'real', 'number', `'NaN'`, 'NaN'],
  [
    'ratios',
    'numeric(10, 2)[]',
    'list, of: { type: decimal, precision: 10, scale: 2 }, stored: array',
    `'{1,NaN,null}'`,
    '{1.00,NaN,NULL}',
  ],
  [
    'roots',
    'double precision[]',
    'list, of: number, stored: array',
    `'{1,-Infinity}'`,
    '{1,-Infinity}',
  ],
  ['single_roots', 'real[]', 'list, of: number, stored: array', `'{NaN}'`, '{NaN}'],
  ['always', 'date[]', 'list, of: date, stored: array', `'{infinity}'`, '{infinity}'],
  ['grid', 'text[]', 'list, of: text, stored: array', `'{{a,b},{c,d}}'`, '{{a,b},{c,d}}'],
  ['cube', 'integer[]', 'list, of: integer, stored: array', `'{{{7}}}'`, '{{{7}}}'],
];

const all = [...COLUMNS, ...UNREPRESENTABLE];

async function tableOf(): Promise<ReturnType<typeof storedTable>> {
  const fields = all.map(([name, , type]) => {
    const of = type.startsWith('reference') ? 'parent_id' : name;
    return `      ${of}: { type: ${type}, column: c_${name} }`;
  });
  const text = [
    'name: shop',
    'schema: service',
    'collections:',
    '  things:',
    '    table: sales.Thing',
    '    key: { type: integer, column: values }',
    '    history: { created_at: made }',
    '    sort: [padded, blank, long_text, mood, created_at]',
    '    fields:',
    ...fields,
    '      long_text: { type: string, max_length: 500 }',
    '      secret: { type: string, write_only: true }',
  ].join('\n');
  const parsed = await parseSingleFile(
    { path: 'shop.yaml', bytes: new TextEncoder().encode(text) },
    { fallbackName: 'shop' },
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const [collection] = buildModel(parsed.service).collections;
  if (collection === undefined) throw new Error('there is no collection');
  expect(shownReferences(collection)).toEqual([
    { member: 'parent_id', path: 'things', statuses: [200] },
  ]);
  return storedTable(collection);
}

beforeAll(async () => {
  const columns = all.map(([name, column]) => `"c_${name}" ${column}`);
  await database.exec(`
    set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601';
    create extension citext; create schema sales; create type mood as enum ('sad', 'glad');
    create table sales."Thing" (
      "values" integer primary key, "made" timestamptz not null, "long_text" varchar(500), "secret" text,
      ${columns.join(', ')}
    );
  `);
});

test('each value is in the form of an answer, and what has none is told', async () => {
  const values = all.map(([, , , value]) => value);
  await database.exec(`
    insert into sales."Thing" values (1, '2020-01-01', 'x', 'hidden', ${values.join(', ')});
    insert into sales."Thing" ("values", "made") values (2, '2019-01-01');
  `);
  const table = await tableOf();
  expect(table.name).toBe('"sales"."Thing"');
  const { rows } = await database.query<StoredRow>(table.selectRange, [null, null, 10]);
  await database.exec('delete from sales."Thing"');
  const [first, second] = rows;
  const shown = Object.fromEntries(table.members.map((name, at) => [name, first?.values[at]]));
  const expected = Object.fromEntries(
    COLUMNS.map(([name, , , , json]) => [name === 'parent' ? 'parent_id' : name, json]),
  );
  expect(first?.id).toBe('1');
  expect(shown).toMatchObject({
    ...expected,
    long_text: 'x',
    created_at: '2020-01-01T00:00:00.000Z',
  });
  expect(table.members).not.toContain('secret');
  const unrepresentable = Object.fromEntries(
    table.members
      .map((name, at) => [name, first?.unrepresentable[at]] as const)
      .filter(([, text]) => text !== null),
  );
  expect(unrepresentable).toEqual(
    Object.fromEntries(UNREPRESENTABLE.map(([name, , , , text]) => [name, text])),
  );
  // Nulls are null in every type.
  expect(second?.values.filter((value) => value !== null)).toEqual(['2019-01-01T00:00:00.000Z']);
  expect(second?.unrepresentable.filter((text) => text !== null)).toEqual([]);
});

test('ids are in the order of the lists', async () => {
  const table = await tableOf();
  const same = 'x'.repeat(200);
  await database.exec(`
    insert into sales."Thing" ("values", "made", "c_blank", "c_mood", "long_text", "c_padded") values
      (10, '2020-01-03', 'b', 'sad', '${same}b', 'a'), (9, '2020-01-03', 'B', 'glad', '${same}a', null),
      (8, '2020-01-01', 'ä', null, '${same}', 'b');
  `);
  const idsBy = async (sort: string, limit = 10): Promise<string> =>
    (await database.query<{ id: string }>(table.selectIds(sort, limit))).rows
      .map(({ id }) => id)
      .join(' ');
  expect(await idsBy('')).toBe('8 9 10');
  expect(await idsBy('created_at')).toBe('8 9 10');
  expect(await idsBy('-created_at')).toBe('10 9 8');
  // By code points.
  expect(await idsBy('blank')).toBe('9 10 8');
  // By the place in the definition, which is not that in the type of the database.
  expect(await idsBy('mood')).toBe('9 10 8');
  expect(await idsBy('-mood')).toBe('8 10 9');
  expect(await idsBy('padded')).toBe('10 8 9');
  // The first 200 characters count.
  expect(await idsBy('long_text')).toBe('8 9 10');
  expect(await idsBy('blank', 2)).toBe('9 10');
});

test('JSON values are the same whatever the order of members is', () => {
  expect(isSameJson({ a: 1, b: [null, 'x'] }, { b: [null, 'x'], a: 1 })).toBe(true);
  expect(isSameJson(0, -0)).toBe(true);
  for (const [one, other] of [
    [{ a: 1 }, { a: 1, b: null }],
    [{ a: 1, b: null }, { a: 1 }],
    [{ a: undefined }, { b: undefined }],
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [null, {}],
    ['1', 1],
    [null, undefined],
  ]) {
    expect(isSameJson(one, other)).toBe(false);
  }
});

test('ids of several values are in their order, and lead back to the rows', async () => {
  const text = `name: shop
schema: service
collections:
  pages:
    table: page
    history: {}
    key: { fields: [book, word, mood, code] }
    fields:
      book: { type: integer, required: true, immutable: true }
      word: { type: string, required: true, immutable: true, column: the word }
      mood: { type: enum, values: [glad, sad], stored: mood, required: true, immutable: true }
      code: { type: uuid, required: true, immutable: true }
`;
  const parsed = await parseSingleFile(
    { path: 'shop.yaml', bytes: new TextEncoder().encode(text) },
    { fallbackName: 'shop' },
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const [pages] = buildModel(parsed.service).collections;
  const table = storedTable(pages as NonNullable<typeof pages>);
  const code = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
  await database.exec(`
    create table "page" ("code" uuid, "book" smallint, "the word" varchar(9), "mood" mood, primary key ("book", "the word", "mood", "code"));
    insert into "page" select '${code}', "book", "word", "mood"::mood from (values
      (10, 'a', 'sad'), (9, 'a~b', 'sad'), (9, 'a%7Eb', 'sad'), (9, '', 'sad'), (9, '', 'glad'), (-1, '~', 'glad')) as "v" ("book", "word", "mood");
  `);
  // Numbers by their values, enums by their texts.
  const ids = [
    `-1~%7E~glad~${code}`,
    `9~~glad~${code}`,
    `9~~sad~${code}`,
    `9~a%257Eb~sad~${code}`,
    `9~a%7Eb~sad~${code}`,
    `10~a~sad~${code}`,
  ];
  const idsOf = async (sql: string, values?: unknown[]): Promise<string[]> =>
    (await database.query<{ id: string }>(sql, values)).rows.map(({ id }) => id);
  expect(await idsOf(table.selectIds('', 10))).toEqual(ids);
  expect(await idsOf(table.selectRange, [null, null, 10])).toEqual(ids);
  expect(await idsOf(table.selectRange, [ids[1], ids[4], 10])).toEqual(ids.slice(2, 5));
  for (const id of ids) {
    expect(table.isCompositeId(id)).toBe(true);
    expect(await idsOf(table.selectRow, [id])).toEqual([id]);
  }
  expect(table.isCompositeId(`9007199254740991000~a~sad~${code}`)).toBe(true);
  const others = ['', '9', '9~a~sad', `9~a~sad~${code}~`, `x~a~sad~${code}`, '9~a~sad~x'];
  expect(others.filter((id) => table.isCompositeId(id))).toEqual([]);
  const some = [ids[4], ids[0]];
  const { rows } = await database.query(table.selectRevisions, [some, ids[3]]);
  expect(rows).toMatchObject([
    { id: ids[0], isAfter: false },
    { id: ids[4], isAfter: true },
  ]);
});
