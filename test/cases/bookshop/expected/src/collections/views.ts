/**
 * The collections as versions of the API have them, for endpoints of your own: the third argument of a
 * function of routes is the version. `schema.ts` has the shapes of the newest version only.
 */
import { sameInAllVersions } from '../platform/http/collection-views.ts';
import { AUTHOR_RESOURCE } from './authors/repository.ts';
import * as authorsSchema from './authors/schema.ts';
import { BOOK_RESOURCE } from './books/repository.ts';
import * as booksSchema from './books/schema.ts';
import { REVIEW_RESOURCE } from './reviews/repository.ts';
import * as reviewsSchema from './reviews/schema.ts';

export const views = {
  authors: sameInAllVersions(() => ({
    path: 'authors',
    shape: authorsSchema.AuthorShape,
    body: authorsSchema.AuthorBody,
    bodies: authorsSchema.authorBodies,
    show: (item: authorsSchema.Author) => item,
    resource: AUTHOR_RESOURCE,
  })),
  books: sameInAllVersions(() => ({
    path: 'books',
    shape: booksSchema.BookShape,
    body: booksSchema.BookBody,
    bodies: booksSchema.bookBodies,
    show: (item: booksSchema.Book) => item,
    resource: BOOK_RESOURCE,
  })),
  reviews: sameInAllVersions(() => ({
    path: 'reviews',
    shape: reviewsSchema.ReviewShape,
    body: reviewsSchema.ReviewBody,
    bodies: reviewsSchema.reviewBodies,
    show: (item: reviewsSchema.Review) => item,
    resource: REVIEW_RESOURCE,
  })),
};
