/** Services in each combination of keys compile: what is emitted of the platform depends on which keys there are. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import { beforeAll, expect, inject, test } from 'vitest';

import { makeProject } from '../unit/regenerate/support.ts';

/** Collections by name, in YAML. */
type Collections = Readonly<Record<string, string>>;

const FIELDS = 'fields: { size: { type: integer } }';
const OLD = 'table: old, history: {},';
const notes = `{ fields: { word_id: { type: reference, to: words, nested: true } } }`;

/** A field of a key. */
const part = (type: string): string => `{ type: ${type}, required: true, immutable: true }`;
const pair = (one: string, other: string): string =>
  `key: { fields: [a, b] }, fields: { a: ${part(one)}, b: ${part(other)}, size: { type: integer } }`;
const shelf = `key: { fields: [shelf_id] }, fields: { shelf_id: ${part('reference, to: shelves')}, size: { type: integer } }`;

const KEYS: readonly (readonly [title: string, collections: Collections])[] = [
  ['numbers', { words: `{ key: integer, ${FIELDS} }`, notes }],
  ['UUIDs of an existing table', { words: `{ ${OLD} ${FIELDS} }`, notes }],
  ['chosen UUIDs', { words: `{ ${OLD} key: { type: uuid, generated: client }, ${FIELDS} }` }],
  ['texts', { words: `{ ${OLD} key: string, ${FIELDS} }`, notes }],
  ['numbers of an existing table', { words: `{ ${OLD} key: integer, ${FIELDS} }`, notes }],
  ['chosen numbers', { words: `{ ${OLD} key: { type: bigint, generated: client }, ${FIELDS} }` }],
  [
    'texts beside numbers',
    { words: `{ ${OLD} key: string, ${FIELDS} }`, terms: `{ key: bigint, ${FIELDS} }` },
  ],
  [
    'texts beside jobs and events',
    {
      words: `{ ${OLD} key: string, ${FIELDS} }`,
      terms: `{ create: background, events: true, ${FIELDS} }`,
    },
  ],
  ['soft_delete', { words: `{ ${OLD} soft_delete: { column: gone }, ${FIELDS} }`, notes }],
  [
    'soft_delete and texts',
    { words: `{ ${OLD} key: string, soft_delete: { column: gone }, events: true, ${FIELDS} }` },
  ],
  ['two numbers', { words: `{ ${OLD} ${pair('integer', 'bigint')} }` }],
  [
    'a text and a UUID, soft_delete and events',
    { words: `{ ${OLD} soft_delete: { column: gone }, events: true, ${pair('string', 'uuid')} }` },
  ],
  [
    'a reference to UUIDs as the key',
    { shelves: `{ table: shelf, history: {}, ${FIELDS} }`, words: `{ ${OLD} ${shelf} }`, notes },
  ],
  [
    'a reference to texts as the key, beside two values and numbers',
    {
      shelves: `{ table: shelf, key: string, history: {}, ${FIELDS} }`,
      words: `{ ${OLD} ${shelf} }`,
      pairs: `{ table: pair, history: {}, ${pair('uuid', 'integer')} }`,
      terms: `{ key: bigint, ${FIELDS} }`,
      notes,
    },
  ],
];

const SERVICES = KEYS.flatMap(([title, collections], at) => [
  { title, folder: `keys-${at}`, versions: '[1]', collections },
  { title: `${title}, in versions`, folder: `keys-v${at}`, versions: '[1, 2]', collections },
]);

/** Compiler errors by project folder. */
const problems = new Map<string, string[]>();

beforeAll(async () => {
  const place = join(inject('workshop'), 'keys');
  for (const { folder, versions, collections } of SERVICES) {
    // Version 1 has the collection in another form.
    const inVersions = (text: string): string =>
      versions === '[1]'
        ? text
        : text.replace('integer } }', 'integer, name_in: { 1: extent } } }');
    await makeProject(join(place, folder), {
      'service.yaml': `name: keys\nschema: own\nversions: ${versions}\n`,
      ...Object.fromEntries(
        Object.entries(collections).map(([name, text]) => [
          `collections/${name}.yaml`,
          `${inVersions(text)}\n`,
        ]),
      ),
    });
  }
  // One program: most of the work is on the types of packages, and that is done once.
  symlinkSync(join(inject('installed'), 'node_modules'), join(place, 'node_modules'));
  const { compilerOptions } = JSON.parse(
    readFileSync(join(place, 'keys-0/tsconfig.json'), 'utf8'),
  ) as { compilerOptions: object };
  const include = ['*/src', '*/test', '*/vitest.config.ts'];
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  const { all, exitCode } = await execa('node_modules/.bin/tsc', ['--pretty', 'false'], {
    cwd: place,
    all: true,
    reject: false,
  });
  if (all === '' && exitCode !== 0) throw new Error(`the compiler ended with ${exitCode}`);
  for (const line of all.split('\n').filter((one) => one.trim() !== '')) {
    const [folder = ''] = line.split('/');
    problems.set(folder, [...(problems.get(folder) ?? []), line]);
  }
});

test.each(SERVICES)('a service with $title compiles', ({ folder }) => {
  expect(problems.get(folder) ?? []).toEqual([]);
});

test('the compiler reports no error outside these services', () => {
  const folders = SERVICES.map(({ folder }) => folder);
  expect([...problems.keys()].filter((folder) => !folders.includes(folder))).toEqual([]);
});
