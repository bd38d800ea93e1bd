/** The SQL statements of people. */
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
import { personHooks } from './hooks.ts';
import type { Person, PersonValues } from './schema.ts';

/** The names of a person for messages, and its table. A version may have other names. */
export const PERSON_KIND: VersionedResourceName<never> = {
  collection: 'people',
  item: 'person',
  table: '"people"',
  constraints: {
    item: 'a person',
    table: '"people"',
    unique: {},
  },
  references: {},
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Person> = {
  id: '"people"."id"',
  name: '"people"."name"',
  born: '"people"."born"',
  score: '"people"."score"',
  country: '"people"."country"',
  nickname: '"people"."nickname"',
  home: '"people"."home"',
  notes: '"people"."notes"',
  created_at: '"people"."created_at"',
  updated_at: '"people"."updated_at"',
};
const SELECTED = selectList(COLUMNS);

/** The values of written columns. */
const WRITTEN: WrittenColumns<PersonValues> = {
  name: (values) => values.name,
  born: (values) => values.born,
  score: (values) => values.score,
  country: (values) => values.country,
  nickname: (values) => values.nickname,
  home: (values) => toJson(values.home),
  notes: (values) => toJson(values.notes),
  _words: (values) => searchWords(values.name),
  _words_v2: (values) => searchWords(values.name, values.nickname),
};

/** The columns of lists. A version can have other columns. */
export const personTable: ListTable = {
  name: '"people"',
  members: COLUMNS,
  largest: 1234,
  unbounded: ['home', 'notes'],
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
  prepared: true,
  pipelined: true,
  text: `select ${SELECTED} from "people" where "id" = $1`,
};
const INSERT = {
  prepared: true,
  pipelined: 'overflow' as const,
  text: `insert into "people" ("id", ${columnList(WRITTEN)})
    values ($1, ${placeholders(WRITTEN, 2)}) returning ${SELECTED}`,
};
// `updated_at` is the revision: if the row was changed concurrently, nothing is updated.
const UPDATE = {
  prepared: true,
  text: `update "people" set ${assignments(WRITTEN, 3)}
    where "id" = $1 and "updated_at" = $2 returning ${SELECTED}`,
};
const DELETE = {
  prepared: true,
  text: `delete from "people"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** Reads a page of people. Fixed filters limit the list to a parent or an owner. */
export const listPeople = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
  table: ListTable = personTable,
): Promise<Page<Person>> => readPage<Person>(database, table, list, fixedFilters);

/** Finds a person. @throws 404 if it never existed, 410 if it was removed. */
export async function findPerson(
  database: Database,
  id: string,
  kind = PERSON_KIND,
): Promise<Person> {
  const [found] = await database.query<Person>(FIND, [id]);
  if (found === undefined) throw await missing(database, kind, id);
  return found;
}

/** Inserts a person. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createPerson(
  database: Database,
  values: PersonValues,
  kind = PERSON_KIND,
): Promise<Person> {
  try {
    return await createWith(personHooks, database, values, insert);
  } catch (error) {
    throw await explain(database, error, kind);
  }
}

/**
 * Updates a person. After a concurrent change it is tried again, so that no update is lost.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @param change computes the new values from the stored item.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updatePerson(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: Person) => PersonValues | Promise<PersonValues>,
  kind = PERSON_KIND,
): Promise<Person> {
  for (;;) {
    const stored = await findPerson(database, id, kind);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(kind);
    const values = await change(stored);
    try {
      const updated = await updateWith(personHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error, kind);
    }
  }
}

/**
 * Deletes a person.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deletePerson(
  database: Database,
  id: string,
  revision?: string,
  kind = PERSON_KIND,
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(personHooks, database, id, (inTransaction) =>
      remove(inTransaction, id, revision),
    );
  } catch (error) {
    throw asRemovalRefusal(error, kind.item, false);
  }
  if (!removed) throw await changedOrMissing(database, kind, id);
}

async function insert(database: Database, values: PersonValues): Promise<Person> {
  const [created] = await database.query<Person>(INSERT, [
    newId(),
    ...parametersOf(WRITTEN, values),
  ]);
  if (created === undefined) throw new Error('the insert returned no row');
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
const explain = (database: Database, error: unknown, kind: typeof PERSON_KIND): Promise<unknown> =>
  asRefusal(database, error, kind.constraints);
