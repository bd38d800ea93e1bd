/** The SQL statements of people. */
import { crudStatements, parametersOf } from '../../platform/database/columns.ts';
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
import { personHooks } from './hooks.ts';
import { PersonComputed } from './schema.ts';
import type { Person, PersonValues } from './schema.ts';

/** The names of a person for messages, and its table. A version may have other names. */
export const PERSON_RESOURCE: VersionedResource<never> = {
  collection: 'people',
  item: 'person',
  anItem: 'a person',
  table: '"people"',
  unique: {},
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
  unbounded: ['home', 'notes', ...Object.keys(PersonComputed.properties)],
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

const STATEMENTS = crudStatements('"people"', COLUMNS, WRITTEN);

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
  resource = PERSON_RESOURCE,
): Promise<Person> {
  const [found] = await database.query<Person>(STATEMENTS.find, [id]);
  if (found === undefined) throw await missing(database, resource, id);
  return found;
}

/** Inserts a person. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createPerson(
  database: Database,
  values: PersonValues,
  resource = PERSON_RESOURCE,
): Promise<Person> {
  const { beforeCreate, afterCreate } = personHooks;
  try {
    return await changeWithHooks(database, [beforeCreate, afterCreate], async (transaction) => {
      const hooked = (await beforeCreate?.(values, transaction)) ?? values;
      const [created] = await transaction.query<Person>(STATEMENTS.insert, [
        newId(),
        ...parametersOf(WRITTEN, hooked),
      ]);
      if (created === undefined) throw new Error('the insert returned no row');
      await afterCreate?.(created, transaction);
      return created;
    });
  } catch (error) {
    throw await asRefusal(database, error, resource);
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
  resource = PERSON_RESOURCE,
): Promise<Person> {
  const { beforeUpdate, afterUpdate } = personHooks;
  for (;;) {
    const stored = await findPerson(database, id, resource);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(resource);
    const values = await change(stored);
    try {
      return await changeWithHooks(database, [beforeUpdate, afterUpdate], async (transaction) => {
        const hooked = (await beforeUpdate?.(values, stored, transaction)) ?? values;
        const parameters = [id, stored.updated_at, ...parametersOf(WRITTEN, hooked)];
        const [updated] = await transaction.query<Person>(STATEMENTS.update, parameters);
        if (updated === undefined) throw new ConcurrentChange();
        await afterUpdate?.(updated, transaction);
        return updated;
      });
    } catch (error) {
      if (error instanceof ConcurrentChange) continue;
      throw await asRefusal(database, error, resource);
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
  resource = PERSON_RESOURCE,
): Promise<void> {
  const { beforeDelete, afterDelete } = personHooks;
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
