/** Which items may be refused to be removed, by what refers to them. */
import { expect, test } from 'vitest';

import { mayBeRestricted } from '../../../src/model/delete-restrictions.ts';
import { modelOf } from '../migration/support.ts';

const model = await modelOf(`
authors: { fields: { name: { type: string } } }
books: { fields: { author_id: { type: reference, to: authors, on_delete: cascade } } }
reviews: { fields: { book_id: { type: reference, to: books, on_delete: refuse } } }
notes: { fields: { review_id: { type: reference, to: reviews, on_delete: clear }, parent_id: { type: reference, to: notes, on_delete: cascade }, reader_id: { type: reference, to: users, on_delete: cascade } } }
tags: { fields: { note_id: { type: reference, to: notes, on_delete: clear } } }
`);

test.each([
  ['reviews', false, 'what refers to them is cleared'],
  ['books', true, 'reviews refuse it'],
  ['authors', true, 'their books go with them, and reviews refuse it'],
  ['notes', false, 'their own notes go with them'],
  ['tags', false, 'nothing refers to them'],
  ['users', false, 'their notes go with them, and nothing refuses it'],
])('%s: %j, for %s', (name, expected) => {
  expect(mayBeRestricted(name, model)).toBe(expected);
});
