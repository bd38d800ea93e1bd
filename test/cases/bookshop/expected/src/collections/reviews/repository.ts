/** Reviews in the database. */
import { brokenReferences, isBrokenReference, takenOr } from '../../database/constraints.ts';
import type { Constraints } from '../../database/constraints.ts';
import type { Database } from '../../database/database.ts';
import { createWith, deleteWith, updateWith } from '../../database/hooks.ts';
import { changed, changedOrMissing, missing } from '../../database/missing.ts';
import type { Kind } from '../../database/missing.ts';
import { readPage } from '../../database/pages.ts';
import type { ListTable, Scope } from '../../database/pages.ts';
import { conflict } from '../../http/errors.ts';
import type { ListRequest } from '../../http/list.ts';
import type { Page } from '../../http/page.ts';
import { newId } from '../../http/uuid.ts';
import { searchWords } from '../../http/words.ts';
import { reviewHooks } from './hooks.ts';
import type { Review, ReviewValues } from './schema.ts';

export const REVIEW_KIND: Kind = { collection: 'reviews', item: 'review', table: '"reviews"' };

/** What is selected of a row: all that clients read. */
const COLUMNS =
  '"reviews"."id", "reviews"."book_id", "reviews"."reader", "reviews"."rating", "reviews"."body", "reviews"."created_at", "reviews"."updated_at"';

const LISTS: ListTable = {
  name: '"reviews"',
  select: COLUMNS,
  columns: {
    rating: { name: '"reviews"."rating"', type: 'bigint' },
    created_at: { name: '"reviews"."created_at"', type: 'timestamptz' },
    book_id: { name: '"reviews"."book_id"', type: 'uuid' },
    reader: { name: '"reviews"."reader"', type: 'text' },
  },
};

const CONSTRAINTS: Constraints = {
  item: 'a review',
  unique: {},
};

const FIND = {
  keep: true,
  quick: true,
  text: `select ${COLUMNS} from "reviews" where "id" = $1`,
};
const INSERT = {
  keep: true,
  text: `insert into "reviews" ("id", "book_id", "reader", "rating", "body", "_words", "_owner_id")
    values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
};
// The time of the last change is the revision: a row that somebody else has changed since is not found.
const UPDATE = {
  keep: true,
  text: `update "reviews" set "book_id" = $3, "reader" = $4, "rating" = $5, "body" = $6, "_words" = $7
    where "id" = $1 and "updated_at" = $2 returning ${COLUMNS}`,
};
const DELETE = {
  keep: true,
  text: `delete from "reviews"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** The values in the order of the columns of the statements. */
const parameters = (values: ReviewValues): unknown[] => [
  values.book_id,
  values.reader,
  values.rating,
  values.body,
  searchWords(values.body),
];

/** One page of a list of reviews; with scopes, of some parent's or owner's alone. */
export const listReviews = (
  database: Database,
  list: ListRequest,
  scopes: readonly Scope[] = [],
): Promise<Page<Review>> => readPage<Review>(database, LISTS, list, scopes);

/** Finds a review. @throws 404 where it never was, 410 where it was removed. */
export async function findReview(database: Database, id: string): Promise<Review> {
  const [found] = await database.query<Review>(FIND, [id]);
  if (found === undefined) throw await missing(database, REVIEW_KIND, id);
  return found;
}

/** Stores a new review. @throws 409 for a unique value that is taken, 422 for a broken reference. */
export async function createReview(
  database: Database,
  values: ReviewValues,
  owner: string | null,
): Promise<Review> {
  try {
    return await createWith(reviewHooks, database, values, (inside, given) =>
      insert(inside, given, owner),
    );
  } catch (error) {
    throw await explain(database, error, values);
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
): Promise<Review> {
  for (;;) {
    const stored = await findReview(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(REVIEW_KIND);
    const values = change(stored);
    try {
      const updated = await updateWith(reviewHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error, values);
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
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(reviewHooks, database, id, (inside) => remove(inside, id, revision));
  } catch (error) {
    if (!isBrokenReference(error)) throw error;
    throw conflict(`Others (${error.table}) still refer to this review: remove them first.`);
  }
  if (!removed) throw await changedOrMissing(database, REVIEW_KIND, id);
}

async function insert(
  database: Database,
  values: ReviewValues,
  owner: string | null,
): Promise<Review> {
  const [created] = await database.insert<Review>(INSERT, [newId(), ...parameters(values), owner]);
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
async function explain(database: Database, error: unknown, values: ReviewValues): Promise<unknown> {
  if (!isBrokenReference(error)) return takenOr(error, CONSTRAINTS);
  return brokenReferences(database, error, [
    { member: 'book_id', table: '"books"', id: values.book_id },
  ]);
}
