/** The SQL statements of books. */
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
import { bookHooks } from './hooks.ts';
import type { Book, BookValues } from './schema.ts';

export const BOOK_KIND: ResourceName = { collection: 'books', item: 'book', table: '"books"' };

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Book> = {
  id: '"books"."id"',
  title: '"books"."title"',
  price: '"books"."price"',
  created_at: '"books"."created_at"',
  updated_at: '"books"."updated_at"',
};
const SELECTED = selectList(COLUMNS);

/** The values of written columns. */
const WRITTEN: WrittenColumns<BookValues> = {
  title: (values) => values.title,
  price: (values) => values.price,
};

const LISTS: ListTable = {
  name: '"books"',
  members: COLUMNS,
  largest: 941,
  columns: {
    created_at: { name: '"books"."created_at"', type: 'timestamptz' },
  },
};

const CONSTRAINTS: Constraints = {
  item: 'a book',
  table: '"books"',
  unique: {},
};

const FIND = {
  prepared: true,
  pipelined: true,
  text: `select ${SELECTED} from "books" where "id" = $1`,
};
const INSERT = {
  prepared: true,
  pipelined: 'overflow' as const,
  text: `insert into "books" ("id", ${columnList(WRITTEN)})
    values ($1, ${placeholders(WRITTEN, 2)}) returning ${SELECTED}`,
};
// `updated_at` is the revision: if the row was changed concurrently, nothing is updated.
const UPDATE = {
  prepared: true,
  text: `update "books" set ${assignments(WRITTEN, 3)}
    where "id" = $1 and "updated_at" = $2 returning ${SELECTED}`,
};
const DELETE = {
  prepared: true,
  text: `delete from "books"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** Reads a page of books. Fixed filters limit the list to a parent or an owner. */
export const listBooks = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<Book>> => readPage<Book>(database, LISTS, list, fixedFilters);

/** Finds a book. @throws 404 if it never existed, 410 if it was removed. */
export async function findBook(database: Database, id: string): Promise<Book> {
  const [found] = await database.query<Book>(FIND, [id]);
  if (found === undefined) throw await missing(database, BOOK_KIND, id);
  return found;
}

/** Inserts a book. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createBook(database: Database, values: BookValues): Promise<Book> {
  try {
    return await createWith(bookHooks, database, values, insert);
  } catch (error) {
    throw await explain(database, error);
  }
}

/**
 * Updates a book. After a concurrent change it is tried again, so that no update is lost.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @param change computes the new values from the stored item.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateBook(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: Book) => BookValues | Promise<BookValues>,
): Promise<Book> {
  for (;;) {
    const stored = await findBook(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(BOOK_KIND);
    const values = await change(stored);
    try {
      const updated = await updateWith(bookHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error);
    }
  }
}

/**
 * Deletes a book.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deleteBook(database: Database, id: string, revision?: string): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(bookHooks, database, id, (inTransaction) =>
      remove(inTransaction, id, revision),
    );
  } catch (error) {
    throw asRemovalRefusal(error, 'book');
  }
  if (!removed) throw await changedOrMissing(database, BOOK_KIND, id);
}

async function insert(database: Database, values: BookValues): Promise<Book> {
  const [created] = await database.query<Book>(INSERT, [newId(), ...parametersOf(WRITTEN, values)]);
  if (created === undefined) throw new Error('the insert returned no row');
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
const explain = (database: Database, error: unknown): Promise<unknown> =>
  asRefusal(database, error, CONSTRAINTS);
