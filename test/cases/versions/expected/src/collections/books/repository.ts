/** Books in the database. */
import { brokenReferences, isBrokenReference, takenOr } from '../../database/constraints.ts';
import type { Database } from '../../database/database.ts';
import { createWith, deleteWith, updateWith } from '../../database/hooks.ts';
import { toJson } from '../../database/json.ts';
import { changed, changedOrMissing, missing } from '../../database/missing.ts';
import { readPage } from '../../database/pages.ts';
import type { ListTable, Scope } from '../../database/pages.ts';
import { conflict } from '../../http/errors.ts';
import type { ListRequest } from '../../http/list.ts';
import type { Page } from '../../http/page.ts';
import { newId } from '../../http/uuid.ts';
import type { NamedKind } from '../../http/view.ts';
import { searchWords } from '../../http/words.ts';
import { bookHooks } from './hooks.ts';
import type { StoredBook, Book, BookValues } from './schema.ts';

/** What a book is, and what messages call it; a version may call it otherwise. */
export const BOOK_KIND: NamedKind<'person_id'> = {
  collection: 'books',
  item: 'book',
  table: '"books"',
  constraints: {
    item: 'a book',
    unique: {
      books__isbn__key: ['isbn'],
      books__person_id__title__key: ['person_id', 'title'],
    },
  },
  references: { person_id: 'person_id' },
};

/** What is selected of a row: all that clients read. */
const COLUMNS =
  '"books"."id", "books"."title", "books"."isbn", "books"."price", "books"."stock", "books"."state", "books"."tags", "books"."genre", "books"."rating", "books"."series", "books"."person_id", "books"."created_at", "books"."updated_at"';
/** All of a row, for a change of it. */
const STORED =
  '"books"."id", "books"."title", "books"."isbn", "books"."price", "books"."stock", "books"."state", "books"."tags", "books"."genre", "books"."secret", "books"."rating", "books"."series", "books"."person_id", "books"."created_at", "books"."updated_at"';

/** How lists of them are read; versions compare their own members. */
export const bookTable: ListTable = {
  name: '"books"',
  select: COLUMNS,
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
  keep: true,
  quick: true,
  text: `select ${COLUMNS} from "books" where "id" = $1`,
};
const FIND_STORED = {
  keep: true,
  quick: true,
  text: `select ${STORED} from "books" where "id" = $1`,
};
const INSERT = {
  keep: true,
  text: `insert into "books" ("id", "title", "isbn", "price", "stock", "state", "tags", "genre", "secret", "rating", "series", "person_id", "_words", "_words_v1", "_owner_id")
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) returning ${COLUMNS}`,
};
// The time of the last change is the revision: a row that somebody else has changed since is not found.
const UPDATE = {
  keep: true,
  text: `update "books" set "title" = $3, "isbn" = $4, "price" = $5, "stock" = $6, "state" = $7, "tags" = $8, "genre" = $9, "secret" = $10, "rating" = $11, "series" = $12, "person_id" = $13, "_words" = $14, "_words_v1" = $15
    where "id" = $1 and "updated_at" = $2 returning ${COLUMNS}`,
};
const DELETE = {
  keep: true,
  text: `delete from "books"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** The values in the order of the columns of the statements. */
const parameters = (values: BookValues): unknown[] => [
  values.title,
  values.isbn,
  values.price,
  values.stock,
  values.state,
  toJson(values.tags),
  values.genre,
  values.secret,
  values.rating,
  values.series,
  values.person_id,
  searchWords(values.title, values.series),
  searchWords(values.title),
];

/** One page of a list of books; with scopes, of some parent's or owner's alone. */
export const listBooks = (
  database: Database,
  list: ListRequest,
  scopes: readonly Scope[] = [],
  table: ListTable = bookTable,
): Promise<Page<Book>> => readPage<Book>(database, table, list, scopes);

/** Finds a book. @throws 404 where it never was, 410 where it was removed. */
export async function findBook(database: Database, id: string, kind = BOOK_KIND): Promise<Book> {
  const [found] = await database.query<Book>(FIND, [id]);
  if (found === undefined) throw await missing(database, kind, id);
  return found;
}

/** Stores a new book. @throws 409 for a unique value that is taken, 422 for a broken reference. */
export async function createBook(
  database: Database,
  values: BookValues,
  owner: string | null,
  kind = BOOK_KIND,
): Promise<Book> {
  try {
    return await createWith(bookHooks, database, values, (inside, given) =>
      insert(inside, given, owner),
    );
  } catch (error) {
    throw await explain(database, error, values, kind);
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
  change: (stored: StoredBook) => BookValues,
  kind = BOOK_KIND,
): Promise<Book> {
  for (;;) {
    const stored = await findStored(database, id, kind);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(kind);
    const values = change(stored);
    try {
      const updated = await updateWith(bookHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error, values, kind);
    }
  }
}

/**
 * Removes a book for good; with a revision, in that state alone.
 * @throws 404, 410, 412, and 409 where others refer to it.
 */
export async function deleteBook(
  database: Database,
  id: string,
  revision?: string,
  kind = BOOK_KIND,
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(bookHooks, database, id, (inside) => remove(inside, id, revision));
  } catch (error) {
    if (!isBrokenReference(error)) throw error;
    throw conflict(`Others still refer to this ${kind.item}: remove them first.`);
  }
  if (!removed) throw await changedOrMissing(database, kind, id);
}

async function findStored(database: Database, id: string, kind = BOOK_KIND): Promise<StoredBook> {
  const [found] = await database.query<StoredBook>(FIND_STORED, [id]);
  if (found === undefined) throw await missing(database, kind, id);
  return found;
}

async function insert(database: Database, values: BookValues, owner: string | null): Promise<Book> {
  const [created] = await database.insert<Book>(INSERT, [newId(), ...parameters(values), owner]);
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

/** What an error of the database means for a client. */
async function explain(
  database: Database,
  error: unknown,
  values: BookValues,
  kind = BOOK_KIND,
): Promise<unknown> {
  if (!isBrokenReference(error)) return takenOr(error, kind.constraints);
  return brokenReferences(database, error, [
    { member: kind.references.person_id, table: '"people"', id: values.person_id },
  ]);
}
