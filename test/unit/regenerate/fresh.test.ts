/**
 * Where nobody has edited a project, generating it again from other definitions gives what a new
 * project of these gives, but for migrations; and doing so once more changes nothing.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { filesIn } from '../cli/support.ts';
import { makeProject } from './support.ts';

let place = '';
beforeAll(() => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const FIELDS: readonly string[] = [
  'title: { type: string, max_length: 100 }',
  'body: { type: text, description: What it says. }',
  'count: { type: integer, minimum: 0, default: 3 }',
  'state: { type: enum, values: [open, done] }',
  'secret: { type: string, write_only: true }',
  'anchor_id: { type: reference, to: anchors, nested: true }',
];
const REST: readonly string[] = [
  'filter: [name]',
  'search: [name]',
  'permissions: { read: public, update: [owner] }',
  'description: Told of in documents.',
];

const collection = fc
  .tuple(fc.subarray([...FIELDS]), fc.subarray([...REST]))
  .map(([fields, rest]) =>
    [
      'fields:',
      '  name: { type: string, max_length: 50 }',
      ...fields.map((one) => `  ${one}`),
      ...rest,
      '',
    ].join('\n'),
  );

/** A service with the collection that others refer to, and some of three more. */
const definitions = fc
  .record({ 'letters-a': collection, notes: collection, zones: collection }, { requiredKeys: [] })
  .map(
    (collections) =>
      Object.fromEntries([
        ['service.yaml', 'name: shop\n'],
        ['collections/anchors.yaml', 'fields:\n  name: { type: string }\n'],
        ...Object.entries(collections).map(([name, text]) => [
          `collections/${name.replace('-a', '')}.yaml`,
          text,
        ]),
      ]) as Record<string, string>,
  );

test('a changed project is a new one', { timeout: 240_000 }, async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(definitions, definitions, async (before, after) => {
      number += 1;
      const project = await makeProject(path.join(place, `changed-${number}`), before);
      const fresh = await makeProject(path.join(place, `fresh-${number}`), after);
      for (const name of readdirSync(path.join(project.folder, 'definitions/collections'))) {
        project.write(`definitions/collections/${name}`, undefined);
      }
      for (const [file, text] of Object.entries(filesIn(path.join(fresh.folder, 'definitions')))) {
        project.write(`definitions/${file}`, text);
      }
      await project.generate();
      expect(withoutMigrations(project.folder)).toEqual(withoutMigrations(fresh.folder));
      const again = await project.generate();
      expect(again.changes).toEqual([]);
      for (const { folder } of [project, fresh]) rmSync(folder, { recursive: true });
    }),
    { numRuns: 6 },
  );
});

/** Without what is another one where other migrations led to the same. */
function withoutMigrations(folder: string): Record<string, string> {
  const files = Object.entries(filesIn(folder)).filter(([file]) => !file.startsWith('migrations/'));
  return Object.fromEntries(
    files.map(([file, text]) => [
      file,
      file === '.create-service/manifest'
        ? text.replaceAll(/^(?:migrations\/|inputs ).*\n/gm, '')
        : text,
    ]),
  );
}
