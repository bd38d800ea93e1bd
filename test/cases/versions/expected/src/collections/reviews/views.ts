/** Reviews as each version has them. */
import type { View } from '../../http/view.ts';
import { BOOK_KIND } from '../books/repository.ts';
import { REVIEW_KIND, reviewTable } from './repository.ts';
import { reviewBodies, reviewLists } from './schema.ts';
import type { Review, ReviewValues } from './schema.ts';
import { reviewV2 } from './v2.ts';

export type ReviewView = View<Review, ReviewValues, 'book_id'>;

/** Reviews as they are stored. */
const stored: ReviewView = {
  path: 'reviews',
  kind: REVIEW_KIND,
  bodies: reviewBodies,
  lists: reviewLists,
  table: reviewTable,
  nested: {
    book_id: { parent: 'books', path: 'reviews', kind: BOOK_KIND },
  },
  show: (review) => review,
};

/** By version; one that has no reviews is not here. */
export const reviewViews: Readonly<Record<number, ReviewView>> = {
  2: reviewV2,
  3: stored,
};
