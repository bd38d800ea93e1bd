/** Books as each version has them. */
import type { View } from '../../http/view.ts';
import { PERSON_KIND } from '../people/repository.ts';
import { BOOK_KIND, bookTable } from './repository.ts';
import { bookBodies, bookLists } from './schema.ts';
import type { Book, BookValues } from './schema.ts';
import { bookV1 } from './v1.ts';
import { bookV2 } from './v2.ts';

export type BookView = View<Book, BookValues, 'person_id'>;

/** Books as they are stored. */
const stored: BookView = {
  path: 'books',
  kind: BOOK_KIND,
  bodies: bookBodies,
  lists: bookLists,
  table: bookTable,
  nested: {
    person_id: { parent: 'people', path: 'books', kind: PERSON_KIND },
  },
  show: (book) => book,
};

/** By version; one that has no books is not here. */
export const bookViews: Readonly<Record<number, BookView>> = {
  1: bookV1,
  2: bookV2,
  3: stored,
};
