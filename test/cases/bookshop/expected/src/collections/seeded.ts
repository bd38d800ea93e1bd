/** How seeds create items, by the name of the collection. */
import { anySeeded } from '../platform/seeds/seeded-collection.ts';
import type { AnySeeded } from '../platform/seeds/seeded-collection.ts';
import { seededUsers } from '../platform/seeds/seeded-users.ts';
import { createAuthor, AUTHOR_RESOURCE } from './authors/repository.ts';
import { authorBodies } from './authors/schema.ts';
import { createBook, BOOK_RESOURCE } from './books/repository.ts';
import { bookBodies } from './books/schema.ts';
import { createReview, REVIEW_RESOURCE } from './reviews/repository.ts';
import { reviewBodies } from './reviews/schema.ts';

export const seeded: Readonly<Record<string, AnySeeded>> = {
  users: seededUsers,
  authors: anySeeded({
    resource: AUTHOR_RESOURCE,
    references: {},
    read: (request) => authorBodies.create(request),
    create: createAuthor,
  }),
  books: anySeeded({
    resource: BOOK_RESOURCE,
    references: { author_id: 'authors' },
    read: (request) => bookBodies.create(request),
    create: createBook,
  }),
  reviews: anySeeded({
    resource: REVIEW_RESOURCE,
    references: { book_id: 'books' },
    read: (request) => reviewBodies.create(request),
    create: createReview,
  }),
};
