/** Authors in the database. */
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
import { searchWords } from '../../http/words.ts';
import { authorHooks } from './hooks.ts';
import type { Author, AuthorValues } from './schema.ts';

export const AUTHOR_KIND: Kind = { collection: 'authors', item: 'author', table: '"authors"' };

/** What is selected of a row: all that clients read. */
const COLUMNS =
  '"authors"."id", "authors"."name", "authors"."born_on", "authors"."website", "authors"."biography", "authors"."created_at", "authors"."updated_at"';

const LISTS: ListTable = {
  name: '"authors"',
  select: COLUMNS,
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
  unique: {},
};

const FIND = {
  keep: true,
  quick: true,
  text: `select ${COLUMNS} from "authors" where "id" = $1`,
};
const INSERT = {
  keep: true,
  text: `insert into "authors" ("id", "name", "born_on", "website", "biography", "_words")
    values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
};
// The time of the last change is the revision: a row that somebody else has changed since is not found.
const UPDATE = {
  keep: true,
  text: `update "authors" set "name" = $3, "born_on" = $4, "website" = $5, "biography" = $6, "_words" = $7
    where "id" = $1 and "updated_at" = $2 returning ${COLUMNS}`,
};
const DELETE = {
  keep: true,
  text: `delete from "authors"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** The values in the order of the columns of the statements. */
const parameters = (values: AuthorValues): unknown[] => [
  values.name,
  values.born_on,
  values.website,
  values.biography,
  searchWords(values.name, values.biography),
];

/** One page of a list of authors; with scopes, of some parent's or owner's alone. */
export const listAuthors = (
  database: Database,
  list: ListRequest,
  scopes: readonly Scope[] = [],
): Promise<Page<Author>> => readPage<Author>(database, LISTS, list, scopes);

/** Finds an author. @throws 404 where it never was, 410 where it was removed. */
export async function findAuthor(database: Database, id: string): Promise<Author> {
  const [found] = await database.query<Author>(FIND, [id]);
  if (found === undefined) throw await missing(database, AUTHOR_KIND, id);
  return found;
}

/** Stores a new author. @throws 409 for a unique value that is taken, 422 for a broken reference. */
export async function createAuthor(database: Database, values: AuthorValues): Promise<Author> {
  try {
    return await createWith(authorHooks, database, values, insert);
  } catch (error) {
    throw takenOr(error, CONSTRAINTS);
  }
}

/**
 * Changes an author. `change` says what it becomes, and is asked again where somebody else
 * changed it meanwhile: no change is lost. With a revision it is changed in that state alone.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateAuthor(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: Author) => AuthorValues,
): Promise<Author> {
  for (;;) {
    const stored = await findAuthor(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(AUTHOR_KIND);
    const values = change(stored);
    try {
      const updated = await updateWith(authorHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw takenOr(error, CONSTRAINTS);
    }
  }
}

/**
 * Removes an author for good; with a revision, in that state alone.
 * @throws 404, 410, 412, and 409 where others refer to it.
 */
export async function deleteAuthor(
  database: Database,
  id: string,
  revision?: string,
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(authorHooks, database, id, (inside) => remove(inside, id, revision));
  } catch (error) {
    if (!isBrokenReference(error)) throw error;
    throw conflict(`Others (${error.table}) still refer to this author: remove them first.`);
  }
  if (!removed) throw await changedOrMissing(database, AUTHOR_KIND, id);
}

async function insert(database: Database, values: AuthorValues): Promise<Author> {
  const [created] = await database.insert<Author>(INSERT, [newId(), ...parameters(values)]);
  if (created === undefined) throw new Error('the insert gave no row back');
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
