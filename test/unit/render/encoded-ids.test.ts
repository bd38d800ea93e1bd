/** Ids with texts in them can have any character: emitted tests encode them in paths. */
import { expect, test } from 'vitest';

import { render } from '../../../src/api.ts';

const definition = (type: string): string => `name: shop
schema: service
roles: [editor]
collections:
  books: { table: book, history: {}, fields: { title: { type: string } } }
  pairs:
    table: pair
    history: {}
    key: { fields: [book_id, word] }
    permissions: { read: [editor], delete: [editor] }
    include: [book_id]
    events: true
    fields:
      book_id: { type: reference, to: books, required: true, immutable: true, nested: true }
      word: { type: ${type}, required: true, immutable: true }
      size: { type: integer }
`;

/** The paths of items in emitted tests, as they are written. */
async function pathsOf(type: string): Promise<readonly string[]> {
  const files = await render({ path: 'shop.yaml', text: definition(type) });
  return files
    .filter(({ path }) => path.startsWith('test/'))
    .flatMap(({ text }) => text.match(/\/pairs\/\$\{(?!NO_)[^`/?]*/g) ?? []);
}

test.each([
  ['string', /^\/pairs\/\$\{encodeURIComponent\(/],
  ['enum, values: [a/b]', /^\/pairs\/\$\{encodeURIComponent\(/],
  ['integer', /^\/pairs\/\$\{[a-z.]+\}/i],
])('a part of the type %s', async (type, expected) => {
  const paths = await pathsOf(type);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !expected.test(path))).toEqual([]);
});
