/** The SQL statements of books. */
import { crudStatements, parametersOf, selectList } from '../../platform/database/columns.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import { asRefusal, asRemovalRefusal } from '../../platform/database/constraints.ts';
import type { Database } from '../../platform/database/database.ts';
import { changeWithHooks } from '../../platform/database/hooks.ts';
import { toJson } from '../../platform/database/json.ts';
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
import type { VersionedResource } from '../../platform/http/view.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import { bookHooks } from './hooks.ts';
import { BookComputed } from './schema.ts';
import type { StoredBook, Book, BookValues } from './schema.ts';

/** The names of a book for messages, and its table. A version may have other names. */
export const BOOK_RESOURCE: VersionedResource<'person_id'> = {
  collection: 'books',
  item: 'book',
  anItem: 'a book',
  table: '"books"',
  unique: {
    books__isbn__key: ['isbn'],
    books__person_id__title__key: ['person_id', 'title'],
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
  unbounded: ['isbn', 'tags', ...Object.keys(BookComputed.properties)],
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

const STATEMENTS = crudStatements('"books"', COLUMNS, WRITTEN, { hasOwner: true });
const FIND_STORED = {
  ...STATEMENTS.find,
  text: `select ${selectList(STORED)} from "books" where "id" = $1`,
};

/** Reads a page of books. Fixed filters limit the list to a parent or an owner. */
export const listBooks = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
  table: ListTable = bookTable,
): Promise<Page<Book>> => readPage<Book>(database, table, list, fixedFilters);

/** Finds a book. @throws 404 if it never existed, 410 if it was removed. */
export async function findBook(
  database: Database,
  id: string,
  resource = BOOK_RESOURCE,
): Promise<Book> {
  const [found] = await database.query<Book>(STATEMENTS.find, [id]);
  if (found === undefined) throw await missing(database, resource, id);
  return found;
}

/** Inserts a book. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createBook(
  database: Database,
  values: BookValues,
  owner: string | null,
  resource = BOOK_RESOURCE,
): Promise<Book> {
  const { beforeCreate, afterCreate } = bookHooks;
  try {
    return await changeWithHooks(database, [beforeCreate, afterCreate], async (transaction) => {
      const hooked = (await beforeCreate?.(values, transaction)) ?? values;
      const [created] = await transaction.query<Book>(STATEMENTS.insert, [
        newId(),
        owner,
        ...parametersOf(WRITTEN, hooked),
      ]);
      if (created === undefined) throw new Error('the insert returned no row');
      await afterCreate?.(created, transaction);
      return created;
    });
  } catch (error) {
    throw await asRefusal(database, error, resource, referencesOf(values, resource));
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
  resource = BOOK_RESOURCE,
): Promise<Book> {
  const { beforeUpdate, afterUpdate } = bookHooks;
  for (;;) {
    const stored = await findStored(database, id, resource);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(resource);
    const values = await change(stored);
    try {
      return await changeWithHooks(database, [beforeUpdate, afterUpdate], async (transaction) => {
        const hooked = (await beforeUpdate?.(values, stored, transaction)) ?? values;
        const parameters = [id, stored.updated_at, ...parametersOf(WRITTEN, hooked)];
        const [updated] = await transaction.query<Book>(STATEMENTS.update, parameters);
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
 * Deletes a book.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deleteBook(
  database: Database,
  id: string,
  revision?: string,
  resource = BOOK_RESOURCE,
): Promise<void> {
  const { beforeDelete, afterDelete } = bookHooks;
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

async function findStored(
  database: Database,
  id: string,
  resource = BOOK_RESOURCE,
): Promise<StoredBook> {
  const [found] = await database.query<StoredBook>(FIND_STORED, [id]);
  if (found === undefined) throw await missing(database, resource, id);
  return found;
}

const referencesOf = (values: BookValues, { references }: typeof BOOK_RESOURCE) => [
  { member: references.person_id, table: '"people"', id: values.person_id },
];
