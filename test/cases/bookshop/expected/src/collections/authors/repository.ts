/** The SQL statements of authors. */
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
import { searchWords } from '../../platform/http/search-words.ts';
import { authorHooks } from './hooks.ts';
import { AuthorComputed } from './schema.ts';
import type { Author, AuthorValues } from './schema.ts';

export const AUTHOR_RESOURCE: Resource = {
  collection: 'authors',
  item: 'author',
  anItem: 'an author',
  table: '"authors"',
  unique: {},
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Author> = {
  id: '"authors"."id"',
  name: '"authors"."name"',
  born_on: '"authors"."born_on"',
  website: '"authors"."website"',
  biography: '"authors"."biography"',
  created_at: '"authors"."created_at"',
  updated_at: '"authors"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<AuthorValues> = {
  name: (values) => values.name,
  born_on: (values) => values.born_on,
  website: (values) => values.website,
  biography: (values) => values.biography,
  _words: (values) => searchWords(values.name, values.biography),
};

const LISTS: ListTable = {
  name: '"authors"',
  members: COLUMNS,
  largest: 133474,
  unbounded: Object.keys(AuthorComputed.properties),
  columns: {
    name: { name: '"authors"."name"', type: 'text' },
    born_on: {
      name: '"authors"."born_on"',
      type: 'date',
      order: (value: string) => [`(${value} is null)`, `coalesce(${value}, date '0001-01-01')`],
    },
    created_at: { name: '"authors"."created_at"', type: 'timestamptz' },
  },
};

const STATEMENTS = crudStatements('"authors"', COLUMNS, WRITTEN);

/** Reads a page of authors. Fixed filters limit the list to a parent or an owner. */
export const listAuthors = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<Author>> => readPage<Author>(database, LISTS, list, fixedFilters);

/** Finds an author. @throws 404 if it never existed, 410 if it was removed. */
export async function findAuthor(database: Database, id: string): Promise<Author> {
  const [found] = await database.query<Author>(STATEMENTS.find, [id]);
  if (found === undefined) throw await missing(database, AUTHOR_RESOURCE, id);
  return found;
}

/** Inserts an author. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createAuthor(database: Database, values: AuthorValues): Promise<Author> {
  const { beforeCreate, afterCreate } = authorHooks;
  try {
    return await changeWithHooks(database, [beforeCreate, afterCreate], async (transaction) => {
      const hooked = (await beforeCreate?.(values, transaction)) ?? values;
      const [created] = await transaction.query<Author>(STATEMENTS.insert, [
        newId(),
        ...parametersOf(WRITTEN, hooked),
      ]);
      if (created === undefined) throw new Error('the insert returned no row');
      await afterCreate?.(created, transaction);
      return created;
    });
  } catch (error) {
    throw await asRefusal(database, error, AUTHOR_RESOURCE);
  }
}

/**
 * Updates an author. After a concurrent change it is tried again, so that no update is lost.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @param change computes the new values from the stored item.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateAuthor(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: Author) => AuthorValues | Promise<AuthorValues>,
): Promise<Author> {
  const { beforeUpdate, afterUpdate } = authorHooks;
  for (;;) {
    const stored = await findAuthor(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(AUTHOR_RESOURCE);
    const values = await change(stored);
    try {
      return await changeWithHooks(database, [beforeUpdate, afterUpdate], async (transaction) => {
        const hooked = (await beforeUpdate?.(values, stored, transaction)) ?? values;
        const parameters = [id, stored.updated_at, ...parametersOf(WRITTEN, hooked)];
        const [updated] = await transaction.query<Author>(STATEMENTS.update, parameters);
        if (updated === undefined) throw new ConcurrentChange();
        await afterUpdate?.(updated, transaction);
        return updated;
      });
    } catch (error) {
      if (error instanceof ConcurrentChange) continue;
      throw await asRefusal(database, error, AUTHOR_RESOURCE);
    }
  }
}

/**
 * Deletes an author.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deleteAuthor(
  database: Database,
  id: string,
  revision?: string,
): Promise<void> {
  const { beforeDelete, afterDelete } = authorHooks;
  try {
    await changeWithHooks(database, [beforeDelete, afterDelete], async (transaction) => {
      await beforeDelete?.(id, transaction);
      const deleted = await transaction.query(STATEMENTS.delete, [id, revision]);
      if (deleted.length === 0) throw await changedOrMissing(transaction, AUTHOR_RESOURCE, id);
      await afterDelete?.(id, transaction);
    });
  } catch (error) {
    throw asRemovalRefusal(error, 'author');
  }
}
