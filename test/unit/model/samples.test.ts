/** Example values: whatever a type asks for, they are such; what it refuses, they are not. */
import { describe, expect, test } from 'vitest';

import { hasFormat } from '../../../src/types/formats.ts';
import { parseSingleFile } from '../../../src/definition/index.ts';
import type { Field } from '../../../src/definition/types.ts';
import type { FieldType } from '../../../src/types/registry.ts';
import { buildModel } from '../../../src/model/build.ts';
import { acceptedFieldValues, refusedFieldValues } from '../../../src/model/boundary-values.ts';
import { listSamples } from '../../../src/model/samples-lists.ts';
import { matchingTexts } from '../../../src/types/pattern-samples.ts';
import { differentTexts } from '../../../src/types/text-samples.ts';
import { differentValues } from '../../../src/types/example-values.ts';
import { specOf } from '../../../src/types/registry.ts';
import { answeredValue } from '../../../src/types/member-code.ts';
import { samplesOf } from '../../../src/model/samples.ts';
import type { Model } from '../../../src/model/types.ts';

const always = (): boolean => true;
const at = { file: 'x.yaml', line: 1, column: 1 };

const field = (name: string, type: FieldType, more: Partial<Field> = {}): Field => ({
  name,
  type,
  required: false,
  unique: false,
  readOnly: false,
  writeOnly: false,
  immutable: false,
  at,
  ...more,
});

async function modelOf(yaml: string): Promise<Model> {
  const bytes = new TextEncoder().encode(`name: sample\ncollections:\n${yaml}`);
  const result = await parseSingleFile({ path: 'x.yaml', bytes }, { fallbackName: 'sample' });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return buildModel(result.service);
}

describe('texts that match a pattern', () => {
  test.each([
    ['^97[89][0-9]{10}$', 40],
    ['^[A-Z]{2}$', 40],
    ['^(?:AB|CD)-(?<year>[12][0-9]{3})-[a-f]{2}\\d*$', 40],
    ['^(a|b|c)\\1$', 3],
    ['^\\p{Script=Greek}+$', 40],
    ['^(?=.*[A-Z])(?=.*[0-9]).{8,}$', 40],
    ['^(?!foo)[a-z]{3}$', 40],
    ['(?<=x)y', 1],
    ['^a(?=b)', 1],
    ['^[\\u4e00-\\u9fff]{2,4}$', 40],
    ['^[^a-zA-Z0-9]{3}$', 40],
    ['\\bword\\b', 1],
    ['^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$', 40],
    ['^[1-9][0-9]{0,6}$', 40],
    ['^x{3,5}$', 3],
    ['', 1],
  ])('%s', (pattern, least) => {
    const texts = matchingTexts(pattern, 40, always);
    expect(texts.length).toBeGreaterThanOrEqual(least);
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(text).toMatch(new RegExp(pattern, 'u'));
    expect(matchingTexts(pattern, 40, always)).toEqual(texts);
  });

  test('a length may be asked for as well', () => {
    const type = { type: 'string', pattern: '[a-z]', minLength: 30, maxLength: 32 } as const;
    const texts = differentTexts(type, 5, 'name');
    expect(texts).toHaveLength(5);
    for (const text of texts) expect(text).toMatch(/^.{30,32}$/u);
  });

  test('nothing is found for a pattern that nothing matches', async () => {
    const model = await modelOf(
      `  things:\n    fields:\n      code: { type: string, required: true, pattern: '^a(?=b)c$' }\n`,
    );
    expect(samplesOf(model).get('things')?.obstacle).toMatchObject({ kind: 'no-sample' });
  });

  test('an example of the definition comes first', async () => {
    const model = await modelOf(
      `  things:\n    fields:\n      code: { type: string, required: true, pattern: '^a(?=b)c$|^Q7$', example: Q7 }\n`,
    );
    expect(samplesOf(model).get('things')?.members).toMatchObject([{ kind: 'value', value: 'Q7' }]);
  });
});

test.each(['email', 'uri', 'hostname', 'ipv4', 'ipv6', 'slug'] as const)(
  'texts of the format %s',
  (format) => {
    const texts = differentTexts({ type: 'string', format, maxLength: 40 }, 40, 'name');
    expect(texts).toHaveLength(40);
    for (const text of texts) expect(hasFormat(text, format)).toBe(true);
  },
);

describe('values', () => {
  test.each<
    [
      FieldType & {
        type: 'integer' | 'bigint' | 'decimal' | 'number' | 'boolean' | 'date' | 'timestamp';
      },
      number,
    ]
  >([
    [{ type: 'integer', minimum: 3, maximum: 5 }, 3],
    [{ type: 'integer', minimum: -2, maximum: -1 }, 2],
    [{ type: 'bigint', minimum: '9223372036854775806' }, 2],
    [{ type: 'decimal', precision: 3, scale: 3, maximum: '-0.998' }, 2],
    [{ type: 'number', minimum: 0, maximum: 1 }, 10],
    [{ type: 'boolean' }, 2],
    [{ type: 'date', minimum: '9999-12-30' }, 2],
    [{ type: 'timestamp', minimum: '9999-12-31T23:59:59.000Z' }, 1],
  ])('%o has as many as there are', (type, count) => {
    const values = differentValues(specOf, type, 10, { name: 'x' });
    expect(values.length).toBeGreaterThanOrEqual(count);
    expect(new Set(values).size).toBe(values.length);
  });

  test('an object is answered with all of its members', () => {
    const properties = [
      { name: 'a', type: { type: 'integer' }, required: false, default: 7, at },
      { name: 'b', type: { type: 'boolean' }, required: false, at },
    ] as const;
    expect(answeredValue({ type: 'object', properties }, {})).toEqual({ a: 7, b: null });
  });
});

describe('limits', () => {
  test('a bound is taken, and what lies beyond is refused', () => {
    const bounded = field('n', { type: 'integer', minimum: 1, maximum: 5 });
    expect(acceptedFieldValues(bounded).map(({ value }) => value)).toEqual([1, 5]);
    expect(refusedFieldValues(bounded).map(({ value }) => value)).toEqual(['1', 1.5, true, 0, 6]);
  });

  test('a microsecond before a time is another time', () => {
    const bounded = field('t', { type: 'timestamp', minimum: '2000-01-01T00:00:00.000Z' });
    expect(refusedFieldValues(bounded)).toContainEqual({
      member: 't',
      why: 'too early',
      value: '1999-12-31T23:59:59.999999Z',
    });
  });
});

describe('items', () => {
  test('unique values bound how many there can be', async () => {
    const model = await modelOf(`  seats:
    fields:
      row: { type: enum, values: [front, back], required: true }
      place: { type: enum, values: [left, middle, right], required: true }
    unique: [[row, place]]
  switches:
    fields:
      on: { type: boolean, required: true, unique: true }
  names:
    fields:
      name: { type: string, required: true, unique: true }
`);
    const capacities = [...samplesOf(model).values()].map(({ collection, capacity }) => [
      collection.definition.name,
      capacity,
    ]);
    expect(Object.fromEntries(capacities)).toEqual({ seats: 6, switches: 2, names: 40 });
  });

  test('those that need a user can be made, and so can those that need these', async () => {
    const model = await modelOf(`  notes:
    fields:
      owner_id: { type: reference, to: users, required: true }
  comments:
    fields:
      note_id: { type: reference, to: notes, required: true }
  lines:
    fields:
      author_id: { type: reference, to: users }
`);
    const made = [...samplesOf(model).values()]
      .filter(({ obstacle }) => obstacle === undefined)
      .map(({ collection }) => collection.definition.name);
    expect(made).toEqual(['notes', 'comments', 'lines']);
  });

  test('those of a list differ, with equals and with nothing among them', async () => {
    const model = await modelOf(`  books:
    fields:
      title: { type: string, required: true }
      pages: { type: integer }
      isbn: { type: string, required: true, unique: true }
    sort: [title, pages, isbn]
`);
    const all = samplesOf(model);
    const samples = all.get('books');
    if (samples === undefined) throw new Error('no samples');
    const { items } = listSamples(samples, all);
    const column = (name: string): string[] => items.map((item) => JSON.stringify(item.get(name)));
    expect(items).toHaveLength(8);
    expect(new Set(column('isbn')).size).toBe(8);
    expect(column('pages')).toContain('{"kind":"value","value":null}');
    for (const name of ['title', 'pages']) {
      const different = new Set(column(name)).size;
      expect(different).toBeGreaterThan(2);
      expect(different).toBeLessThan(8);
    }
  });
});

test.each([
  ['that bodies leave out', 'isbn: { type: string, unique: true }'],
  ['that the service sets', 'isbn: { type: string, unique: true, set_by: service }'],
])('a list of items with a unique member %s is as long as others', async (_which, unique) => {
  const model = await modelOf(
    `  books: { fields: { title: { type: string, required: true }, ${unique} }, sort: [title] }`,
  );
  const all = samplesOf(model);
  const samples = all.get('books');
  if (samples === undefined) throw new Error('no samples');
  expect(listSamples(samples, all).items).toHaveLength(8);
});

test.each([
  ['last > first', (first: number, last: number) => last > first],
  ['first > 5', (first: number) => first > 5],
])('unique members keep the check %s, or are an obstacle', async (rule, holds) => {
  const unique = '{ type: integer, required: true, unique: true }';
  const model = await modelOf(
    `  spans: { fields: { first: ${unique}, last: ${unique} }, checks: { c: { rule: '${rule}' } } }`,
  );
  const { members = [], obstacle } = samplesOf(model).get('spans') ?? {};
  const series = members.flatMap((member) => (member.kind === 'series' ? [member.values] : []));
  expect(series).toHaveLength(2);
  const [first = [], last = []] = series;
  const isKept = first.every((value, n) => holds(value as number, last[n] as number));
  expect(isKept || obstacle !== undefined).toBe(true);
});
