/** What a project consists of, where that goes by its definitions. */
import { expect, test } from 'vitest';

import { parseSingleFile } from '../../../src/definition/index.ts';
import { buildModel } from '../../../src/model/build.ts';
import { collectionTest, copied, service, version } from '../../../src/plan/contents.ts';
import type {
  OutputContent,
  OfCollection,
  OfService,
  OfVersion,
} from '../../../src/plan/contents.ts';
import { planOutputs } from '../../../src/plan/outputs.ts';
import { NPM } from '../../../src/shared/package-manager.ts';

/** The files of a service with these collections. */
async function filesOf(collections: string): Promise<string[]> {
  const text = `name: shop\nroles: [editor]\ncollections:\n${collections}`;
  const file = { path: 'shop.yaml', bytes: new TextEncoder().encode(text) };
  const result = await parseSingleFile(file, { fallbackName: 'shop' });
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('\n'));
  return planOutputs(buildModel(result.service), { tool: '0.0.0', manager: NPM }).map(
    ({ target }) => target,
  );
}

test.each([
  ['an owner', '  notes: { fields: { a: { type: json } }, permissions: { delete: [owner] } }'],
  [
    'a reference to what not everybody may read',
    `  notes: { fields: { a: { type: json } } }
  links: { fields: { note_id: { type: reference, to: notes } } }`,
  ],
  [
    'a reference to users',
    '  notes: { fields: { reader_id: { type: reference, to: users } }, permissions: { read: public } }',
  ],
])('ownership is emitted for %s', async (_what, collections) => {
  expect(await filesOf(collections)).toContain('src/platform/auth/ownership.ts');
});

test('and for nothing else', async () => {
  const files = await filesOf(`
  notes: { fields: { a: { type: json } }, permissions: { read: public, create: [editor] } }
  links: { fields: { note_id: { type: reference, to: notes, nested: true } } }`);
  expect(files).toContain('src/platform/auth/permissions.ts');
  expect(files).not.toContain('src/platform/auth/ownership.ts');
});

test.each([
  ['a decimal', '  notes: { fields: { a: { type: decimal, precision: 8, scale: 2 } } }'],
  ['a list of bigints', '  notes: { fields: { a: { type: list, of: { type: bigint } } } }'],
  [
    'a member of an object',
    '  notes: { fields: { a: { type: object, properties: { b: { type: bigint } } } } }',
  ],
])('exact numbers are emitted for %s', async (_what, collections) => {
  expect(await filesOf(collections)).toContain('src/platform/http/exact-numbers.ts');
});

test('and for no other type', async () => {
  const files = await filesOf('  notes: { fields: { a: { type: number }, b: { type: integer } } }');
  expect(files).not.toContain('src/platform/http/exact-numbers.ts');
});

test('a view stands only on rows that repeat over what it is made of', () => {
  const allowed: readonly [OutputContent<OfService>, OutputContent<OfVersion>] = [service, copied];
  // @ts-expect-error A service has no view of a version.
  const ofService: OutputContent<OfService> = version;
  // @ts-expect-error A collection is not what tests of a version see.
  const ofCollection: OutputContent<OfCollection> = collectionTest;
  expect([...allowed, ofService, ofCollection].map(({ kind }) => kind)).toContain('filled');
});
