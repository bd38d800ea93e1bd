/** What definitions are warned about, with the exact words and places. */
import { expect, test } from 'vitest';

import { formatWarning, parseSingleFile } from '../../../src/definition/index.ts';
import { warningsOf } from '../../../src/model/warnings.ts';

/** The warnings of a service with these collections, each a line. */
async function warnings(...collections: readonly string[]): Promise<readonly string[]> {
  const text = ['roles: [editor, clerk]', 'collections:', ...collections].join('\n');
  const file = { path: 'shop.yaml', bytes: new TextEncoder().encode(text) };
  const result = await parseSingleFile(file, { fallbackName: 'shop' });
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('\n'));
  return warningsOf(result.service).map((warning) => formatWarning(warning));
}

const FIELDS = 'fields: { email: { type: string, unique: true } }';
const AUTHORS = (permission: string) =>
  `  authors: { fields: { name: { type: string } }, permissions: { delete: ${permission} } }`;
const BOOKS = (permission: string, onDelete = 'cascade') =>
  `  books: { fields: { author_id: { type: reference, to: authors, on_delete: ${onDelete} } }, permissions: { delete: ${permission} } }`;

test('a unique value of a collection that owners alone read', async () => {
  expect(await warnings(`  cards: { ${FIELDS}, permissions: { read: owner } }`)).toEqual([
    'shop.yaml:3:22 warning field "email" is unique, and read of "cards" is narrower than create or update: a 409 tells callers of values in items that they cannot read. Widen read, or remove unique.',
  ]);
  const group = 'fields: { a: { type: string }, b: { type: string } }, unique: [[a, b]]';
  expect(await warnings(`  cards: { ${group}, permissions: { read: [owner, editor] } }`)).toEqual([
    expect.stringMatching(/^shop\.yaml:3:3 warning "a" and "b" are unique together, and read of /),
  ]);
});

test.each([
  ['public', '{ read: [editor], create: public, update: [editor] }'],
  ['other roles', '{ read: [editor], create: [editor, clerk], update: [editor] }'],
  ['owners who change', '{ read: [owner, editor], create: [editor], update: owner }'],
])('a unique value that %s may write and not read', async (_who, permissions) => {
  expect(await warnings(`  cards: { ${FIELDS}, permissions: ${permissions} }`)).toHaveLength(1);
});

test.each([
  ['everybody may read', '{ read: public, create: public, update: public }'],
  ['every caller may read', '{}'],
  ['those may read who write', '{ read: [owner, editor], create: [editor], update: [editor] }'],
])('no unique value that %s', async (_who, permissions) => {
  expect(await warnings(`  cards: { ${FIELDS}, permissions: ${permissions} }`)).toEqual([]);
});

test('a cascade into a collection with a stricter delete', async () => {
  expect(await warnings(AUTHORS('[editor]'), BOOKS('[admin]'))).toEqual([
    'shop.yaml:4:22 warning field "author_id" has on_delete "cascade", and delete of "authors" is wider than delete of "books": removing one removes "books" that the caller could not remove. Write on_delete "refuse", or narrow delete of "authors".',
  ]);
  expect(await warnings(AUTHORS('authenticated'), BOOKS('owner'))).toHaveLength(1);
  expect(await warnings(AUTHORS('public'), BOOKS('authenticated'))).toHaveLength(1);
});

test('no cascade into a collection with the same delete or a wider one, and nothing else', async () => {
  expect(await warnings(AUTHORS('[editor]'), BOOKS('[editor, clerk]'))).toEqual([]);
  expect(await warnings(AUTHORS('owner'), BOOKS('owner'))).toEqual([]);
  expect(await warnings(AUTHORS('public'), BOOKS('[admin]', 'refuse'))).toEqual([]);
  const users = 'fields: { user_id: { type: reference, to: users, on_delete: cascade } }';
  expect(await warnings(`  cards: { ${users}, permissions: { delete: [admin] } }`)).toEqual([]);
});
