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
import type { Database } from '../../platform/database/database.ts';
import { createWith, deleteWith, updateWith } from '../../platform/database/hooks.ts';
import { changed, changedOrMissing, missing } from '../../platform/database/not-found.ts';
import { readPage } from '../../platform/database/pages.ts';
import type { ListTable, FixedFilter } from '../../platform/database/pages.ts';
import { dryRun } from '../../platform/database/dry-run.ts';
import type { ListRequest } from '../../platform/http/list.ts';
import type { Page } from '../../platform/http/page.ts';
import { newId } from '../../platform/http/uuid.ts';
import type { VersionedResourceName } from '../../platform/http/view.ts';
import type { NewItem } from '../../platform/jobs/work.ts';
import { reviewHooks } from './hooks.ts';
import type { Review, ReviewValues } from './schema.ts';

/** The names of a review for messages, and its table. A version may have other names. */
export const REVIEW_KIND: VersionedResourceName<'book_id'> = {
  collection: 'reviews',
  item: 'review',
  table: '"reviews"',
  constraints: {
    item: 'a review',
    table: '"reviews"',
    unique: {},
  },
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
const SELECTED = selectList(COLUMNS);

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
  unbounded: ['text'],
  columns: {
    created_at: { name: '"reviews"."created_at"', type: 'timestamptz' },
  },
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
  table: ListTable = reviewTable,
): Promise<Page<Review>> => readPage<Review>(database, table, list, fixedFilters);

/** Finds a review. @throws 404 if it never existed, 410 if it was removed. */
export async function findReview(
  database: Database,
  id: string,
  kind = REVIEW_KIND,
): Promise<Review> {
  const [found] = await database.query<Review>(FIND, [id]);
  if (found === undefined) throw await missing(database, kind, id);
  return found;
}

/** Inserts a review, and runs `finish` in the same transaction. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createReview(
  database: Database,
  { id, values, owner }: NewItem<ReviewValues>,
  finish: (transaction: Database) => Promise<void>,
  kind = REVIEW_KIND,
): Promise<void> {
  try {
    await database.transaction(async (transaction) => {
      await createWith(reviewHooks, transaction, values, (inTransaction, hooked) =>
        insert(inTransaction, id, hooked, owner),
      );
      await finish(transaction);
    });
  } catch (error) {
    throw await explain(database, error, values, kind);
  }
}

/** Inserts a review and rolls the insert back, to find its errors. @throws like createReview. */
export async function tryReview(
  transaction: Database,
  values: ReviewValues,
  kind = REVIEW_KIND,
): Promise<void> {
  try {
    await dryRun(transaction, (inDryRun) => insert(inDryRun, newId(), values, null));
  } catch (error) {
    throw await explain(transaction, error, values, kind);
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
  kind = REVIEW_KIND,
): Promise<Review> {
  for (;;) {
    const stored = await findReview(database, id, kind);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(kind);
    const values = await change(stored);
    try {
      const updated = await updateWith(reviewHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error, values, kind);
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
  kind = REVIEW_KIND,
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(reviewHooks, database, id, (inTransaction) =>
      remove(inTransaction, id, revision),
    );
  } catch (error) {
    throw asRemovalRefusal(error, kind.item, false);
  }
  if (!removed) throw await changedOrMissing(database, kind, id);
}

async function insert(
  database: Database,
  id: string,
  values: ReviewValues,
  owner: string | null,
): Promise<Review> {
  const [created] = await database.query<Review>(INSERT, [
    id,
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
const explain = (
  database: Database,
  error: unknown,
  values: ReviewValues,
  kind: typeof REVIEW_KIND,
): Promise<unknown> =>
  asRefusal(database, error, kind.constraints, [
    { member: kind.references.book_id, table: '"books"', id: values.book_id },
  ]);
