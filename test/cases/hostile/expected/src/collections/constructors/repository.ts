/** The SQL statements of constructors. */
import { crudStatements, parametersOf } from '../../platform/database/columns.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import { asRefusal, asRemovalRefusal } from '../../platform/database/constraints.ts';
import type { Resource } from '../../platform/database/constraints.ts';
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
import { searchWords } from '../../platform/http/search-words.ts';
import { constructorHooks } from './hooks.ts';
import { ConstructorComputed } from './schema.ts';
import type { Constructor, ConstructorValues } from './schema.ts';

export const CONSTRUCTOR_RESOURCE: Resource = {
  collection: 'constructors',
  item: 'constructor',
  anItem: 'a constructor',
  table: '"constructors"',
  unique: {
    constructors__constructor__key: ['constructor'],
    constructors__length__value_of__key: ['length', 'value_of'],
  },
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
  unbounded: ['map', 'values', ...Object.keys(ConstructorComputed.properties)],
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

const STATEMENTS = crudStatements('"constructors"', COLUMNS, WRITTEN);

/** Reads a page of constructors. Fixed filters limit the list to a parent or an owner. */
export const listConstructors = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<Constructor>> => readPage<Constructor>(database, LISTS, list, fixedFilters);

/** Finds a constructor. @throws 404 if it never existed, 410 if it was removed. */
export async function findConstructor(database: Database, id: string): Promise<Constructor> {
  const [found] = await database.query<Constructor>(STATEMENTS.find, [id]);
  if (found === undefined) throw await missing(database, CONSTRUCTOR_RESOURCE, id);
  return found;
}

/** Inserts a constructor. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createConstructor(
  database: Database,
  values: ConstructorValues,
): Promise<Constructor> {
  const { beforeCreate, afterCreate } = constructorHooks;
  try {
    return await changeWithHooks(database, [beforeCreate, afterCreate], async (transaction) => {
      const hooked = (await beforeCreate?.(values, transaction)) ?? values;
      const [created] = await transaction.query<Constructor>(STATEMENTS.insert, [
        newId(),
        ...parametersOf(WRITTEN, hooked),
      ]);
      if (created === undefined) throw new Error('the insert returned no row');
      await afterCreate?.(created, transaction);
      return created;
    });
  } catch (error) {
    throw await asRefusal(database, error, CONSTRUCTOR_RESOURCE);
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
  const { beforeUpdate, afterUpdate } = constructorHooks;
  for (;;) {
    const stored = await findConstructor(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(CONSTRUCTOR_RESOURCE);
    const values = await change(stored);
    try {
      return await changeWithHooks(database, [beforeUpdate, afterUpdate], async (transaction) => {
        const hooked = (await beforeUpdate?.(values, stored, transaction)) ?? values;
        const parameters = [id, stored.updated_at, ...parametersOf(WRITTEN, hooked)];
        const [updated] = await transaction.query<Constructor>(STATEMENTS.update, parameters);
        if (updated === undefined) throw new ConcurrentChange();
        await afterUpdate?.(updated, transaction);
        return updated;
      });
    } catch (error) {
      if (error instanceof ConcurrentChange) continue;
      throw await asRefusal(database, error, CONSTRUCTOR_RESOURCE);
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
  const { beforeDelete, afterDelete } = constructorHooks;
  try {
    await changeWithHooks(database, [beforeDelete, afterDelete], async (transaction) => {
      await beforeDelete?.(id, transaction);
      const deleted = await transaction.query(STATEMENTS.delete, [id, revision]);
      if (deleted.length === 0) throw await changedOrMissing(transaction, CONSTRUCTOR_RESOURCE, id);
      await afterDelete?.(id, transaction);
    });
  } catch (error) {
    throw asRemovalRefusal(error, 'constructor');
  }
}
