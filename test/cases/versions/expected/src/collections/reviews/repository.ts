/** The repository of reviews: their columns, and the functions made of them. */
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import type { VersionedResource } from '../../platform/http/view.ts';
import { reviewHooks } from './hooks.ts';
import { ReviewComputed } from './schema.ts';
import type { Review, ReviewValues } from './schema.ts';

/** The names of a review for messages, and its table. A version may have other names. */
export const REVIEW_RESOURCE: VersionedResource<'book_id'> = {
  collection: 'reviews',
  item: 'review',
  anItem: 'a review',
  table: '"reviews"',
  unique: {},
  references: { book_id: 'book_id' },
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Review> = {
  id: '"reviews"."id"',
  text: '"reviews"."text"',
  book_id: '"reviews"."book_id"',
  created_at: '"reviews"."created_at"',
  updated_at: '"reviews"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<ReviewValues> = {
  text: (values) => values.text,
  book_id: (values) => values.book_id,
};

/** The columns of lists. A version can have other columns. */
export const reviewTable: ListTable = {
  name: '"reviews"',
  members: COLUMNS,
  largest: 232,
  unbounded: ['text', ...Object.keys(ReviewComputed.properties)],
  columns: {
    created_at: { name: '"reviews"."created_at"', type: 'timestamptz' },
  },
};

export const {
  list: listReviews,
  find: findReview,
  create: createReview,
  dryRun: dryRunReview,
  update: updateReview,
  delete: deleteReview,
} = crudRepository<Review, ReviewValues>({
  resource: REVIEW_RESOURCE,
  lists: reviewTable,
  written: WRITTEN,
  hasOwner: true,
  references: { book_id: '"books"' },
  hooks: () => reviewHooks,
});
