/** What is decided of versions once, for all templates. */
import { expect, test } from 'vitest';

import { modelOf } from '../migration/support.ts';

const REFERRER = 'reviews: { fields: { book_id: { type: reference, to: books } } ';
const BOOKS = 'books: { fields: { title: { type: string, since: 2 }, pages: { type: integer } } }';

test.each(['{ expression: null }', '{ expression: { kind: compare } }', '{ checks: [] }'])(
  'versions with the default %s of a json field have the stored form',
  async (value) => {
    const text = `books: { fields: { settings: { type: json, default: ${value} } } }`;
    const { versions } = await modelOf(text, '[1, 2]');
    expect(versions?.collections.get('books')?.views ?? []).toEqual([]);
  },
);

test.each([
  ['none is called otherwise', `${BOOKS}\n${REFERRER}}`, true],
  ['one was called otherwise', `${BOOKS}\n${REFERRER}, name_in: { 1: opinions } }`, false],
  ['one was not there', `${BOOKS}\n${REFERRER}, since: 2 }`, false],
])('messages name collections where %s: not otherwise', async (_which, text, are) => {
  const { versions } = await modelOf(text, '[1, 2]');
  expect(versions?.areCalledAlike).toBe(are);
});
