/** The bound of an item's size as JSON, against the largest items that there are. */
import { expect, test } from 'vitest';

import { BUILT_IN_TIMES } from '../../../src/shared/built-in-members.ts';
import { itemSize } from '../../../src/model/item-size.ts';
import type { ItemSize } from '../../../src/model/item-size.ts';
import type { Model } from '../../../src/model/types.ts';
import { initialSql, modelOf } from '../migration/support.ts';
import { emptyDatabase } from '../../support/pglite.ts';

const OWN = {
  id: '0190f0e4-0000-7000-8000-000000000000',
  created_at: '9999-12-31T23:59:59.999999Z',
  updated_at: '9999-12-31T23:59:59.999999Z',
};

/** Types with a bound, each with its largest value. */
const BOUNDED: readonly [type: string, value: unknown][] = [
  ['{ type: string, max_length: 40 }', '\u0001'.repeat(40)],
  ["{ type: string, max_length: 40, pattern: '^a+$' }", 'a'.repeat(40)],
  ['{ type: string, max_length: 90, format: email }', 'x'.repeat(90)],
  ['{ type: text, max_length: 1000 }', '\u0001'.repeat(1000)],
  ['{ type: enum, values: [a, draft] }', 'draft'],
  ['{ type: integer }', -9_007_199_254_740_991],
  ['{ type: bigint }', '-9223372036854775808'],
  ['{ type: number }', -2.2250738585072014e-308],
  ['{ type: decimal, precision: 20, scale: 2 }', '-123456789012345678.12'],
  ['{ type: boolean }', false],
  ['{ type: date }', '2026-11-22'],
  ['{ type: timestamp }', OWN.created_at],
  ['{ type: time }', '23:59:59.999999'],
  ['{ type: duration }', 'PT2399999H59M59.999999S'],
  ['{ type: ip }', 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128'],
  ['{ type: bytes, max_bytes: 40 }', Buffer.alloc(40).toString('base64')],
  ['{ type: uuid }', OWN.id],
];

/** Types whose values the database does not bound, whatever the service does. */
const UNBOUNDED: readonly string[] = [
  '{ type: text }',
  '{ type: string }',
  "{ type: string, pattern: '^97[89][0-9]{10}$' }",
  '{ type: string, format: hostname }',
  '{ type: list, of: { type: integer }, max_items: 7 }',
  '{ type: object, properties: { a: { type: integer } } }',
  '{ type: json }',
  '{ type: bytes }',
];

/** A collection with a table of its own. */
const PLAIN = { key: 'uuid', times: BUILT_IN_TIMES } as const;

/** A model of one collection, whose fields `v0`, `v1`, … have these types. */
const thingsOf = (...types: readonly string[]): Promise<Model> =>
  modelOf(`things:\n  fields:${types.map((type, at) => `\n    v${at}: ${type}`).join('')}`);

const sizeOf = ({ collections: [things] }: Model): ItemSize =>
  itemSize(things?.definition ?? PLAIN, things?.definition.fields ?? []);

test.each(BOUNDED)('no item with a field %s is larger than its bound', async (type, v0) => {
  const { largest, unbounded } = sizeOf(await thingsOf(type));
  expect(unbounded).toEqual([]);
  const bytes = Buffer.byteLength(`${JSON.stringify({ ...OWN, v0 })},`);
  expect(largest).toBeGreaterThanOrEqual(bytes);
});

test('no item with many empty fields is larger than its bound, however short their values are', async () => {
  const types = Array.from({ length: 200 }, () => '{ type: enum, values: [a] }');
  const { largest } = sizeOf(await thingsOf(...types));
  const empty = Object.fromEntries(types.map((_type, at) => [`v${at}`, null]));
  expect(largest).toBeGreaterThanOrEqual(
    Buffer.byteLength(`${JSON.stringify({ ...OWN, ...empty })},`),
  );
});

test.each(UNBOUNDED)('a field %s has no bound: what is known is the rest', async (type) => {
  const short = '{ type: string, max_length: 9 }';
  const { largest, unbounded } = sizeOf(await thingsOf(short, type));
  expect(unbounded).toEqual(['v1']);
  const v0 = '\u0001'.repeat(9);
  const rest = Buffer.byteLength(`${JSON.stringify({ ...OWN, v0, v1: null })},`) - 'null'.length;
  expect(largest).toBeGreaterThanOrEqual(rest);
  expect(largest).toBeLessThan(rest + 100);
});

test.each([
  ['integer', '-2147483648'],
  ['bigint', '-9223372036854775808'],
] as const)('the bound has that of ids of the key %s', (key, id) => {
  const difference = itemSize(PLAIN, []).largest - itemSize({ ...PLAIN, key }, []).largest;
  expect(difference).toBe(OWN.id.length - id.length);
});

test('the database refuses 100,000 characters in a column that has a bound', async () => {
  const types = [...BOUNDED.map(([type]) => type), ...UNBOUNDED];
  const model = await thingsOf(...types);
  const database = await emptyDatabase();
  await database.exec(await initialSql(model));
  /** Whether SQL can store this text in a column, as whatever type it has. */
  const isStored = (column: string, text: string): Promise<boolean> =>
    database
      .exec(
        `do $$ declare v "things"."${column}"%type := ${text}; begin
          insert into "things" ("id", "${column}") values (gen_random_uuid(), v); end $$`,
      )
      .then(
        () => true,
        () => false,
      );
  const stored: string[] = [];
  for (const column of types.map((_type, at) => `v${at}`)) {
    const texts = ["repeat('x', 100000)", "repeat('9', 100000)"];
    for (const text of texts) if (await isStored(column, text)) stored.push(column);
  }
  const { unbounded } = sizeOf(model);
  expect([...new Set(stored)].toSorted()).toEqual([...unbounded].toSorted());
});

test('texts of an existing table have no bound: nothing holds the table to the limits of the definition', async () => {
  const fields = 'a: { type: string, max_length: 9 }, b: { type: integer }';
  const { collections } = await modelOf(
    `things: { table: thing, history: {}, fields: { ${fields} } }`,
  );
  const [things] = collections;
  if (things === undefined) throw new Error('no collection');
  const { largest, unbounded } = itemSize(things.definition, things.definition.fields);
  expect(unbounded).toEqual(['a']);
  const bytes = Buffer.byteLength(JSON.stringify({ id: OWN.id, a: null, b: -(2 ** 53) })) + 1;
  expect(largest).toBeGreaterThanOrEqual(bytes - 'null'.length);
  expect(largest).toBeLessThan(bytes + 20);
});
