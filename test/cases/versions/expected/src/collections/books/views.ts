/** The views of books, by version. */
import type { View } from '../../platform/http/view.ts';
import { PERSON_RESOURCE } from '../people/repository.ts';
import { BOOK_RESOURCE, bookTable } from './repository.ts';
import { bookBodies, BookBody, bookLists, BookShape } from './schema.ts';
import type { Book, BookValues } from './schema.ts';
import { bookV1 } from './v1.ts';
import { bookV2 } from './v2.ts';

export type BookView = View<Book, BookValues, 'person_id'>;

/** The view of versions that have the stored form. */
const stored: BookView = {
  path: 'books',
  resource: BOOK_RESOURCE,
  bodies: bookBodies,
  lists: bookLists,
  table: bookTable,
  nested: {
    person_id: {
      parent: 'people',
      path: 'books',
      resource: PERSON_RESOURCE,
      name: 'BooksOfPerson',
    },
  },
  show: (book) => book,
  doc: {
    tag: 'Books',
    words: 'books',
    type: 'Book',
    types: 'Books',
    item: BookShape,
    body: BookBody,
    unique: ['title', 'isbn', 'number', 'person_id'],
  },
};

/** The views by version. Versions without books have none. */
export const bookViews: Readonly<Record<number, BookView>> = {
  1: bookV1,
  2: bookV2,
  3: stored,
};
