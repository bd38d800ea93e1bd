/** What a project consists of, where that goes by its definitions. */
import { expect, test } from 'vitest';

import { collectionTest, copied, service, version } from '../../../src/plan/contents.ts';
import type {
  OutputContent,
  OfCollection,
  OfService,
  OfVersion,
} from '../../../src/plan/contents.ts';
import { modelOf, neededFiles } from './support.ts';

/** The files of a service with these collections. */
const filesOf = async (collections: string): Promise<string[]> =>
  neededFiles(
    await modelOf({
      path: 'shop.yaml',
      text: `name: shop\nroles: [editor]\ncollections:\n${collections}`,
    }),
  );

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
