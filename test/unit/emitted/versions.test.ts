/**
 * What the emitted code of versions promises, for random definitions with three of them: what is
 * written through one version and read through another is the same wherever both can tell it, and
 * nothing is lost that a version does not see. The emitted functions run for real.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';

import { parseSingleFile } from '../../../src/definition/index.ts';
import { renderProject } from '../../../src/generate.ts';
import { NPM } from '../../../src/package-manager.ts';
import { lines } from '../definition/support.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
mkdirSync(path.join(ROOT, '.tmp'), { recursive: true });
const place = mkdtempSync(path.join(ROOT, '.tmp/versions-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

type Item = Record<string, unknown>;

/** A version of the one collection, as it is emitted. */
interface Emitted {
  readonly version: number;
  readonly show: (stored: Item) => Item;
  readonly store: (sent: Item, stored?: Item) => Item;
}

/** A field as it is written, and values that it may hold. */
interface Made {
  readonly written: string;
  readonly values: fc.Arbitrary<unknown>;
  /** Older forms of it; `?` stands for a version. */
  readonly olderTypes: readonly string[];
  /** What it has where a version does not have it. */
  readonly initial: string;
}

const micros = (text: string): string => text.padStart(3, '0');
const decimal = (most: number): fc.Arbitrary<string> =>
  fc.integer({ min: -most, max: most }).map((units) => {
    const digits = micros(String(Math.abs(units)));
    const sign = units < 0 ? '-' : '';
    return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  });
const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** Every type whose older forms lose nothing, with those forms. */
const TYPES: readonly Made[] = [
  {
    written: 'type: integer',
    values: fc.maxSafeInteger(),
    olderTypes: [
      '{ type: bigint }',
      '{ type: number }',
      '{ type: string }',
      '{ type: decimal, precision: 20, scale: 3 }',
    ],
    initial: '7',
  },
  {
    written: "type: bigint, minimum: '-5000', maximum: '9000000000000000'",
    values: fc.bigInt({ min: -5000n, max: 9_000_000_000_000_000n }).map(String),
    olderTypes: [
      '{ type: integer }',
      '{ type: number }',
      '{ type: text }',
      '{ type: decimal, precision: 18, scale: 2 }',
    ],
    initial: "'7'",
  },
  {
    written: 'type: decimal, precision: 12, scale: 2',
    values: decimal(999_999_999_999),
    olderTypes: [
      '{ type: number }',
      '{ type: string }',
      '{ type: decimal, precision: 15, scale: 5 }',
    ],
    initial: "'7.50'",
  },
  {
    written: 'type: date',
    values: day,
    olderTypes: ['{ type: timestamp }', '{ type: string }'],
    initial: "'2026-01-31'",
  },
  {
    written: 'type: string, max_length: 40',
    values: fc.string({ maxLength: 40 }),
    olderTypes: ['{ type: text }', '{ type: list, of: { type: string, max_length: 40 } }'],
    initial: 'none',
  },
  {
    written: 'type: list, of: integer, min_items: 1, max_items: 1',
    values: fc.tuple(fc.maxSafeInteger()),
    olderTypes: ['{ type: integer }'],
    initial: '[7]',
  },
  {
    written:
      'type: enum, values: [a, b, { value: c, since: 3, as: a }, { value: d, since: 2, as: b }]',
    values: fc.constantFrom('a', 'b', 'c', 'd'),
    olderTypes: ['{ type: enum, values: { a: x, b: y, d: z } }'],
    initial: 'a',
  },
  {
    written:
      'type: enum, values: [a, { value: b, until: 1, as: a }, { value: c, until: 2, as: a }]',
    values: fc.constantFrom('a', 'b', 'c'),
    olderTypes: [],
    initial: 'a',
  },
  { written: 'type: boolean', values: fc.boolean(), olderTypes: [], initial: 'true' },
  { written: 'type: json', values: fc.constant({ deep: [1, null] }), olderTypes: [], initial: '1' },
];

const field = fc.record({
  type: fc.constantFrom(...TYPES),
  older: fc.option(fc.nat(), { nil: undefined }),
  upTo: fc.integer({ min: 1, max: 2 }),
  span: fc.constantFrom('', 'since: 2', 'since: 3', 'until: 1', 'until: 2'),
  renamed: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
  required: fc.boolean(),
  // What clients never read is not in what they send back: tests of emitted services tell of it.
  kind: fc.constantFrom('', '', 'read_only: true', 'immutable: true'),
});

type Field = typeof field extends fc.Arbitrary<infer T> ? T : never;

const last = (since: string): number => (since.startsWith('since') ? Number(since.at(-1)) : 1);

/** A field in YAML. */
function written(one: Field, at: number): string {
  const { type, older, upTo, span, renamed, required, kind } = one;
  const form = older === undefined ? undefined : type.olderTypes[older % type.olderTypes.length];
  const hasForm = form !== undefined && upTo >= last(span);
  const hasName = renamed !== undefined && renamed >= last(span);
  const parts = [
    type.written,
    ...(required ? [`required: true, default: ${type.initial}`] : []),
    ...(span === '' ? [] : [span]),
    ...(hasForm ? [`type_in: { ${upTo}: ${form} }`] : []),
    ...(hasName ? [`name_in: { ${renamed}: old_${at} }`] : []),
    ...(kind === '' ? [] : [kind]),
  ];
  return `      field_${at}: { ${parts.join(', ')} }`;
}

/** A collection with fields at random, and its versions that are not just what is stored. */
interface Sample {
  readonly fields: readonly Field[];
  readonly versions: readonly Emitted[];
}

/** Emits one service of all collections, so that what they share is loaded once. */
async function emit(collections: readonly (readonly Field[])[]): Promise<readonly Sample[]> {
  const parts = collections.map(
    (fields, at) =>
      `  things_${at}:\n    fields:\n      title: { type: string }\n${fields.map(written).join('\n')}\n`,
  );
  const yaml = `versions: [1, 2, 3]\ncollections:\n${parts.join('')}`;
  const definitions = await parseSingleFile(
    { path: 'things.yaml', bytes: new TextEncoder().encode(yaml) },
    { fallbackName: 'things' },
  );
  if (!definitions.ok) throw new Error(`${lines(definitions).join('\n')}\n${yaml}`);
  const files = await renderProject(definitions, { tool: '0.0.0', manager: NPM });
  for (const { path: file, text } of files.filter(({ path: one }) => one.startsWith('src/'))) {
    mkdirSync(path.dirname(path.join(place, file)), { recursive: true });
    writeFileSync(path.join(place, file), text);
  }
  return Promise.all(
    collections.map(async (fields, at): Promise<Sample> => {
      const folder = `src/collections/things-${at}`;
      const versions = [1, 2, 3].filter((version) =>
        files.some(({ path: file }) => file === `${folder}/v${version}.ts`),
      );
      const load = async (version: number): Promise<Emitted> => {
        const module = (await import(
          /* @vite-ignore */ path.join(place, folder, `v${version}.ts`)
        )) as Record<string, unknown>;
        return {
          version,
          show: module[`thing${at}ToV${version}`] as Emitted['show'],
          store: module[`thing${at}FromV${version}`] as Emitted['store'],
        };
      };
      return { fields, versions: await Promise.all(versions.map(load)) };
    }),
  );
}

/** An item as it is stored. */
const itemOf = (fields: readonly Field[]): fc.Arbitrary<Item> =>
  fc
    .tuple(
      fc.string(),
      ...fields.map(({ type, required }) =>
        required ? type.values : fc.option(type.values, { nil: null }),
      ),
    )
    .map(([title, ...values]) => ({
      id: '01890a5d-ac96-774b-bcce-b302099a8057',
      title,
      ...Object.fromEntries(values.map((value, at) => [`field_${at}`, value])),
      created_at: '2026-01-31T12:00:00.000Z',
      updated_at: '2026-01-31T12:00:00.000Z',
    }));

const valuesOf = ({ id: _id, created_at: _made, updated_at: _changed, ...values }: Item): Item =>
  values;

const SAMPLES = await emit(fc.sample(fc.array(field, { minLength: 3, maxLength: 7 }), 15));

test('all of these differ from what is stored', () => {
  expect(SAMPLES.filter(({ versions }) => versions.length > 0).length).toBeGreaterThan(10);
});

test.each(SAMPLES.map((sample, at) => [at, sample] as const))(
  'things %i: what a version does not see it does not change, and what it writes it reads',
  (_at, { fields, versions }) => {
    fc.assert(
      fc.property(itemOf(fields), itemOf(fields), (one, other) => {
        for (const { show, store } of versions) {
          const same = store({ ...one, ...show(one) }, one);
          expect(same).toEqual(valuesOf(one));
          const stored = { ...one, ...store({ ...other, ...show(other) }, one) };
          expect(writable(show(stored), fields)).toEqual(writable(show(other), fields));
        }
        const told = toldByAll(fields).flatMap((at) => [`field_${at}`, `old_${at}`]);
        for (const writer of versions) {
          const through = { ...one, ...writer.store({ ...other, ...writer.show(other) }, one) };
          for (const { show } of versions) {
            const [read, direct] = [show(through), show(other)];
            for (const name of told) expect(read[name]).toEqual(direct[name]);
          }
        }
      }),
      { numRuns: 40 },
    );
  },
);

/** Without the members that only the service writes. */
const writable = (item: Item, fields: readonly Field[]): Item => {
  const readOnly = fields.flatMap(({ kind }, at) =>
    kind === 'read_only: true' ? [`field_${at}`, `old_${at}`] : [],
  );
  return Object.fromEntries(Object.entries(item).filter(([name]) => !readOnly.includes(name)));
};

/** Fields that every version has, writes, and can tell. */
const toldByAll = (fields: readonly Field[]): number[] =>
  fields.flatMap(({ span, kind, type }, at) =>
    span === '' && kind !== 'read_only: true' && !type.written.includes('as:') ? [at] : [],
  );
