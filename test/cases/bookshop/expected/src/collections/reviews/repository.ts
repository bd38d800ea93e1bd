/** The SQL statements of reviews. */
import {
  assignments,
  columnList,
  parametersOf,
  placeholders,
  selectList,
} from '../../platform/database/columns.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import { asRefusal, asRemovalRefusal } from '../../platform/database/constraints.ts';
import type { Constraints } from '../../platform/database/constraints.ts';
import type { Database } from '../../platform/database/database.ts';
import { createWith, deleteWith, updateWith } from '../../platform/database/hooks.ts';
import { changed, changedOrMissing, missing } from '../../platform/database/not-found.ts';
import type { ResourceName } from '../../platform/database/not-found.ts';
import { readPage } from '../../platform/database/pages.ts';
import type { ListTable, FixedFilter } from '../../platform/database/pages.ts';
import type { ListRequest } from '../../platform/http/list.ts';
import type { Page } from '../../platform/http/page.ts';
import { newId } from '../../platform/http/uuid.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import { reviewHooks } from './hooks.ts';
import type { Review, ReviewValues } from './schema.ts';

export const REVIEW_KIND: ResourceName = {
  collection: 'reviews',
  item: 'review',
  table: '"reviews"',
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
const SELECTED = selectList(COLUMNS);

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
  columns: {
    rating: { name: '"reviews"."rating"', type: 'bigint' },
    created_at: { name: '"reviews"."created_at"', type: 'timestamptz' },
    book_id: { name: '"reviews"."book_id"', type: 'uuid' },
    reader: { name: '"reviews"."reader"', type: 'text' },
  },
};

const CONSTRAINTS: Constraints = {
  item: 'a review',
  table: '"reviews"',
  unique: {},
};

const FIND = {
  prepared: true,
  pipelined: true,
  text: `select ${SELECTED} from "reviews" where "id" = $1`,
};
const INSERT = {
  prepared: true,
  pipelined: 'overflow' as const,
  text: `insert into "reviews" ("id", "_owner_id", ${columnList(WRITTEN)})
    values ($1, $2, ${placeholders(WRITTEN, 3)}) returning ${SELECTED}`,
};
// `updated_at` is the revision: if the row was changed concurrently, nothing is updated.
const UPDATE = {
  prepared: true,
  text: `update "reviews" set ${assignments(WRITTEN, 3)}
    where "id" = $1 and "updated_at" = $2 returning ${SELECTED}`,
};
const DELETE = {
  prepared: true,
  text: `delete from "reviews"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** Reads a page of reviews. Fixed filters limit the list to a parent or an owner. */
export const listReviews = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<Review>> => readPage<Review>(database, LISTS, list, fixedFilters);

/** Finds a review. @throws 404 if it never existed, 410 if it was removed. */
export async function findReview(database: Database, id: string): Promise<Review> {
  const [found] = await database.query<Review>(FIND, [id]);
  if (found === undefined) throw await missing(database, REVIEW_KIND, id);
  return found;
}

/** Inserts a review. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createReview(
  database: Database,
  values: ReviewValues,
  owner: string | null,
): Promise<Review> {
  try {
    return await createWith(reviewHooks, database, values, (inTransaction, hooked) =>
      insert(inTransaction, hooked, owner),
    );
  } catch (error) {
    throw await explain(database, error, values);
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
  for (;;) {
    const stored = await findReview(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(REVIEW_KIND);
    const values = await change(stored);
    try {
      const updated = await updateWith(reviewHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error, values);
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
  let removed: boolean;
  try {
    removed = await deleteWith(reviewHooks, database, id, (inTransaction) =>
      remove(inTransaction, id, revision),
    );
  } catch (error) {
    throw asRemovalRefusal(error, 'review');
  }
  if (!removed) throw await changedOrMissing(database, REVIEW_KIND, id);
}

async function insert(
  database: Database,
  values: ReviewValues,
  owner: string | null,
): Promise<Review> {
  const [created] = await database.query<Review>(INSERT, [
    newId(),
    owner,
    ...parametersOf(WRITTEN, values),
  ]);
  if (created === undefined) throw new Error('the insert returned no row');
  return created;
}

async function update(
  database: Database,
  stored: Review,
  values: ReviewValues,
): Promise<Review | undefined> {
  const [updated] = await database.query<Review>(UPDATE, [
    stored.id,
    stored.updated_at,
    ...parametersOf(WRITTEN, values),
  ]);
  return updated;
}

async function remove(
  database: Database,
  id: string,
  revision: string | undefined,
): Promise<boolean> {
  const rows = await database.query(DELETE, [id, revision]);
  return rows.length > 0;
}

/** Translates database errors to 409 and 422. */
const explain = (database: Database, error: unknown, values: ReviewValues): Promise<unknown> =>
  asRefusal(database, error, CONSTRAINTS, [
    { member: 'book_id', table: '"books"', id: values.book_id },
  ]);
