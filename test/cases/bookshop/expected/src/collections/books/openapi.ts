/** What the OpenAPI document says of books. What `routes.ts` gains by hand, say here too. */
import type { Static } from 'typebox';

import type { Draft } from '../../openapi/draft.ts';
import { idParameter } from '../../openapi/parameters.ts';
import { resource } from '../../openapi/resource.ts';
import type { Paths } from '../../openapi/types.ts';
import { authorPermissions } from '../authors/schema.ts';
import { BookBody, bookLists, bookPermissions } from './schema.ts';

/** A book as examples show it. */
const EXAMPLE = {
  title: 'Title 1',
  isbn: '9780000000001',
  price: '1.50',
  status: 'draft',
  author_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  published_at: '2026-01-31T12:00:00.000Z',
} satisfies Static<typeof BookBody>;

/** The paths, as in `routes.ts`. */
export function booksPaths(draft: Draft): Paths {
  const books = resource(draft, {
    tag: 'Books',
    description: 'A title that the shop sells.',
    words: { one: 'book', a: 'a book', many: 'books' },
    types: { one: 'Book', many: 'Books' },
    body: BookBody,

    lists: bookLists,
    permissions: bookPermissions,
    example: EXAMPLE,

    unique: ['isbn'],
  });
  return {
    '/books': { get: books.list(), post: books.create() },
    '/books/{id}': {
      parameters: [idParameter(draft)],
      get: books.read(),
      put: books.replace(),
      patch: books.patch(),
      delete: books.remove(),
    },
    '/authors/{id}/books': {
      parameters: [idParameter(draft)],
      get: books.listIn({
        operationId: 'listBooksOfAuthor',
        words: 'an author',
        read: authorPermissions.read,
      }),
      post: books.createIn(
        { operationId: 'createBooksOfAuthor', words: 'an author', read: authorPermissions.read },
        'author_id',
      ),
    },
  };
}
