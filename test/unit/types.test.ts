/** What holds for every field type, each with several choices of its options. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { olderFormFor } from '../../src/definition/versions/older-form.ts';
import { conversionOf } from '../../src/migration/conversion.ts';
import { isWiderCheck } from '../../src/migration/wider-check.ts';
import { Issues } from '../../src/reading/issues.ts';
import type { Entry, Tree } from '../../src/reading/tree.ts';
import type { JsonObject, JsonValue } from '../../src/shared/json.ts';
import { exampleValues } from '../../src/types/example-values.ts';
import { TEST_MODULES, TYPE_MODULES, TYPE_NAMES, specOf } from '../../src/types/registry.ts';
import type { FieldType, PropertyType, ScalarType, TypeName } from '../../src/types/registry.ts';

const AT = { file: 'shop.yaml', line: 1, column: 1 };

const SCALARS: readonly ScalarType[] = [
  { type: 'string' },
  { type: 'string', minLength: 2, maxLength: 12 },
  { type: 'string', pattern: '^[a-z]{3}[0-9]{2}$' },
  { type: 'string', format: 'email' },
  { type: 'text' },
  { type: 'text', maxLength: 8 },
  { type: 'integer' },
  { type: 'integer', minimum: -3, maximum: 40 },
  { type: 'bigint' },
  { type: 'bigint', minimum: '9007199254740993' },
  { type: 'number' },
  { type: 'number', minimum: 0.5, maximum: 90 },
  { type: 'decimal', precision: 10, scale: 2 },
  { type: 'decimal', precision: 4, scale: 0, maximum: '-5' },
  { type: 'decimal', precision: 3, scale: 3 },
  { type: 'boolean' },
  { type: 'date' },
  { type: 'date', minimum: '2026-12-31' },
  { type: 'timestamp' },
  { type: 'timestamp', minimum: '2027-01-01T00:00:00.000Z', maximum: '2027-01-02T00:00:00.500Z' },
  { type: 'time' },
  { type: 'time', minimum: '12:00:00', maximum: '12:00:00.000005' },
  { type: 'time', minimum: '23:59:59.999999' },
  { type: 'duration' },
  { type: 'duration', minimum: 'PT1H30M', maximum: 'PT2H' },
  { type: 'duration', maximum: 'PT0.000003S' },
  { type: 'uuid' },
  { type: 'ip' },
  { type: 'bytes' },
  { type: 'bytes', maxBytes: 1 },
  { type: 'bytes', maxBytes: 20 },
  { type: 'enum', values: ['draft', 'published', 'unknown'] },
];

const list = (of: ScalarType, uniqueItems = false): PropertyType => ({
  type: 'list',
  of,
  uniqueItems,
  maxItems: 5,
});

const TYPES: readonly PropertyType[] = [
  ...SCALARS,
  ...SCALARS.map((of) => list(of)),
  { type: 'list', of: { type: 'duration' }, uniqueItems: true, minItems: 2 },
  {
    type: 'object',
    properties: SCALARS.map((type, at) => ({
      name: `p${at}`,
      type,
      required: at % 2 === 0,
      at: AT,
    })),
  },
  { type: 'json' },
];

const named = TYPES.map((type) => [JSON.stringify(type).slice(0, 90), type] as const);

/** A value of JSON as the reader of definitions has it. */
function treeOf(value: JsonValue): Tree {
  if (Array.isArray(value)) {
    return { kind: 'list', at: AT, items: value.map((item: JsonValue) => treeOf(item)) };
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, part]): Entry => ({
      name,
      at: AT,
      value: treeOf(part),
    }));
    return { kind: 'map', at: AT, entries };
  }
  const source = String(value);
  // Integers beyond the safe range are read exactly.
  const isUnsafe =
    typeof value === 'number' && /^-?\d+$/.test(source) && !Number.isSafeInteger(value);
  return { kind: 'scalar', at: AT, value: isUnsafe ? BigInt(source) : value, source };
}

/** What a definition reads for a value of a field; undefined where it is refused. */
const read = (type: FieldType, value: JsonValue): JsonValue | undefined =>
  specOf(type).readValue(type, treeOf(value), 'default', new Issues());

const examplesOf = (type: PropertyType): JsonValue[] =>
  exampleValues(specOf, { name: 'member', type });

/** An hour later, with an offset of an hour. */
function withOffset(timestamp: string): string {
  const later = new Date(Date.parse(timestamp) + 3_600_000).toISOString().slice(0, 19);
  return `${later}${timestamp.slice(19, -1)}+01:00`;
}

/** Another spelling of a canonical text, for types whose values have several. */
const SPELLINGS: Partial<Record<TypeName, (value: string) => string>> = {
  decimal: (value) => (value.includes('.') ? value.replace(/\.?0*$/, '') : value),
  timestamp: withOffset,
  time: (value) => (value.includes('.') ? `${value}0` : `${value}.0`),
  duration: (value) => value.replace('PT', 'P0DT'),
  uuid: (value) => value.toUpperCase(),
  ip: (value) => value.toUpperCase(),
};

function respell(type: FieldType, value: JsonValue): JsonValue {
  if (type.type === 'list') {
    return (value as readonly JsonValue[]).map((item) => respell(type.of, item));
  }
  if (type.type === 'object') {
    const members = Object.entries(value as JsonObject).map(([name, part]) => {
      const property = type.properties.find((one) => one.name === name);
      return [name, property === undefined ? part : respell(property.type, part)] as const;
    });
    return Object.fromEntries(members);
  }
  return typeof value === 'string' ? (SPELLINGS[type.type]?.(value) ?? value) : value;
}

test('each type is in the list', () => {
  const tried = new Set<string>([...TYPES.map(({ type }) => type), 'reference']);
  expect([...tried].toSorted()).toEqual([...TYPE_NAMES].toSorted());
});

describe.each(named)('%s', (_, type) => {
  test('takes its own examples, each in the form in which it is answered', () => {
    const values = examplesOf(type);
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(read(type, value)).toStrictEqual(value);
  });

  test('takes what is just within its limits', () => {
    const values = specOf(type)
      .accepted(type)
      .map(([, value]) => value);
    expect(values.map((value) => read(type, value))).toStrictEqual(values);
  });

  test('has different values in the order of its comparison', () => {
    const spec = specOf(type);
    const found = spec.values(type, 20, { name: 'member' });
    expect(new Set(found.map((value) => JSON.stringify(value))).size).toBe(found.length);
    const compare = spec.compare ?? ((one, other) => (one === other ? 0 : -1));
    const values = found as (string | number)[];
    const [least = 0, ...rest] = values.toSorted(compare);
    expect(values.map((one) => compare(one, one))).toEqual(values.map(() => 0));
    expect(rest.filter((one) => compare(least, one) >= 0)).toEqual([]);
  });

  test('reads another spelling as the same value', () => {
    const values = examplesOf(type);
    const respelled = values.map((value) => respell(type, value));
    expect(respelled.map((value) => read(type, value))).toStrictEqual(values);
  });

  test('is converted to itself by leaving values as they are', () => {
    expect(conversionOf(type, structuredClone(type))).toMatchObject({
      isIdentity: true,
      isWider: true,
    });
    expect(isWiderCheck(type, structuredClone(type))).toBe(true);
    expect(olderFormFor(type, structuredClone(type))).toEqual({
      type,
      conversion: { kind: 'same' },
    });
  });

  test('is converted to each other type, or to none, without an error', () => {
    for (const other of TYPES) {
      const conversion = conversionOf(type, other);
      const sql = conversion?.sql('"v"') ?? '';
      expect([other, sql]).toEqual([other, expect.stringMatching(/^$|"v"/)]);
      expect([other, conversion?.isIdentity === true]).toEqual([other, sql === '"v"']);
      expect(olderFormFor(type, other)).toHaveProperty('conversion.kind');
      expect([true, false]).toContain(isWiderCheck(type, other));
    }
  });
});

// Boundary values that no JSON parser yields as such are for the emitted service alone.
describe.each(named.filter(([, { type }]) => !['object', 'list', 'json'].includes(type)))(
  '%s',
  (_, type) => {
    test('refuses what is just beyond its limits', () => {
      const [sample] = examplesOf(type);
      for (const [why, value] of specOf(type).refused(type, sample)) {
        expect([why, read(type, value)]).toEqual([why, undefined]);
      }
    });
  },
);

test.each([
  ...[...TYPE_MODULES].map(([file, names]) => [`src/platform/http/${file}.ts`, names] as const),
  ...[...TEST_MODULES].map(([file, names]) => [`test/support/${file}.ts`, names] as const),
])('%s is a template, and exports %j', (file, names) => {
  const path = new URL(`../../templates/service/${file}`, import.meta.url);
  expect(existsSync(path)).toBe(true);
  const text = readFileSync(path, 'utf8');
  for (const name of names) {
    expect(text).toMatch(new RegExp(String.raw`^export (?:const|function) ${name}\b`, 'm'));
  }
});

test.each(TYPE_NAMES)(
  '%s has all that lists need, if they can be sorted and filtered by it',
  (name) => {
    const spec = specOf<FieldType>({ type: name } as FieldType);
    const has = [spec.filter !== undefined, spec.listTests !== undefined];
    expect(has).toEqual([spec.isComparable, spec.isComparable]);
  },
);

const HTTP = 'src/platform/http/';
const exportsOf = (file: string): string[] =>
  Array.from(
    readFileSync(new URL(`../../templates/service/${file}`, import.meta.url), 'utf8').matchAll(
      /^export (?:(?:const|function) (\w+)|\{ ([\w, ]+) \})/gm,
    ),
    ([, name, several]) => name ?? several ?? '',
  ).flatMap((names) => names.split(', '));

const EMITTED = new Set([
  ...['shapes.ts', 'filters.ts', 'conversions.ts'].flatMap((file) => exportsOf(HTTP + file)),
  ...exportsOf('src/platform/database/json.ts'),
  ...[...TYPE_MODULES.values()].flat(),
]);

test.each(named)('emitted code of %s calls only what is exported', (_, type) => {
  const spec = specOf(type);
  const codes = [
    spec.shape(type),
    spec.filter?.(type),
    spec.asText?.(type),
    spec.parameterCode?.('values.it'),
  ];
  const uses = codes.flatMap((code) => code?.uses ?? []);
  expect(uses.length).toBeGreaterThan(0);
  expect(uses.filter((name) => !EMITTED.has(name))).toEqual([]);
});

test('the service that is emitted and booted for real has every type', () => {
  const folder = new URL('../definitions/everything/collections/', import.meta.url);
  const text = readdirSync(folder)
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n');
  const missing = TYPE_NAMES.filter((name) => !new RegExp(`type: ${name}\\b`).test(text));
  expect(missing).toEqual([]);
});
