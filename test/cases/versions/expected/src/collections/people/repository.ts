/** People in the database. */
import { isBrokenReference, takenOr } from '../../database/constraints.ts';
import type { Database } from '../../database/database.ts';
import { createWith, deleteWith, updateWith } from '../../database/hooks.ts';
import { changed, changedOrMissing, missing } from '../../database/missing.ts';
import { readPage } from '../../database/pages.ts';
import type { ListTable, Scope } from '../../database/pages.ts';
import { conflict } from '../../http/errors.ts';
import type { ListRequest } from '../../http/list.ts';
import type { Page } from '../../http/page.ts';
import { newId } from '../../http/uuid.ts';
import type { NamedKind } from '../../http/view.ts';
import { searchWords } from '../../http/words.ts';
import { personHooks } from './hooks.ts';
import type { Person, PersonValues } from './schema.ts';

/** What a person is, and what messages call it; a version may call it otherwise. */
export const PERSON_KIND: NamedKind<never> = {
  collection: 'people',
  item: 'person',
  table: '"people"',
  constraints: {
    item: 'a person',
    unique: {},
  },
  references: {},
};

/** What is selected of a row: all that clients read. */
const COLUMNS =
  '"people"."id", "people"."name", "people"."born", "people"."score", "people"."country", "people"."nickname", "people"."created_at", "people"."updated_at"';

/** How lists of them are read; versions compare their own members. */
export const personTable: ListTable = {
  name: '"people"',
  select: COLUMNS,
  columns: {
    name: { name: '"people"."name"', type: 'text' },
    born: {
      name: '"people"."born"',
      type: 'date',
      order: (value: string) => [`(${value} is null)`, `coalesce(${value}, date '0001-01-01')`],
    },
    score: {
      name: '"people"."score"',
      type: 'bigint',
      order: (value: string) => [`(${value} is null)`, `coalesce(${value}, 0)`],
    },
    country: { name: '"people"."country"', type: 'text' },
  },
};

const FIND = {
  keep: true,
  quick: true,
  text: `select ${COLUMNS} from "people" where "id" = $1`,
};
const INSERT = {
  keep: true,
  text: `insert into "people" ("id", "name", "born", "score", "country", "nickname", "_words", "_words_v2")
    values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
};
// The time of the last change is the revision: a row that somebody else has changed since is not found.
const UPDATE = {
  keep: true,
  text: `update "people" set "name" = $3, "born" = $4, "score" = $5, "country" = $6, "nickname" = $7, "_words" = $8, "_words_v2" = $9
    where "id" = $1 and "updated_at" = $2 returning ${COLUMNS}`,
};
const DELETE = {
  keep: true,
  text: `delete from "people"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** The values in the order of the columns of the statements. */
const parameters = (values: PersonValues): unknown[] => [
  values.name,
  values.born,
  values.score,
  values.country,
  values.nickname,
  searchWords(values.name),
  searchWords(values.name, values.nickname),
];

/** One page of a list of people; with scopes, of some parent's or owner's alone. */
export const listPeople = (
  database: Database,
  list: ListRequest,
  scopes: readonly Scope[] = [],
  table: ListTable = personTable,
): Promise<Page<Person>> => readPage<Person>(database, table, list, scopes);

/** Finds a person. @throws 404 where it never was, 410 where it was removed. */
export async function findPerson(
  database: Database,
  id: string,
  kind = PERSON_KIND,
): Promise<Person> {
  const [found] = await database.query<Person>(FIND, [id]);
  if (found === undefined) throw await missing(database, kind, id);
  return found;
}

/** Stores a new person. @throws 409 for a unique value that is taken, 422 for a broken reference. */
export async function createPerson(
  database: Database,
  values: PersonValues,
  kind = PERSON_KIND,
): Promise<Person> {
  try {
    return await createWith(personHooks, database, values, insert);
  } catch (error) {
    throw takenOr(error, kind.constraints);
  }
}

/**
 * Changes a person. `change` says what it becomes, and is asked again where somebody else
 * changed it meanwhile: no change is lost. With a revision it is changed in that state alone.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updatePerson(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: Person) => PersonValues,
  kind = PERSON_KIND,
): Promise<Person> {
  for (;;) {
    const stored = await findPerson(database, id, kind);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(kind);
    const values = change(stored);
    try {
      const updated = await updateWith(personHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw takenOr(error, kind.constraints);
    }
  }
}

/**
 * Removes a person for good; with a revision, in that state alone.
 * @throws 404, 410, 412, and 409 where others refer to it.
 */
export async function deletePerson(
  database: Database,
  id: string,
  revision?: string,
  kind = PERSON_KIND,
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(personHooks, database, id, (inside) => remove(inside, id, revision));
  } catch (error) {
    if (!isBrokenReference(error)) throw error;
    throw conflict(`Others still refer to this ${kind.item}: remove them first.`);
  }
  if (!removed) throw await changedOrMissing(database, kind, id);
}

async function insert(database: Database, values: PersonValues): Promise<Person> {
  const [created] = await database.insert<Person>(INSERT, [newId(), ...parameters(values)]);
  if (created === undefined) throw new Error('the insert gave no row back');
  return created;
}

async function update(
  database: Database,
  stored: Person,
  values: PersonValues,
): Promise<Person | undefined> {
  const [updated] = await database.query<Person>(UPDATE, [
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
