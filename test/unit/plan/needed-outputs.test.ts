/** Imports decide which of the shared files a project has. */
import { expect, test } from 'vitest';

import { neededOutputs } from '../../../src/plan/needed-outputs.ts';
import type { TeamFile } from '../../../src/plan/needed-outputs.ts';
import { OFFERED_PATHS, offeredOutputs, planOutputs } from '../../../src/plan/outputs.ts';
import type { Output } from '../../../src/plan/outputs.ts';
import { readTemplate } from '../../../src/disk/templates.ts';
import { fillOnce, renderFiles } from '../../../src/render/render.ts';
import { sourcesIn } from '../../support/sources.ts';
import { modelOf, neededFiles, OPTIONS } from './support.ts';
import type { Source } from './support.ts';

const PLAIN = `
name: shop
roles: [editor]
collections:
  books: { fields: { title: { type: string } } }`;

const shop = (text: string): Source => ({ path: 'shop.yaml', text });

const WITH: readonly (readonly [feature: string, definitions: string, files: readonly string[]])[] =
  [
    [
      'search',
      `${PLAIN.slice(0, -2)}, search: [title] }`,
      [
        'src/platform/database/background-indexing.ts',
        'src/platform/database/fill-words.ts',
        'src/platform/http/search-words.ts',
        'src/platform/http/search.ts',
      ],
    ],
    [
      'events',
      `${PLAIN.slice(0, -2)}, events: true }`,
      [
        'src/platform/background-worker.ts',
        'src/platform/events/event-store.ts',
        'src/platform/webhooks/deliver.ts',
        'src/platform/webhooks/worker.ts',
        'test/support/receiver.ts',
      ],
    ],
    [
      'jobs',
      `${PLAIN.slice(0, -2)}, create: background }`,
      [
        'src/platform/background-worker.ts',
        'src/platform/jobs/queue.ts',
        'src/platform/jobs/run-job.ts',
        'src/platform/jobs/worker.ts',
      ],
    ],
    [
      'an exact number',
      PLAIN.replace('{ type: string }', '{ type: bigint }'),
      ['src/platform/http/exact-numbers.ts'],
    ],
    [
      'a duration',
      `${PLAIN.slice(0, -2).replace('string', 'duration')}, sort: [title] }`,
      ['src/platform/http/durations.ts', 'test/support/durations.ts'],
    ],
    [
      'versions that differ',
      PLAIN.replace('roles:', 'versions: [1, 2]\nroles:').replace(
        'string }',
        'string, name_in: { 1: name } }',
      ),
      ['src/platform/http/view.ts'],
    ],
  ];

test.each(WITH)(
  'a service with %s has its files, and no other has them',
  async (_, text, files) => {
    const has = (all: readonly string[]): readonly string[] =>
      files.filter((file) => all.includes(file));
    expect(has(neededFiles(await modelOf(shop(text))))).toEqual(files);
    expect(has(neededFiles(await modelOf(shop(PLAIN))))).toEqual([]);
  },
);

test('a file that code of the team imports stays, with those that it imports', async () => {
  const plain = await modelOf(shop(PLAIN));
  const more = (text: string): readonly string[] => {
    const without = neededFiles(plain);
    return neededFiles(plain, { 'src/own/words.ts': text }).filter(
      (file) => !without.includes(file),
    );
  };
  const words = 'src/platform/http/search-words.ts';
  const filling = 'src/platform/database/fill-words.ts';
  const specifier = `'../platform/database/fill-words.ts'`;
  for (const text of [
    `import { fillWords } from ${specifier};`,
    `import type { fillWords } from ${specifier};`,
    `export * from ${specifier};`,
    `const { fillWords } = await import(${specifier});`,
    `import ${specifier.replace('.ts', '.js')};`,
  ]) {
    expect(more(text)).toEqual([filling, words]);
  }
  for (const text of [
    `// import { fillWords } from ${specifier};`,
    `/** Like \`import(${specifier})\`. */`,
    `const text = "import(${specifier})";`,
    `const text = \`export * from ${specifier};\`;`,
    `import { fillWords } from '../own/fill-words.ts';`,
  ]) {
    expect(more(text)).toEqual([]);
  }
});

/** An output that imports others, by their names. */
const output = (target: string): Output => ({
  target,
  template: target,
  ownership: 'merged',
  content: { kind: 'copied' },
  madeOf: 'template',
});

/** What is needed of `a` to `f`, of which each imports those that are named. */
const needed = (imports: Readonly<Record<string, string>>, team: readonly TeamFile[]): string =>
  Array.from(
    neededOutputs({
      outputs: [output('root')],
      offered: [...'abcdef'].map(output),
      importsOf: ({ target }) => [...(imports[target] ?? '')],
      team,
    }),
    ({ target }) => target,
  ).join(' ');

test.each([
  ['nothing is imported', {}, [], 'root'],
  ['imports of imports', { root: 'ab', a: 'c', c: 'd' }, [], 'root a b c d'],
  ['imports in a circle', { root: 'a', a: 'b', b: 'a' }, [], 'root a b'],
  ['imports of what is not offered', { root: 'xyz' }, [], 'root'],
  [
    'a file of the team',
    { a: 'b' },
    [{ path: 'own', isGenerated: false, imports: ['a'], generatedImports: [] }],
    'root a b',
  ],
  [
    'a file of the team that has the name of an offered one',
    { a: 'b' },
    [
      { path: 'own', isGenerated: false, imports: ['a'], generatedImports: [] },
      { path: 'a', isGenerated: false, imports: ['c'], generatedImports: [] },
    ],
    'root c',
  ],
  [
    'an output with an edit: its old imports are not those of the team',
    { root: 'c' },
    [{ path: 'root', isGenerated: true, imports: ['a'], generatedImports: ['b'] }],
    'root a c',
  ],
  [
    'an edited file that nothing imports any more: it stays as it is',
    { root: 'c', b: 'd' },
    [{ path: 'e', isGenerated: true, imports: ['a'], generatedImports: ['b'] }],
    'root a c b d',
  ],
  [
    'an edited file that is imported: its old imports are not needed',
    { root: 'e', e: 'c' },
    [{ path: 'e', isGenerated: true, imports: ['a'], generatedImports: ['b'] }],
    'root a e c',
  ],
  [
    'an edited file that is generated no more: it stays as it is',
    {},
    [{ path: 'gone', isGenerated: true, imports: ['a'], generatedImports: ['b'] }],
    'root a b',
  ],
])('%s', (_, imports, team, all) => {
  expect(needed(imports, team)).toBe(all);
});

/** Definitions that together have each feature. */
const ALL: readonly (readonly Source[])[] = [
  sourcesIn('test/definitions/everything'),
  sourcesIn('test/e2e/definitions/existing-tables.yaml'),
  sourcesIn('test/e2e/definitions/tickets.yaml'),
  {
    path: 'shop.yaml',
    text: `
name: shop
versions: { 1: { deprecated: '2026-01-01' }, 2: {} }
roles: [editor]
collections:
  notes:
    owner: keeper_id
    permissions: { read: [editor], create: authenticated, update: [owner, editor], delete: [editor] }
    checks: { known: { rule: "title != 'x' or stamp != null" } }
    fields:
      title: { type: string }
      stamp: { type: timestamp, set_by: service }
      keeper_id: { type: reference, to: users, since: 2 }
  prints:
    create: background
    fields: { note_id: { type: reference, to: notes, required: true, name_in: { 1: noted_id } } }`,
  },
].map((source) => ('path' in source ? [source] : source));

test('each offered file is in some service', async () => {
  const missing = new Set(OFFERED_PATHS);
  for (const sources of ALL) {
    for (const file of neededFiles(await modelOf(...sources))) missing.delete(file);
  }
  expect([...missing]).toEqual([]);
});

test('each offered file can be rendered without the feature that it is of: a team may import it', async () => {
  const model = await modelOf(shop(PLAIN));
  const outputs = offeredOutputs(model, OPTIONS);
  const files = await renderFiles(outputs, fillOnce(readTemplate));
  expect(files.filter(({ text }) => text.trim() === '')).toEqual([]);
  const both = planOutputs(model, OPTIONS).filter(({ target }) => OFFERED_PATHS.has(target));
  expect(both).toEqual([]);
  expect(new Set(outputs.map(({ target }) => target)).size).toBe(outputs.length);
});
