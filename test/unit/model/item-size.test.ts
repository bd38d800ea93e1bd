/** The bound of an item's size as JSON, against the largest items that there are. */
import { expect, test } from 'vitest';

import { parseSingleFile } from '../../../src/definition/index.ts';
import { itemSize } from '../../../src/model/largest.ts';
import type { ItemSize } from '../../../src/model/largest.ts';

const OWN = {
  id: '0190f0e4-0000-7000-8000-000000000000',
  created_at: '9999-12-31T23:59:59.999999Z',
  updated_at: '9999-12-31T23:59:59.999999Z',
};

async function sizeOf(...fields: readonly string[]): Promise<ItemSize> {
  const lines = fields.map((field) => `      ${field}\n`).join('');
  const text = `name: sizes\ncollections:\n  things:\n    fields:\n${lines}`;
  const file = { path: 'sizes.yaml', bytes: new TextEncoder().encode(text) };
  const result = await parseSingleFile(file, { fallbackName: 'sizes' });
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('\n'));
  return itemSize(result.service.collections[0]?.fields ?? []);
}

test.each<[string, unknown]>([
  ['{ type: string, max_length: 40 }', '\u0001'.repeat(40)],
  ["{ type: string, pattern: '^97[89][0-9]{10}$' }", '9780060512750'],
  ["{ type: string, pattern: '^.{1,9}$' }", '"'.repeat(9)],
  ['{ type: string, format: hostname }', 'x'.repeat(253)],
  ['{ type: text, max_length: 1000 }', '\u0001'.repeat(1000)],
  ['{ type: enum, values: [a, draft] }', 'draft'],
  ['{ type: integer }', -9_007_199_254_740_991],
  ['{ type: bigint }', '-9223372036854775808'],
  ['{ type: number }', -2.2250738585072014e-308],
  ['{ type: decimal, precision: 20, scale: 2 }', '-123456789012345678.12'],
  ['{ type: boolean }', false],
  ['{ type: date }', '2026-11-22'],
  ['{ type: timestamp }', OWN.created_at],
  ['{ type: uuid }', OWN.id],
  [
    '{ type: list, of: { type: string, max_length: 5 }, max_items: 7 }',
    Array(7).fill('\u0001'.repeat(5)),
  ],
  [
    '{ type: object, properties: { a: { type: integer }, b: { type: boolean } } }',
    { a: -9_007_199_254_740_991, b: false },
  ],
])('no item with a field %s is larger than its bound', async (type, value) => {
  const { largest, unbounded } = await sizeOf(`value: ${type}`);
  expect(unbounded).toEqual([]);
  const bytes = Buffer.byteLength(`${JSON.stringify({ ...OWN, value })},`);
  expect(largest).toBeGreaterThanOrEqual(bytes);
});

test.each([
  '{ type: text }',
  '{ type: string }',
  "{ type: string, pattern: '^a+$' }",
  '{ type: string, format: uri }',
  '{ type: list, of: { type: text } }',
  '{ type: object, properties: { a: { type: text } } }',
  '{ type: json }',
])('the values of a field %s have no bound: what is known is the rest', async (type) => {
  const { largest, unbounded } = await sizeOf(
    'name: { type: string, max_length: 9 }',
    `value: ${type}`,
  );
  expect(unbounded).toEqual(['value']);
  const name = '\u0001'.repeat(9);
  const rest = Buffer.byteLength(`${JSON.stringify({ ...OWN, name, value: null })},`);
  expect(largest).toBeGreaterThanOrEqual(rest - 'null'.length);
  expect(largest).toBeLessThan(rest + 100);
});
