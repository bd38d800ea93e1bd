/** Reviews in the database. */
import { brokenReferences, isBrokenReference, takenOr } from '../../database/constraints.ts';
import type { Database } from '../../database/database.ts';
import { createWith, deleteWith, updateWith } from '../../database/hooks.ts';
import { changed, changedOrMissing, missing } from '../../database/missing.ts';
import { readPage } from '../../database/pages.ts';
import type { ListTable, Scope } from '../../database/pages.ts';
import { trial } from '../../database/trial.ts';
import { conflict } from '../../http/errors.ts';
import type { ListRequest } from '../../http/list.ts';
import type { Page } from '../../http/page.ts';
import { newId } from '../../http/uuid.ts';
import type { NamedKind } from '../../http/view.ts';
import type { NewItem } from '../../jobs/work.ts';
import { reviewHooks } from './hooks.ts';
import type { Review, ReviewValues } from './schema.ts';

/** What a review is, and what messages call it; a version may call it otherwise. */
export const REVIEW_KIND: NamedKind<'book_id'> = {
  collection: 'reviews',
  item: 'review',
  table: '"reviews"',
  constraints: {
    item: 'a review',
    unique: {},
  },
  references: { book_id: 'book_id' },
};

/** What is selected of a row: all that clients read. */
const COLUMNS =
  '"reviews"."id", "reviews"."text", "reviews"."book_id", "reviews"."created_at", "reviews"."updated_at"';

/** How lists of them are read; versions compare their own members. */
export const reviewTable: ListTable = {
  name: '"reviews"',
  select: COLUMNS,
  columns: {
    created_at: { name: '"reviews"."created_at"', type: 'timestamptz' },
  },
};

const FIND = {
  keep: true,
  quick: true,
  text: `select ${COLUMNS} from "reviews" where "id" = $1`,
};
const INSERT = {
  keep: true,
  text: `insert into "reviews" ("id", "text", "book_id", "_owner_id")
    values ($1, $2, $3, $4) returning ${COLUMNS}`,
};
// The time of the last change is the revision: a row that somebody else has changed since is not found.
const UPDATE = {
  keep: true,
  text: `update "reviews" set "text" = $3, "book_id" = $4
    where "id" = $1 and "updated_at" = $2 returning ${COLUMNS}`,
};
const DELETE = {
  keep: true,
  text: `delete from "reviews"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** The values in the order of the columns of the statements. */
const parameters = (values: ReviewValues): unknown[] => [values.text, values.book_id];

/** One page of a list of reviews; with scopes, of some parent's or owner's alone. */
export const listReviews = (
  database: Database,
  list: ListRequest,
  scopes: readonly Scope[] = [],
  table: ListTable = reviewTable,
): Promise<Page<Review>> => readPage<Review>(database, table, list, scopes);

/** Finds a review. @throws 404 where it never was, 410 where it was removed. */
export async function findReview(
  database: Database,
  id: string,
  kind = REVIEW_KIND,
): Promise<Review> {
  const [found] = await database.query<Review>(FIND, [id]);
  if (found === undefined) throw await missing(database, kind, id);
  return found;
}

/** Stores a new review, and runs `finish` in the same transaction. @throws 409 for a unique value that is taken, 422 for a broken reference. */
export async function createReview(
  database: Database,
  { id, values, owner }: NewItem<ReviewValues>,
  finish: (transaction: Database) => Promise<void>,
  kind = REVIEW_KIND,
): Promise<void> {
  try {
    await database.transaction(async (transaction) => {
      await createWith(reviewHooks, transaction, values, (inside, given) =>
        insert(inside, id, given, owner),
      );
      await finish(transaction);
    });
  } catch (error) {
    throw await explain(database, error, values, kind);
  }
}

/** Finds out what a new review would run into by now, and stores none. @throws as createReview does. */
export async function tryReview(
  transaction: Database,
  values: ReviewValues,
  kind = REVIEW_KIND,
): Promise<void> {
  try {
    await trial(transaction, (inside) => insert(inside, newId(), values, null));
  } catch (error) {
    throw await explain(transaction, error, values, kind);
  }
}

/**
 * Changes a review. `change` says what it becomes, and is asked again where somebody else
 * changed it meanwhile: no change is lost. With a revision it is changed in that state alone.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateReview(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: Review) => ReviewValues,
  kind = REVIEW_KIND,
): Promise<Review> {
  for (;;) {
    const stored = await findReview(database, id, kind);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(kind);
    const values = change(stored);
    try {
      const updated = await updateWith(reviewHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error, values, kind);
    }
  }
}

/**
 * Removes a review for good; with a revision, in that state alone.
 * @throws 404, 410, 412, and 409 where others refer to it.
 */
export async function deleteReview(
  database: Database,
  id: string,
  revision?: string,
  kind = REVIEW_KIND,
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(reviewHooks, database, id, (inside) => remove(inside, id, revision));
  } catch (error) {
    if (!isBrokenReference(error)) throw error;
    throw conflict(`Others still refer to this ${kind.item}: remove them first.`);
  }
  if (!removed) throw await changedOrMissing(database, kind, id);
}

async function insert(
  database: Database,
  id: string,
  values: ReviewValues,
  owner: string | null,
): Promise<Review> {
  const [created] = await database.insert<Review>(INSERT, [id, ...parameters(values), owner]);
  if (created === undefined) throw new Error('the insert gave no row back');
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
    ...parameters(values),
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

/** What an error of the database means for a client. */
async function explain(
  database: Database,
  error: unknown,
  values: ReviewValues,
  kind = REVIEW_KIND,
): Promise<unknown> {
  if (!isBrokenReference(error)) return takenOr(error, kind.constraints);
  return brokenReferences(database, error, [
    { member: kind.references.book_id, table: '"books"', id: values.book_id },
  ]);
}
