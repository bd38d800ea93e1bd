/** Twenty collections in three versions, each of which differs in another way from the others. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { execa } from 'execa';
import { expect, inject, test } from 'vitest';

import { makeProject, ROOT, runScript } from '../support/project.ts';

/** The n-th collection: what it has of its own, and since when, follows from n. */
function collection(n: number): string {
  const isYoung = n % 5 === 4;
  const isBelow = n > 1 && !isYoung && n % 5 !== 0;
  const fields = [
    `title: { type: string, required: true, max_length: 100${n % 2 && !isYoung ? ', name_in: { 1: heading }' : ''} }`,
    `size: { type: integer, minimum: 0, maximum: 1000, default: 1${n % 3 ? ', type_in: { 2: { type: bigint } }' : ''} }`,
    `price: { type: decimal, precision: 8, scale: 2${isYoung ? '' : n % 4 ? ', since: 2' : ', type_in: { 1: { type: number } }'} }`,
    `state: { type: enum, values: [open, shut, { value: lost, since: ${2 + (n % 2)}, as: shut }], required: true, default: open }`,
    `legacy: { type: string, max_length: 20${n % 4 === 1 ? ', until: 2' : ''} }`,
    `code: { type: string, max_length: 20, unique: true${n % 2 ? '' : ', since: 3'} }`,
    ...(isBelow
      ? [
          `thing_${n - 1}_id: { type: reference, to: things_${n - 1}, nested: true, on_delete: cascade }`,
        ]
      : []),
  ];
  return [
    `  things_${n}:`,
    `    name_in: { ${n % 3 === 0 && !isYoung ? 1 : 2}: items_${n} }`,
    ...(isYoung ? ['    since: 2'] : []),
    '    fields:',
    ...fields.map((field) => `      ${field}`),
    '    sort: [title, price, state]',
    '    filter: [title, size, state, price]',
    '    search: [title]',
    '    permissions: { read: public }',
  ].join('\n');
}

const DEFINITIONS = [
  'name: many',
  'versions: { 1: { deprecated: 2026-11-01 }, 2: {}, 3: {} }',
  'collections:',
  ...Array.from({ length: 20 }, (_none, at) => collection(at + 1)),
  '',
].join('\n');

test('twenty collections in three versions compile, and do what is said of them', async () => {
  const file = path.join(inject('workshop'), 'many-versions.yaml');
  writeFileSync(file, DEFINITIONS);
  const project = await makeProject('many-versions', path.relative(ROOT, file));
  const types = await runScript(project, 'types');
  expect(types.exitCode, types.output).toBe(0);
  // What versions have in common is tested with every service; here it is what they have not.
  const { exitCode, all } = await execa(
    'npx',
    ['vitest', 'run', 'test/versions', 'test/openapi.test.ts', 'test/lifecycles.test.ts'],
    { cwd: project, all: true, reject: false },
  );
  expect(exitCode, all).toBe(0);
});
