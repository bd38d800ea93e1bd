/** The SQL statements of reviews. */
import { crudStatements, parametersOf } from '../../platform/database/columns.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import { asRefusal, asRemovalRefusal } from '../../platform/database/constraints.ts';
import type { Resource } from '../../platform/database/constraints.ts';
import type { Database } from '../../platform/database/database.ts';
import { changeWithHooks } from '../../platform/database/hooks.ts';
import {
  changed,
  changedOrMissing,
  ConcurrentChange,
  missing,
} from '../../platform/database/not-found.ts';
import { readPage } from '../../platform/database/pages.ts';
import type { ListTable, FixedFilter } from '../../platform/database/pages.ts';
import type { ListRequest } from '../../platform/http/list.ts';
import type { Page } from '../../platform/http/page.ts';
import { newId } from '../../platform/http/uuid.ts';
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

const STATEMENTS = crudStatements('"reviews"', COLUMNS, WRITTEN, { hasOwner: true });

/** Reads a page of reviews. Fixed filters limit the list to a parent or an owner. */
export const listReviews = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<Review>> => readPage<Review>(database, LISTS, list, fixedFilters);

/** Finds a review. @throws 404 if it never existed, 410 if it was removed. */
export async function findReview(database: Database, id: string): Promise<Review> {
  const [found] = await database.query<Review>(STATEMENTS.find, [id]);
  if (found === undefined) throw await missing(database, REVIEW_RESOURCE, id);
  return found;
}

/** Inserts a review. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createReview(
  database: Database,
  values: ReviewValues,
  owner: string | null,
): Promise<Review> {
  const { beforeCreate, afterCreate } = reviewHooks;
  try {
    return await changeWithHooks(database, [beforeCreate, afterCreate], async (transaction) => {
      const hooked = (await beforeCreate?.(values, transaction)) ?? values;
      const [created] = await transaction.query<Review>(STATEMENTS.insert, [
        newId(),
        owner,
        ...parametersOf(WRITTEN, hooked),
      ]);
      if (created === undefined) throw new Error('the insert returned no row');
      await afterCreate?.(created, transaction);
      return created;
    });
  } catch (error) {
    throw await asRefusal(database, error, REVIEW_RESOURCE, referencesOf(values));
  }
}

/**
 * Updates a review. After a concurrent change it is tried again, so that no update is lost.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @param change computes the new values from the stored item.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateReview(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: Review) => ReviewValues | Promise<ReviewValues>,
): Promise<Review> {
  const { beforeUpdate, afterUpdate } = reviewHooks;
  for (;;) {
    const stored = await findReview(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(REVIEW_RESOURCE);
    const values = await change(stored);
    try {
      return await changeWithHooks(database, [beforeUpdate, afterUpdate], async (transaction) => {
        const hooked = (await beforeUpdate?.(values, stored, transaction)) ?? values;
        const parameters = [id, stored.updated_at, ...parametersOf(WRITTEN, hooked)];
        const [updated] = await transaction.query<Review>(STATEMENTS.update, parameters);
        if (updated === undefined) throw new ConcurrentChange();
        await afterUpdate?.(updated, transaction);
        return updated;
      });
    } catch (error) {
      if (error instanceof ConcurrentChange) continue;
      throw await asRefusal(database, error, REVIEW_RESOURCE, referencesOf(values));
    }
  }
}

/**
 * Deletes a review.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deleteReview(
  database: Database,
  id: string,
  revision?: string,
): Promise<void> {
  const { beforeDelete, afterDelete } = reviewHooks;
  try {
    await changeWithHooks(database, [beforeDelete, afterDelete], async (transaction) => {
      await beforeDelete?.(id, transaction);
      const deleted = await transaction.query(STATEMENTS.delete, [id, revision]);
      if (deleted.length === 0) throw await changedOrMissing(transaction, REVIEW_RESOURCE, id);
      await afterDelete?.(id, transaction);
    });
  } catch (error) {
    throw asRemovalRefusal(error, 'review');
  }
}

const referencesOf = (values: ReviewValues) => [
  { member: 'book_id', table: '"books"', id: values.book_id },
];
