/** The SQL statements of books. */
import { crudStatements, parametersOf } from '../../platform/database/columns.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import { asRefusal, asRemovalRefusal } from '../../platform/database/constraints.ts';
import type { Resource } from '../../platform/database/constraints.ts';
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
import type { ListRequest } from '../../platform/http/list.ts';
import type { Page } from '../../platform/http/page.ts';
import { newId } from '../../platform/http/uuid.ts';
import { bookHooks } from './hooks.ts';
import { BookComputed } from './schema.ts';
import type { Book, BookValues } from './schema.ts';

export const BOOK_RESOURCE: Resource = {
  collection: 'books',
  item: 'book',
  anItem: 'a book',
  table: '"books"',
  unique: {},
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Book> = {
  id: '"books"."id"',
  title: '"books"."title"',
  cost: '"books"."cost"',
  pages: '"books"."pages"',
  created_at: '"books"."created_at"',
  updated_at: '"books"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<BookValues> = {
  title: (values) => values.title,
  cost: (values) => values.cost,
  pages: (values) => values.pages,
};

const LISTS: ListTable = {
  name: '"books"',
  members: COLUMNS,
  largest: 855,
  unbounded: Object.keys(BookComputed.properties),
  columns: {
    title: { name: '"books"."title"', type: 'text' },
    pages: { name: '"books"."pages"', type: 'bigint' },
  },
};

const STATEMENTS = crudStatements('"books"', COLUMNS, WRITTEN);

/** Reads a page of books. Fixed filters limit the list to a parent or an owner. */
export const listBooks = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<Book>> => readPage<Book>(database, LISTS, list, fixedFilters);

/** Finds a book. @throws 404 if it never existed, 410 if it was removed. */
export async function findBook(database: Database, id: string): Promise<Book> {
  const [found] = await database.query<Book>(STATEMENTS.find, [id]);
  if (found === undefined) throw await missing(database, BOOK_RESOURCE, id);
  // Told to the people at the desk.
  return found;
}

/** Inserts a book. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createBook(database: Database, values: BookValues): Promise<Book> {
  const { beforeCreate, afterCreate } = bookHooks;
  try {
    return await changeWithHooks(database, [beforeCreate, afterCreate], async (transaction) => {
      const hooked = (await beforeCreate?.(values, transaction)) ?? values;
      const [created] = await transaction.query<Book>(STATEMENTS.insert, [
        newId(),
        ...parametersOf(WRITTEN, hooked),
      ]);
      if (created === undefined) throw new Error('the insert returned no row');
      await afterCreate?.(created, transaction);
      return created;
    });
  } catch (error) {
    throw await asRefusal(database, error, BOOK_RESOURCE);
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
  const { beforeUpdate, afterUpdate } = bookHooks;
  for (;;) {
    const stored = await findBook(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(BOOK_RESOURCE);
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
      throw await asRefusal(database, error, BOOK_RESOURCE);
    }
  }
}

/**
 * Deletes a book.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deleteBook(database: Database, id: string, revision?: string): Promise<void> {
  const { beforeDelete, afterDelete } = bookHooks;
  try {
    await changeWithHooks(database, [beforeDelete, afterDelete], async (transaction) => {
      await beforeDelete?.(id, transaction);
      const deleted = await transaction.query(STATEMENTS.delete, [id, revision]);
      if (deleted.length === 0) throw await changedOrMissing(transaction, BOOK_RESOURCE, id);
      await afterDelete?.(id, transaction);
    });
  } catch (error) {
    throw asRemovalRefusal(error, 'book');
  }
}
