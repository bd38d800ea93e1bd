/** The repository of to strings: their columns, and the functions made of them. */
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import type { Resource } from '../../platform/database/constraints.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import { toStringHooks } from './hooks.ts';
import { ToStringComputed } from './schema.ts';
import type { ToString, ToStringValues } from './schema.ts';

export const TO_STRING_RESOURCE: Resource = {
  collection: 'to_strings',
  item: 'to string',
  anItem: 'a to string',
  table: '"to_strings"',
  unique: {},
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<ToString> = {
  id: '"to_strings"."id"',
  constructor: '"to_strings"."constructor"',
  constructor_id: '"to_strings"."constructor_id"',
  item_id: '"to_strings"."item_id"',
  created_at: '"to_strings"."created_at"',
  updated_at: '"to_strings"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<ToStringValues> = {
  constructor: (values) => values.constructor,
  constructor_id: (values) => values.constructor_id,
  item_id: (values) => values.item_id,
};

const LISTS: ListTable = {
  name: '"to_strings"',
  members: COLUMNS,
  largest: 295,
  unbounded: ['constructor', ...Object.keys(ToStringComputed.properties)],
  columns: {
    constructor: {
      name: '"to_strings"."constructor"',
      type: 'text',
      order: (value: string) => [`(${value} is null)`, `coalesce(left(${value}, 200), '')`],
    },
  },
};

export const {
  list: listToStrings,
  find: findToString,
  create: createToString,
  update: updateToString,
  delete: deleteToString,
} = crudRepository<ToString, ToStringValues>({
  resource: TO_STRING_RESOURCE,
  lists: LISTS,
  written: WRITTEN,
  hasOwner: true,
  references: { constructor_id: '"constructors"', item_id: '"constructors"' },
  hooks: () => toStringHooks,
});
