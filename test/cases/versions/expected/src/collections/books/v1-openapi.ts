/** What the OpenAPI document says of books. What `routes.ts` gains by hand, say here too. */
import type { Static } from 'typebox';

import type { Draft } from '../../openapi/draft.ts';
import { idParameter } from '../../openapi/parameters.ts';
import { resource } from '../../openapi/resource.ts';
import type { Paths } from '../../openapi/types.ts';
import { personPermissions } from '../people/schema.ts';
import { bookPermissions } from './schema.ts';
import { bookV1Lists, BookV1Body, BookV1ReadOnly } from './v1.ts';

/** A book as examples show it. */
const EXAMPLE = {
  title: 'Title 1',
  ean: '9780000000001',
  cost: 0,
  stock: '1',
  state: 'new',
  tags: ['Tags 1'],
  genre: ['Genre 1'],
  writer_id: '01890a5d-ac96-774b-bcce-b302099a8057',
} satisfies Static<typeof BookV1Body>;

/** The paths, as in `routes.ts`. */
export function booksV1Paths(draft: Draft): Paths {
  const books = resource(draft, {
    tag: 'Books',
    description: 'Books.',
    words: { one: 'book', a: 'a book', many: 'books' },
    types: { one: 'Book', many: 'Books' },
    body: BookV1Body,
    readOnly: BookV1ReadOnly,

    lists: bookV1Lists,
    permissions: bookPermissions,
    example: EXAMPLE,

    unique: ['title', 'ean', 'writer_id'],
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
    '/writers/{id}/books': {
      parameters: [idParameter(draft)],
      get: books.listIn({
        operationId: 'listBooksOfWriter',
        words: 'a writer',
        read: personPermissions.read,
      }),
      post: books.createIn(
        { operationId: 'createBooksOfWriter', words: 'a writer', read: personPermissions.read },
        'writer_id',
      ),
    },
  };
}
