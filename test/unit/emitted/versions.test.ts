/**
 * What the emitted code of versions promises, for random definitions with three of them: what is
 * written through one version and read through another is the same wherever both can tell it, what a
 * version shows is a body that it takes, and nothing is lost that a version does not see. The emitted
 * functions run for real.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import fc from 'fast-check';
import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, describe, expect, test } from 'vitest';

import { parseSingleFile } from '../../../src/definition/index.ts';
import { renderProject } from '../../../src/project/render-project.ts';
import { NPM } from '../../../src/shared/package-manager.ts';
import {
  convertible,
  decimalOfInteger,
  longerText,
  textOfDecimal,
  textOfInteger,
  textOfUuid,
} from '../../../templates/service/src/platform/http/conversions.ts';
import type { Conversion } from '../../../templates/service/src/platform/http/conversions.ts';
import * as numbers from '../../../templates/service/src/platform/http/exact-numbers.ts';
import * as shapes from '../../../templates/service/src/platform/http/shapes.ts';
import type * as Validation from '../../../templates/service/src/platform/http/validation.ts';
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
  /** What is wrong with a body, by member; `take` also gives the others their whole meaning. */
  readonly take: (body: Item) => { readonly problems: readonly string[]; readonly sent: Item };
}

/** A field as it is written, and values that it may hold. */
interface Made {
  readonly written: string;
  readonly values: fc.Arbitrary<unknown>;
  /** Older forms of it; `?` stands for a version. */
  readonly olderTypes: readonly string[];
  /** The older form in version 2, if it differs from that in version 1. */
  readonly typeIn2?: string;
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

/** Names of members in older versions: some are those of every object or of every list. */
const OLDER_NAMES = [
  'constructor',
  'to_string',
  'length',
  'value_of',
  'map',
  'has_own_property',
  'keys',
];

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
    olderTypes: ['{ type: enum, values: { a: x, b: y } }'],
    typeIn2: '{ type: enum, values: { a: x, b: y, d: z } }',
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

/** Values of an enum say themselves which versions have them. */
const spanOf = ({ type, span }: Field): string => (type.written.includes('as:') ? '' : span);

/** Whether a version has a field. */
function isIn(span: string, version: number): boolean {
  const limit = Number(span.at(-1));
  return span === '' || (span.startsWith('since') ? version >= limit : version <= limit);
}

/** The older forms in YAML. @param form2 that of version 2, if it differs from that of version 1. */
const typeIn = (form: string, upTo: number, form2: string | undefined): string =>
  form2 === undefined || upTo === 1 ? `{ ${upTo}: ${form} }` : `{ 1: ${form}, 2: ${form2} }`;

/** A field in YAML. */
function written(one: Field, at: number): string {
  const { type, older, upTo, renamed, required, kind } = one;
  const span = spanOf(one);
  const form = older === undefined ? undefined : type.olderTypes[older % type.olderTypes.length];
  const hasForm = form !== undefined && isIn(span, upTo);
  const hasName = renamed !== undefined && isIn(span, renamed);
  const parts = [
    type.written,
    ...(required ? [`required: true, default: ${type.initial}`] : []),
    ...(span === '' ? [] : [span]),
    ...(hasForm ? [`type_in: ${typeIn(form, upTo, type.typeIn2)}`] : []),
    ...(hasName ? [`name_in: { ${renamed}: ${OLDER_NAMES[at]} }`] : []),
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
  const http = path.join(place, 'src/platform/http');
  const { validator } = (await import(
    /* @vite-ignore */ path.join(http, 'validation.ts')
  )) as typeof Validation;
  const { completeMembers } = (await import(
    /* @vite-ignore */ path.join(http, 'shapes.ts')
  )) as typeof shapes;
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
          take: (body) => {
            const shape = module[`Thing${at}V${version}Body`] as TObject;
            return {
              problems: validator(shape)(body).map(({ name, text }) => `${name} ${text}`),
              sent: { ...body, ...completeMembers(shape, body) },
            };
          },
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
        for (const { show, store, take } of versions) {
          const same = store({ ...one, ...show(one) }, one);
          expect(same).toEqual(valuesOf(one));
          const { problems, sent } = take(writable(valuesOf(show(one)), fields));
          expect(problems).toEqual([]);
          expect(store({ ...one, ...show(one), ...sent }, one)).toEqual(valuesOf(one));
          const stored = { ...one, ...store({ ...other, ...show(other) }, one) };
          expect(writable(show(stored), fields)).toEqual(writable(show(other), fields));
        }
        const told = toldByAll(fields).flatMap((at) => [`field_${at}`, OLDER_NAMES[at]!]);
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
    kind === 'read_only: true' ? [`field_${at}`, OLDER_NAMES[at]!] : [],
  );
  return Object.fromEntries(Object.entries(item).filter(([name]) => !readOnly.includes(name)));
};

/** Fields that every version has, writes, and can tell. */
const toldByAll = (fields: readonly Field[]): number[] =>
  fields.flatMap(({ span, kind, type }, at) =>
    span === '' && kind !== 'read_only: true' && !type.written.includes('as:') ? [at] : [],
  );

describe('each form of a value that the older type has is taken, and means its value', () => {
  const money = numbers.decimal({ precision: 12, scale: 2 });
  const exact = numbers.decimal({ precision: 20, scale: 5 });
  const text = shapes.string({});

  test.each<
    [what: string, older: TSchema, stored: TSchema, Conversion<never, never>, [string, unknown][]]
  >([
    [
      'a decimal with more digits',
      exact,
      money,
      longerText(2, 5) as never,
      [
        ['5', '5.00'],
        ['5.0', '5.00'],
        ['-1.5', '-1.50'],
        ['1.50000', '1.50'],
        ['1.500000000', '1.50'],
        ['0', '0.00'],
        ['1.505', undefined],
        ['1.50001', undefined],
        ['99999999999', undefined],
      ],
    ],
    [
      'a decimal in place of a bigint',
      numbers.decimal({ precision: 19, scale: 0 }),
      numbers.bigint(),
      longerText(0, 0) as never,
      [
        ['5', '5'],
        ['5.000', '5'],
        ['-9223372036854775808', '-9223372036854775808'],
        ['9223372036854775808', undefined],
      ],
    ],
    [
      'a decimal with digits behind the point in place of a bigint',
      numbers.decimal({ precision: 21, scale: 2 }),
      numbers.bigint(),
      longerText(0, 2) as never,
      [
        ['5', '5'],
        ['5.00', '5'],
        ['5.01', undefined],
      ],
    ],
    [
      'a decimal in place of an integer',
      numbers.decimal({ precision: 20, scale: 3 }),
      shapes.integer(),
      decimalOfInteger(3) as never,
      [
        ['17', 17],
        ['17.0', 17],
        ['-17.000', -17],
        ['17.5', undefined],
        ['9007199254740993', undefined],
      ],
    ],
    [
      'a text in place of an integer',
      text,
      shapes.integer(),
      textOfInteger as never,
      [
        ['17', 17],
        ['-17', -17],
        ['17.0', undefined],
        ['017', undefined],
        ['1e3', undefined],
        [' 17', undefined],
        ['', undefined],
        ['-0', undefined],
        ['NaN', undefined],
        ['Infinity', undefined],
        ['9007199254740993', undefined],
      ],
    ],
    [
      'a text in place of a decimal',
      text,
      money,
      textOfDecimal(6, 2) as never,
      [
        ['1.50', '1.50'],
        ['1.5', undefined],
        ['1.500', undefined],
        ['one', undefined],
        ['-9999.99', '-9999.99'],
        ['01.50', undefined],
        ['-0.00', undefined],
      ],
    ],
    [
      'a text in place of a UUID',
      text,
      shapes.uuid(),
      textOfUuid as never,
      [
        ['01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b302099a8057'],
        ['01890A5D-AC96-774B-BCCE-B302099A8057', undefined],
      ],
    ],
  ])('%s', (_what, older, stored, conversion, forms) => {
    const shape = Compile(convertible(older, conversion, stored, 'is refused'));
    for (const [sent, kept] of forms) {
      const taken = shape.Check(sent) ? conversion.read(sent as never) : undefined;
      expect([sent, taken]).toEqual([sent, kept]);
    }
  });

  test.each([
    [6, 2, ['0.00', '1.50', '-9999.99'], ['1.5', '1.500', '10000.00', '01.50', '-0.00', '.50']],
    [3, 0, ['0', '-999'], ['1000', '-0', '01', '1.0']],
    [2, 2, ['0.00', '-0.99'], ['1.00', '00.50', '-0.00']],
  ])('the pattern of decimal(%i, %i) as a text is that of what is taken', (...row) => {
    const [precision, scale, taken, refused] = row;
    const { pattern } = textOfDecimal(precision, scale).keywords as { readonly pattern: string };
    const allows = (sent: string): boolean => new RegExp(pattern, 'u').test(sent);
    expect(taken.filter((sent) => !allows(sent))).toEqual([]);
    expect(refused.filter(allows)).toEqual([]);
  });
});
