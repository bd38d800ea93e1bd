/** The SQL statements of authors. */
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
import { authorHooks } from './hooks.ts';
import type { Author, AuthorValues } from './schema.ts';

export const AUTHOR_KIND: ResourceName = {
  collection: 'authors',
  item: 'author',
  table: '"authors"',
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
const SELECTED = selectList(COLUMNS);

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

const CONSTRAINTS: Constraints = {
  item: 'an author',
  table: '"authors"',
  unique: {},
};

const FIND = {
  prepared: true,
  pipelined: true,
  text: `select ${SELECTED} from "authors" where "id" = $1`,
};
const INSERT = {
  prepared: true,
  pipelined: 'overflow' as const,
  text: `insert into "authors" ("id", ${columnList(WRITTEN)})
    values ($1, ${placeholders(WRITTEN, 2)}) returning ${SELECTED}`,
};
// `updated_at` is the revision: if the row was changed concurrently, nothing is updated.
const UPDATE = {
  prepared: true,
  text: `update "authors" set ${assignments(WRITTEN, 3)}
    where "id" = $1 and "updated_at" = $2 returning ${SELECTED}`,
};
const DELETE = {
  prepared: true,
  text: `delete from "authors"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** Reads a page of authors. Fixed filters limit the list to a parent or an owner. */
export const listAuthors = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<Author>> => readPage<Author>(database, LISTS, list, fixedFilters);

/** Finds an author. @throws 404 if it never existed, 410 if it was removed. */
export async function findAuthor(database: Database, id: string): Promise<Author> {
  const [found] = await database.query<Author>(FIND, [id]);
  if (found === undefined) throw await missing(database, AUTHOR_KIND, id);
  return found;
}

/** Inserts an author. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createAuthor(database: Database, values: AuthorValues): Promise<Author> {
  try {
    return await createWith(authorHooks, database, values, insert);
  } catch (error) {
    throw await explain(database, error);
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
  for (;;) {
    const stored = await findAuthor(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(AUTHOR_KIND);
    const values = await change(stored);
    try {
      const updated = await updateWith(authorHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error);
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
  let removed: boolean;
  try {
    removed = await deleteWith(authorHooks, database, id, (inTransaction) =>
      remove(inTransaction, id, revision),
    );
  } catch (error) {
    throw asRemovalRefusal(error, 'author');
  }
  if (!removed) throw await changedOrMissing(database, AUTHOR_KIND, id);
}

async function insert(database: Database, values: AuthorValues): Promise<Author> {
  const [created] = await database.query<Author>(INSERT, [
    newId(),
    ...parametersOf(WRITTEN, values),
  ]);
  if (created === undefined) throw new Error('the insert returned no row');
  return created;
}

async function update(
  database: Database,
  stored: Author,
  values: AuthorValues,
): Promise<Author | undefined> {
  const [updated] = await database.query<Author>(UPDATE, [
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
