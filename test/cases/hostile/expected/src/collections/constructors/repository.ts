/** The SQL statements of constructors. */
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
import { toJson } from '../../platform/database/json.ts';
import { changed, changedOrMissing, missing } from '../../platform/database/not-found.ts';
import type { ResourceName } from '../../platform/database/not-found.ts';
import { readPage } from '../../platform/database/pages.ts';
import type { ListTable, FixedFilter } from '../../platform/database/pages.ts';
import type { ListRequest } from '../../platform/http/list.ts';
import type { Page } from '../../platform/http/page.ts';
import { newId } from '../../platform/http/uuid.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import { constructorHooks } from './hooks.ts';
import type { Constructor, ConstructorValues } from './schema.ts';

export const CONSTRUCTOR_KIND: ResourceName = {
  collection: 'constructors',
  item: 'constructor',
  table: '"constructors"',
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Constructor> = {
  id: '"constructors"."id"',
  constructor: '"constructors"."constructor"',
  has_own_property: '"constructors"."has_own_property"',
  is_prototype_of: '"constructors"."is_prototype_of"',
  property_is_enumerable: '"constructors"."property_is_enumerable"',
  to_locale_string: '"constructors"."to_locale_string"',
  to_string: '"constructors"."to_string"',
  value_of: '"constructors"."value_of"',
  at: '"constructors"."at"',
  concat: '"constructors"."concat"',
  copy_within: '"constructors"."copy_within"',
  entries: '"constructors"."entries"',
  every: '"constructors"."every"',
  fill: '"constructors"."fill"',
  filter: '"constructors"."filter"',
  find: '"constructors"."find"',
  find_index: '"constructors"."find_index"',
  find_last: '"constructors"."find_last"',
  find_last_index: '"constructors"."find_last_index"',
  flat: '"constructors"."flat"',
  flat_map: '"constructors"."flat_map"',
  for_each: '"constructors"."for_each"',
  includes: '"constructors"."includes"',
  index_of: '"constructors"."index_of"',
  join: '"constructors"."join"',
  keys: '"constructors"."keys"',
  last_index_of: '"constructors"."last_index_of"',
  length: '"constructors"."length"',
  map: '"constructors"."map"',
  pop: '"constructors"."pop"',
  push: '"constructors"."push"',
  reduce: '"constructors"."reduce"',
  reduce_right: '"constructors"."reduce_right"',
  reverse: '"constructors"."reverse"',
  shift: '"constructors"."shift"',
  slice: '"constructors"."slice"',
  some: '"constructors"."some"',
  sort: '"constructors"."sort"',
  splice: '"constructors"."splice"',
  to_reversed: '"constructors"."to_reversed"',
  to_sorted: '"constructors"."to_sorted"',
  to_spliced: '"constructors"."to_spliced"',
  unshift: '"constructors"."unshift"',
  values: '"constructors"."values"',
  with: '"constructors"."with"',
  created_at: '"constructors"."created_at"',
  updated_at: '"constructors"."updated_at"',
};
const SELECTED = selectList(COLUMNS);

/** The values of written columns. */
const WRITTEN: WrittenColumns<ConstructorValues> = {
  constructor: (values) => values.constructor,
  has_own_property: (values) => values.has_own_property,
  is_prototype_of: (values) => values.is_prototype_of,
  property_is_enumerable: (values) => values.property_is_enumerable,
  to_locale_string: (values) => values.to_locale_string,
  to_string: (values) => values.to_string,
  value_of: (values) => values.value_of,
  at: (values) => values.at,
  concat: (values) => values.concat,
  copy_within: (values) => values.copy_within,
  entries: (values) => values.entries,
  every: (values) => values.every,
  fill: (values) => values.fill,
  filter: (values) => values.filter,
  find: (values) => values.find,
  find_index: (values) => values.find_index,
  find_last: (values) => values.find_last,
  find_last_index: (values) => values.find_last_index,
  flat: (values) => values.flat,
  flat_map: (values) => values.flat_map,
  for_each: (values) => values.for_each,
  includes: (values) => values.includes,
  index_of: (values) => values.index_of,
  join: (values) => values.join,
  keys: (values) => values.keys,
  last_index_of: (values) => values.last_index_of,
  length: (values) => values.length,
  map: (values) => toJson(values.map),
  pop: (values) => values.pop,
  push: (values) => values.push,
  reduce: (values) => values.reduce,
  reduce_right: (values) => values.reduce_right,
  reverse: (values) => values.reverse,
  shift: (values) => values.shift,
  slice: (values) => values.slice,
  some: (values) => values.some,
  sort: (values) => values.sort,
  splice: (values) => values.splice,
  to_reversed: (values) => values.to_reversed,
  to_sorted: (values) => values.to_sorted,
  to_spliced: (values) => values.to_spliced,
  unshift: (values) => values.unshift,
  values: (values) => toJson(values.values),
  with: (values) => values.with,
  _words: (values) => searchWords(values.to_string),
};

const LISTS: ListTable = {
  name: '"constructors"',
  members: COLUMNS,
  largest: 7098,
  unbounded: ['map', 'values'],
  columns: {
    length: {
      name: '"constructors"."length"',
      type: 'bigint',
      order: (value: string) => [`(${value} is null)`, `coalesce(${value}, 0)`],
    },
    to_string: {
      name: '"constructors"."to_string"',
      type: 'text',
      order: (value: string) => [`(${value} is null)`, `coalesce(${value}, '')`],
    },
    constructor: { name: '"constructors"."constructor"', type: 'text' },
    value_of: { name: '"constructors"."value_of"', type: 'text' },
    has_own_property: { name: '"constructors"."has_own_property"', type: 'text' },
    with: { name: '"constructors"."with"', type: 'text' },
  },
};

const CONSTRAINTS: Constraints = {
  item: 'a constructor',
  table: '"constructors"',
  unique: {
    constructors__constructor__key: ['constructor'],
    constructors__length__value_of__key: ['length', 'value_of'],
  },
};

const FIND = {
  prepared: true,
  pipelined: true,
  text: `select ${SELECTED} from "constructors" where "id" = $1`,
};
const INSERT = {
  prepared: true,
  pipelined: 'overflow' as const,
  text: `insert into "constructors" ("id", ${columnList(WRITTEN)})
    values ($1, ${placeholders(WRITTEN, 2)}) returning ${SELECTED}`,
};
// `updated_at` is the revision: if the row was changed concurrently, nothing is updated.
const UPDATE = {
  prepared: true,
  text: `update "constructors" set ${assignments(WRITTEN, 3)}
    where "id" = $1 and "updated_at" = $2 returning ${SELECTED}`,
};
const DELETE = {
  prepared: true,
  text: `delete from "constructors"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** Reads a page of constructors. Fixed filters limit the list to a parent or an owner. */
export const listConstructors = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<Constructor>> => readPage<Constructor>(database, LISTS, list, fixedFilters);

/** Finds a constructor. @throws 404 if it never existed, 410 if it was removed. */
export async function findConstructor(database: Database, id: string): Promise<Constructor> {
  const [found] = await database.query<Constructor>(FIND, [id]);
  if (found === undefined) throw await missing(database, CONSTRUCTOR_KIND, id);
  return found;
}

/** Inserts a constructor. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createConstructor(
  database: Database,
  values: ConstructorValues,
): Promise<Constructor> {
  try {
    return await createWith(constructorHooks, database, values, insert);
  } catch (error) {
    throw await explain(database, error);
  }
}

/**
 * Updates a constructor. After a concurrent change it is tried again, so that no update is lost.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @param change computes the new values from the stored item.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateConstructor(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: Constructor) => ConstructorValues | Promise<ConstructorValues>,
): Promise<Constructor> {
  for (;;) {
    const stored = await findConstructor(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(CONSTRUCTOR_KIND);
    const values = await change(stored);
    try {
      const updated = await updateWith(constructorHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error);
    }
  }
}

/**
 * Deletes a constructor.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deleteConstructor(
  database: Database,
  id: string,
  revision?: string,
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(constructorHooks, database, id, (inTransaction) =>
      remove(inTransaction, id, revision),
    );
  } catch (error) {
    throw asRemovalRefusal(error, 'constructor');
  }
  if (!removed) throw await changedOrMissing(database, CONSTRUCTOR_KIND, id);
}

async function insert(database: Database, values: ConstructorValues): Promise<Constructor> {
  const [created] = await database.query<Constructor>(INSERT, [
    newId(),
    ...parametersOf(WRITTEN, values),
  ]);
  if (created === undefined) throw new Error('the insert returned no row');
  return created;
}

async function update(
  database: Database,
  stored: Constructor,
  values: ConstructorValues,
): Promise<Constructor | undefined> {
  const [updated] = await database.query<Constructor>(UPDATE, [
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
