/** The repository of reviews: their columns, and the functions made of them. */
import type { Resource } from '../../platform/database/constraints.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/repository.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import { reviewHooks } from './hooks.ts';
import { ReviewComputed } from './schema.ts';
import type { Review, ReviewValues } from './schema.ts';

export const REVIEW_RESOURCE: Resource = {
  collection: 'reviews',
  item: 'review',
  anItem: 'a review',
  table: '"reviews"',
  unique: {},
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Review> = {
  id: '"reviews"."id"',
  book_id: '"reviews"."book_id"',
  reader: '"reviews"."reader"',
  rating: '"reviews"."rating"',
  body: '"reviews"."body"',
  created_at: '"reviews"."created_at"',
  updated_at: '"reviews"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<ReviewValues> = {
  book_id: (values) => values.book_id,
  reader: (values) => values.reader,
  rating: (values) => values.rating,
  body: (values) => values.body,
  _words: (values) => searchWords(values.body),
};

const LISTS: ListTable = {
  name: '"reviews"',
  members: COLUMNS,
  largest: 60882,
  unbounded: Object.keys(ReviewComputed.properties),
  columns: {
    rating: { name: '"reviews"."rating"', type: 'bigint' },
    created_at: { name: '"reviews"."created_at"', type: 'timestamptz' },
    book_id: { name: '"reviews"."book_id"', type: 'uuid' },
    reader: { name: '"reviews"."reader"', type: 'text' },
  },
};

export const {
  list: listReviews,
  find: findReview,
  create: createReview,
  update: updateReview,
  delete: deleteReview,
} = crudRepository<Review, ReviewValues>({
  resource: REVIEW_RESOURCE,
  lists: LISTS,
  written: WRITTEN,
  hasOwner: true,
  owner: '"reviews"."_owner_id"',
  references: { book_id: '"books"' },
  hooks: () => reviewHooks,
});
