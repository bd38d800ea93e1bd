/**
 * Whatever a project is accepted with, it can go on with: what is kept of each frozen version is read
 * again, and the definitions that it was made of break nothing of it.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseFolder } from '../../../src/definition/index.ts';
import { viewOf } from '../../../src/definition/versions/view.ts';
import { brokenContracts } from '../../../src/compatibility/frozen-contracts.ts';
import { contractFiles } from '../../../src/compatibility/contract-files.ts';
import { file, lines, OPTIONS, service, single } from '../definition/support.ts';

const placeOf = (key: string) => ({ file: key, line: 1, column: 1 });

/** Mostly nothing: of many parts that break a rule together none is accepted. */
const some = (...texts: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: fc.constant(''), weight: 4 }, fc.constantFrom(...texts));

const SPANS = some('since: 2', 'since: 3', 'until: 1', 'until: 2');
/** Names of collections and paths, and of fields, as they were: many break a rule. */
const PLURALS = [
  'works',
  'get_books',
  'tokens',
  'sheep',
  'work',
  'v2',
  'media_files',
  'list_items',
];
const OLDER_PLURALS = some(
  ...PLURALS.flatMap((name) => [`name_in: { 1: ${name} }`, `name_in: { 2: ${name} }`]),
);
const OLDER_NAMES = some(
  ...['parent', 'parent_id', 'id', 'xmin', 'limit', 'constructor', 'title'].map(
    (name) => `name_in: { 1: ${name} }`,
  ),
);

const TYPES = [
  [
    'type: string',
    '{ type: text }',
    '{ type: list, of: string }',
    '{ type: string, max_length: 9 }',
  ],
  ['type: string, max_length: 9', '{ type: string, max_length: 20 }', '{ type: text }'],
  ['type: integer', '{ type: string }', '{ type: bigint }', '{ type: json }'],
  ['type: bigint', '{ type: decimal, precision: 19, scale: 0 }', '{ type: text }'],
  [
    'type: decimal, precision: 8, scale: 2',
    '{ type: number }',
    '{ type: decimal, precision: 9, scale: 3 }',
  ],
  ['type: date', '{ type: timestamp }', '{ type: string }'],
  ['type: time', '{ type: string }', "{ type: time, maximum: '12:00:00' }"],
  ['type: duration', '{ type: text }', '{ type: duration, minimum: PT1H }'],
  ['type: ip', '{ type: string }', '{ type: string, format: ipv4 }'],
  ['type: bytes, max_bytes: 9', '{ type: bytes, max_bytes: 20 }', '{ type: bytes, max_bytes: 5 }'],
  ['type: uuid', '{ type: text }', '{ type: object, properties: { a: { type: uuid } } }'],
  ['type: list, of: integer, min_items: 1, max_items: 1', '{ type: integer }'],
  ['type: enum, values: [a, b]', '{ type: enum, values: { a: x, b: y } }', '{ type: string }'],
  ['type: enum, values: [a, { value: b, since: 2, as: a }]', '{ type: enum, values: { a: x } }'],
  ['type: enum, values: [{ value: a, renamed_from: c }, b]', '{ type: text }'],
] as const;

const field = fc.constantFrom(...TYPES).chain(([type, ...older]) =>
  fc
    .record({
      older: fc.constantFrom(
        ...older.flatMap((form) => [`type_in: { 1: ${form} }`, `type_in: { 2: ${form} }`]),
      ),
      span: SPANS,
      name: OLDER_NAMES,
      rule: some('unique: true', 'required: true', 'read_only: true', 'immutable: true'),
    })
    .map((parts) => [type, ...Object.values(parts)]),
);
const reference = fc
  .record({
    nested: some(
      'nested: true',
      ...PLURALS.flatMap((name) => [
        `nested: { as: items, name_in: { 1: ${name} } }`,
        `nested: { as: ${name}, since: 2 }`,
      ]),
    ),
    span: SPANS,
    name: OLDER_NAMES,
  })
  .map((parts) => ['type: reference, to: authors', ...Object.values(parts)]);

/** Rules over these fields. Each fits some of their types. */
const RULES = [
  'a = null or author_id != null',
  'author_id = null or a != null and b != null',
  "a != 'x' or b = null",
  "a != 'b' or author_id = null",
  'a > 3 or author_id = null',
  'a < b',
  "a <= '2026-01-31' or author_id != null",
];

const map = (parts: readonly string[]): string =>
  `{ ${parts.filter((part) => part !== '').join(', ')} }`;

const definitions = fc
  .record({
    fields: fc.array(field, { minLength: 1, maxLength: 3 }),
    parent: reference,
    books: fc.tuple(SPANS, OLDER_PLURALS, some('unique: [[a, b]]', 'unique: [[a], [b]]')),
    lists: some('sort: [a]', 'filter: [a]', 'search: [a]'),
    authors: fc.tuple(some('since: 2'), OLDER_PLURALS),
    checks: some(...RULES.map((rule) => `checks: { one: { rule: ${JSON.stringify(rule)} } }`)),
  })
  .map(({ fields, parent, books, lists, authors, checks }) => {
    const all = fields.map((parts, at) => `${'abc'[at]}: ${map(parts)}`);
    return [
      'name: shop',
      'versions: [1, 2, 3]',
      'collections:',
      `  authors: ${map([...authors, 'fields: { name: { type: string } }'])}`,
      `  books: ${map([...books, lists, checks, `fields: ${map([...all, `author_id: ${map(parent)}`])}`])}`,
    ].join('\n');
  });

test(
  'what is kept of a version is read again, and is broken by nothing',
  { timeout: 60_000 },
  async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(definitions, async (text) => {
        const result = await single(text);
        if (!result.ok) return;
        accepted += 1;
        const shop = service(result);
        for (const version of [1, 2]) {
          const files = contractFiles(viewOf(shop, version));
          const read = await parseFolder(
            files.map((one) => file(one.path, one.text)),
            OPTIONS,
          );
          expect(lines(read)).toEqual([]);
          const kept = [{ version, view: service(read) }];
          expect(brokenContracts(kept, shop, shop, placeOf, '2026-01-01')).toEqual([]);
        }
      }),
      { numRuns: 600 },
    );
    expect(accepted).toBeGreaterThan(60);
  },
);
