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
import { searchWords } from '../../platform/http/search-words.ts';
import { bookHooks } from './hooks.ts';
import type { Book, BookValues } from './schema.ts';

export const BOOK_KIND: ResourceName = { collection: 'books', item: 'book', table: '"books"' };

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Book> = {
  id: '"books"."id"',
  title: '"books"."title"',
  isbn: '"books"."isbn"',
  price: '"books"."price"',
  status: '"books"."status"',
  author_id: '"books"."author_id"',
  published_at: '"books"."published_at"',
  created_at: '"books"."created_at"',
  updated_at: '"books"."updated_at"',
};
const SELECTED = selectList(COLUMNS);

/** The values of written columns. */
const WRITTEN: WrittenColumns<BookValues> = {
  title: (values) => values.title,
  isbn: (values) => values.isbn,
  price: (values) => values.price,
  status: (values) => values.status,
  author_id: (values) => values.author_id,
  published_at: (values) => values.published_at,
  _words: (values) => searchWords(values.title),
};

const LISTS: ListTable = {
  name: '"books"',
  members: COLUMNS,
  largest: 2202,
  unbounded: ['isbn'],
  columns: {
    title: {
      name: '"books"."title"',
      type: 'text',
      order: (value: string) => [`left(${value}, 200)`],
    },
    published_at: {
      name: '"books"."published_at"',
      type: 'timestamptz',
      order: (value: string) => [
        `(${value} is null)`,
        `coalesce(${value}, timestamptz '0001-01-01 00:00:00+00')`,
      ],
    },
    created_at: { name: '"books"."created_at"', type: 'timestamptz' },
    status: { name: '"books"."status"', type: 'text' },
    author_id: { name: '"books"."author_id"', type: 'uuid' },
    price: { name: '"books"."price"', type: 'numeric' },
  },
};

const CONSTRAINTS: Constraints = {
  item: 'a book',
  table: '"books"',
  unique: {
    books__isbn__key: ['isbn'],
  },
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
    throw await explain(database, error, values);
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
      throw await explain(database, error, values);
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
const explain = (database: Database, error: unknown, values: BookValues): Promise<unknown> =>
  asRefusal(database, error, CONSTRAINTS, [
    { member: 'author_id', table: '"authors"', id: values.author_id },
  ]);
