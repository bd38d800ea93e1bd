/** Books in the database. */
import { isBrokenReference, takenOr } from '../../database/constraints.ts';
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
import { bookHooks } from './hooks.ts';
import type { Book, BookValues } from './schema.ts';

export const BOOK_KIND: Kind = { collection: 'books', item: 'book', table: '"books"' };

/** What is selected of a row: all that clients read. */
const COLUMNS =
  '"books"."id", "books"."title", "books"."price", "books"."created_at", "books"."updated_at"';

const LISTS: ListTable = {
  name: '"books"',
  select: COLUMNS,
  columns: {
    created_at: { name: '"books"."created_at"', type: 'timestamptz' },
  },
};

const CONSTRAINTS: Constraints = {
  item: 'a book',
  unique: {},
};

const FIND = {
  keep: true,
  quick: true,
  text: `select ${COLUMNS} from "books" where "id" = $1`,
};
const INSERT = {
  keep: true,
  text: `insert into "books" ("id", "title", "price")
    values ($1, $2, $3) returning ${COLUMNS}`,
};
// The time of the last change is the revision: a row that somebody else has changed since is not found.
const UPDATE = {
  keep: true,
  text: `update "books" set "title" = $3, "price" = $4
    where "id" = $1 and "updated_at" = $2 returning ${COLUMNS}`,
};
const DELETE = {
  keep: true,
  text: `delete from "books"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** The values in the order of the columns of the statements. */
const parameters = (values: BookValues): unknown[] => [values.title, values.price];

/** One page of a list of books; with scopes, of some parent's or owner's alone. */
export const listBooks = (
  database: Database,
  list: ListRequest,
  scopes: readonly Scope[] = [],
): Promise<Page<Book>> => readPage<Book>(database, LISTS, list, scopes);

/** Finds a book. @throws 404 where it never was, 410 where it was removed. */
export async function findBook(database: Database, id: string): Promise<Book> {
  const [found] = await database.query<Book>(FIND, [id]);
  if (found === undefined) throw await missing(database, BOOK_KIND, id);
  return found;
}

/** Stores a new book. @throws 409 for a unique value that is taken, 422 for a broken reference. */
export async function createBook(database: Database, values: BookValues): Promise<Book> {
  try {
    return await createWith(bookHooks, database, values, insert);
  } catch (error) {
    throw takenOr(error, CONSTRAINTS);
  }
}

/**
 * Changes a book. `change` says what it becomes, and is asked again where somebody else
 * changed it meanwhile: no change is lost. With a revision it is changed in that state alone.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateBook(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: Book) => BookValues,
): Promise<Book> {
  for (;;) {
    const stored = await findBook(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(BOOK_KIND);
    const values = change(stored);
    try {
      const updated = await updateWith(bookHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw takenOr(error, CONSTRAINTS);
    }
  }
}

/**
 * Removes a book for good; with a revision, in that state alone.
 * @throws 404, 410, 412, and 409 where others refer to it.
 */
export async function deleteBook(database: Database, id: string, revision?: string): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(bookHooks, database, id, (inside) => remove(inside, id, revision));
  } catch (error) {
    if (!isBrokenReference(error)) throw error;
    throw conflict(`Others (${error.table}) still refer to this book: remove them first.`);
  }
  if (!removed) throw await changedOrMissing(database, BOOK_KIND, id);
}

async function insert(database: Database, values: BookValues): Promise<Book> {
  const [created] = await database.query<Book>(INSERT, [newId(), ...parameters(values)]);
  if (created === undefined) throw new Error('the insert gave no row back');
  return created;
}

async function update(
  database: Database,
  stored: Book,
  values: BookValues,
): Promise<Book | undefined> {
  const [updated] = await database.query<Book>(UPDATE, [
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
