/** The SQL statements of reviews. */
import { crudStatements, parametersOf } from '../../platform/database/columns.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import { asRefusal, asRemovalRefusal } from '../../platform/database/constraints.ts';
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
import { dryRun } from '../../platform/database/dry-run.ts';
import type { ListRequest } from '../../platform/http/list.ts';
import type { Page } from '../../platform/http/page.ts';
import { newId } from '../../platform/http/uuid.ts';
import type { VersionedResource } from '../../platform/http/view.ts';
import type { NewItem } from '../../platform/jobs/work.ts';
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

const STATEMENTS = crudStatements('"reviews"', COLUMNS, WRITTEN, { hasOwner: true });

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
  resource = REVIEW_RESOURCE,
): Promise<Review> {
  const [found] = await database.query<Review>(STATEMENTS.find, [id]);
  if (found === undefined) throw await missing(database, resource, id);
  return found;
}

/** Inserts a review, and runs `finish` in the same transaction. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createReview(
  database: Database,
  { id, values, owner }: NewItem<ReviewValues>,
  finish: (transaction: Database) => Promise<void>,
  resource = REVIEW_RESOURCE,
): Promise<void> {
  const { beforeCreate, afterCreate } = reviewHooks;
  try {
    await changeWithHooks(database, [beforeCreate, finish, afterCreate], async (transaction) => {
      const hooked = (await beforeCreate?.(values, transaction)) ?? values;
      const created = await insert(transaction, id, hooked, owner);
      await afterCreate?.(created, transaction);
      await finish(transaction);
    });
  } catch (error) {
    throw await asRefusal(database, error, resource, referencesOf(values, resource));
  }
}

/** Inserts a review and rolls the insert back, to find its errors. @throws like createReview. */
export async function tryReview(
  transaction: Database,
  values: ReviewValues,
  resource = REVIEW_RESOURCE,
): Promise<void> {
  try {
    await dryRun(transaction, (inDryRun) => insert(inDryRun, newId(), values, null));
  } catch (error) {
    throw await asRefusal(transaction, error, resource, referencesOf(values, resource));
  }
}

async function insert(
  database: Database,
  id: string,
  values: ReviewValues,
  owner: string | null,
): Promise<Review> {
  const [created] = await database.query<Review>(STATEMENTS.insert, [
    id,
    owner,
    ...parametersOf(WRITTEN, values),
  ]);
  if (created === undefined) throw new Error('the insert returned no row');
  return created;
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
  resource = REVIEW_RESOURCE,
): Promise<Review> {
  const { beforeUpdate, afterUpdate } = reviewHooks;
  for (;;) {
    const stored = await findReview(database, id, resource);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(resource);
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
      throw await asRefusal(database, error, resource, referencesOf(values, resource));
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
  resource = REVIEW_RESOURCE,
): Promise<void> {
  const { beforeDelete, afterDelete } = reviewHooks;
  try {
    await changeWithHooks(database, [beforeDelete, afterDelete], async (transaction) => {
      await beforeDelete?.(id, transaction);
      const deleted = await transaction.query(STATEMENTS.delete, [id, revision]);
      if (deleted.length === 0) throw await changedOrMissing(transaction, resource, id);
      await afterDelete?.(id, transaction);
    });
  } catch (error) {
    throw asRemovalRefusal(error, resource.item, false);
  }
}

const referencesOf = (values: ReviewValues, { references }: typeof REVIEW_RESOURCE) => [
  { member: references.book_id, table: '"books"', id: values.book_id },
];
