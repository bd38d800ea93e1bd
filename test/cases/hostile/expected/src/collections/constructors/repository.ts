/** The repository of constructors: their columns, and the functions made of them. */
import type { Resource } from '../../platform/database/constraints.ts';
import { brokenCheck } from '../../platform/database/violated-check.ts';
import { toJson } from '../../platform/database/json.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/repository.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import { constructorHooks } from './hooks.ts';
import { constructorChecks, ConstructorComputed } from './schema.ts';
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
  checks: constructorChecks,
  violations: [brokenCheck],
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

export const {
  list: listConstructors,
  find: findConstructor,
  create: createConstructor,
  update: updateConstructor,
  delete: deleteConstructor,
} = crudRepository<Constructor, ConstructorValues>({
  resource: CONSTRUCTOR_RESOURCE,
  lists: LISTS,
  written: WRITTEN,
  hooks: () => constructorHooks,
});
