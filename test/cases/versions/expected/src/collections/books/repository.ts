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
import type { Database } from '../../platform/database/database.ts';
import { createWith, deleteWith, updateWith } from '../../platform/database/hooks.ts';
import { toJson } from '../../platform/database/json.ts';
import { changed, changedOrMissing, missing } from '../../platform/database/not-found.ts';
import { readPage } from '../../platform/database/pages.ts';
import type { ListTable, FixedFilter } from '../../platform/database/pages.ts';
import type { ListRequest } from '../../platform/http/list.ts';
import type { Page } from '../../platform/http/page.ts';
import { newId } from '../../platform/http/uuid.ts';
import type { VersionedResourceName } from '../../platform/http/view.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import { bookHooks } from './hooks.ts';
import type { StoredBook, Book, BookValues } from './schema.ts';

/** The names of a book for messages, and its table. A version may have other names. */
export const BOOK_KIND: VersionedResourceName<'person_id'> = {
  collection: 'books',
  item: 'book',
  table: '"books"',
  constraints: {
    item: 'a book',
    table: '"books"',
    unique: {
      books__isbn__key: ['isbn'],
      books__person_id__title__key: ['person_id', 'title'],
    },
  },
  references: { person_id: 'person_id' },
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Book> = {
  id: '"books"."id"',
  title: '"books"."title"',
  isbn: '"books"."isbn"',
  price: '"books"."price"',
  stock: '"books"."stock"',
  state: '"books"."state"',
  tags: '"books"."tags"',
  genre: '"books"."genre"',
  rating: '"books"."rating"',
  series: '"books"."series"',
  person_id: '"books"."person_id"',
  created_at: '"books"."created_at"',
  updated_at: '"books"."updated_at"',
};
/** The selected members with those that clients cannot read, for updates. */
const STORED: SelectedColumns<StoredBook> = {
  ...COLUMNS,
  secret: '"books"."secret"',
};
const SELECTED = selectList(COLUMNS);

/** The values of written columns. */
const WRITTEN: WrittenColumns<BookValues> = {
  title: (values) => values.title,
  isbn: (values) => values.isbn,
  price: (values) => values.price,
  stock: (values) => values.stock,
  state: (values) => values.state,
  tags: (values) => toJson(values.tags),
  genre: (values) => values.genre,
  secret: (values) => values.secret,
  rating: (values) => values.rating,
  series: (values) => values.series,
  person_id: (values) => values.person_id,
  _words: (values) => searchWords(values.title, values.series),
  _words_v1: (values) => searchWords(values.title),
};

/** The columns of lists. A version can have other columns. */
export const bookTable: ListTable = {
  name: '"books"',
  members: COLUMNS,
  largest: 2117,
  unbounded: ['isbn', 'tags'],
  columns: {
    title: { name: '"books"."title"', type: 'text' },
    price: { name: '"books"."price"', type: 'numeric' },
    state: {
      name: '"books"."state"',
      type: 'text',
      order: (value: string) => [
        `array_position(array['draft', 'published', 'archived', 'withdrawn'], ${value})`,
      ],
    },
    stock: {
      name: '"books"."stock"',
      type: 'bigint',
      order: (value: string) => [`(${value} is null)`, `coalesce(${value}, 0)`],
    },
    person_id: { name: '"books"."person_id"', type: 'uuid' },
    isbn: { name: '"books"."isbn"', type: 'text', beginning: 'left("books"."isbn", 200)' },
  },
};

const FIND = {
  prepared: true,
  pipelined: true,
  text: `select ${SELECTED} from "books" where "id" = $1`,
};
const FIND_STORED = {
  prepared: true,
  pipelined: true,
  text: `select ${selectList(STORED)} from "books" where "id" = $1`,
};
const INSERT = {
  prepared: true,
  pipelined: 'overflow' as const,
  text: `insert into "books" ("id", "_owner_id", ${columnList(WRITTEN)})
    values ($1, $2, ${placeholders(WRITTEN, 3)}) returning ${SELECTED}`,
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
  table: ListTable = bookTable,
): Promise<Page<Book>> => readPage<Book>(database, table, list, fixedFilters);

/** Finds a book. @throws 404 if it never existed, 410 if it was removed. */
export async function findBook(database: Database, id: string, kind = BOOK_KIND): Promise<Book> {
  const [found] = await database.query<Book>(FIND, [id]);
  if (found === undefined) throw await missing(database, kind, id);
  return found;
}

/** Inserts a book. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createBook(
  database: Database,
  values: BookValues,
  owner: string | null,
  kind = BOOK_KIND,
): Promise<Book> {
  try {
    return await createWith(bookHooks, database, values, (inTransaction, hooked) =>
      insert(inTransaction, hooked, owner),
    );
  } catch (error) {
    throw await explain(database, error, values, kind);
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
  change: (stored: StoredBook) => BookValues | Promise<BookValues>,
  kind = BOOK_KIND,
): Promise<Book> {
  for (;;) {
    const stored = await findStored(database, id, kind);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(kind);
    const values = await change(stored);
    try {
      const updated = await updateWith(bookHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error, values, kind);
    }
  }
}

/**
 * Deletes a book.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deleteBook(
  database: Database,
  id: string,
  revision?: string,
  kind = BOOK_KIND,
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(bookHooks, database, id, (inTransaction) =>
      remove(inTransaction, id, revision),
    );
  } catch (error) {
    throw asRemovalRefusal(error, kind.item, false);
  }
  if (!removed) throw await changedOrMissing(database, kind, id);
}

async function findStored(database: Database, id: string, kind = BOOK_KIND): Promise<StoredBook> {
  const [found] = await database.query<StoredBook>(FIND_STORED, [id]);
  if (found === undefined) throw await missing(database, kind, id);
  return found;
}

async function insert(database: Database, values: BookValues, owner: string | null): Promise<Book> {
  const [created] = await database.query<Book>(INSERT, [
    newId(),
    owner,
    ...parametersOf(WRITTEN, values),
  ]);
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
const explain = (
  database: Database,
  error: unknown,
  values: BookValues,
  kind: typeof BOOK_KIND,
): Promise<unknown> =>
  asRefusal(database, error, kind.constraints, [
    { member: kind.references.person_id, table: '"people"', id: values.person_id },
  ]);
