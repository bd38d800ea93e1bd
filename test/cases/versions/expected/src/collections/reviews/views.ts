/** The views of reviews, by version. */
import type { View } from '../../platform/http/view.ts';
import { BOOK_RESOURCE } from '../books/repository.ts';
import { REVIEW_RESOURCE, reviewTable } from './repository.ts';
import { reviewBodies, ReviewBody, reviewLists, ReviewShape } from './schema.ts';
import type { Review, ReviewValues } from './schema.ts';
import { reviewV2 } from './v2.ts';

export type ReviewView = View<Review, ReviewValues, 'book_id'>;

/** The view of versions that have the stored form. */
const stored: ReviewView = {
  path: 'reviews',
  resource: REVIEW_RESOURCE,
  bodies: reviewBodies,
  lists: reviewLists,
  table: reviewTable,
  nested: {
    book_id: { parent: 'books', path: 'reviews', resource: BOOK_RESOURCE, name: 'ReviewsOfBook' },
  },
  show: (review) => review,
  doc: {
    tag: 'Reviews',
    words: 'reviews',
    type: 'Review',
    types: 'Reviews',
    item: ReviewShape,
    body: ReviewBody,
    unique: [],
  },
};

/** The views by version. Versions without reviews have none. */
export const reviewViews: Readonly<Record<number, ReviewView>> = {
  2: reviewV2,
  3: stored,
};
