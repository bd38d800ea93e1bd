/** What the OpenAPI document says of books. What `routes.ts` gains by hand, say here too. */
import type { Static } from 'typebox';

import type { Draft } from '../../openapi/draft.ts';
import { idParameter } from '../../openapi/parameters.ts';
import { resource } from '../../openapi/resource.ts';
import type { Paths } from '../../openapi/types.ts';
import { personPermissions } from '../people/schema.ts';
import { BookBody, BookReadOnly, bookLists, bookPermissions } from './schema.ts';

/** A book as examples show it. */
const EXAMPLE = {
  title: 'Title 1',
  isbn: '9780000000001',
  price: '0.00',
  stock: 1,
  state: 'draft',
  tags: ['Tags 1'],
  genre: 'Genre 1',
  secret: 'Secret 1',
  series: 'Series 1',
  person_id: '01890a5d-ac96-774b-bcce-b302099a8057',
} satisfies Static<typeof BookBody>;

/** The paths, as in `routes.ts`. */
export function booksPaths(draft: Draft): Paths {
  const books = resource(draft, {
    tag: 'Books',
    description: 'Books.',
    words: { one: 'book', a: 'a book', many: 'books' },
    types: { one: 'Book', many: 'Books' },
    body: BookBody,
    readOnly: BookReadOnly,
    writeOnly: ['secret'],
    immutable: ['series'],
    lists: bookLists,
    permissions: bookPermissions,
    example: EXAMPLE,

    unique: ['title', 'isbn', 'person_id'],
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
    '/people/{id}/books': {
      parameters: [idParameter(draft)],
      get: books.listIn({
        operationId: 'listBooksOfPerson',
        words: 'a person',
        read: personPermissions.read,
      }),
      post: books.createIn(
        { operationId: 'createBooksOfPerson', words: 'a person', read: personPermissions.read },
        'person_id',
      ),
    },
  };
}
