/** The repository of keys: their columns, and the functions made of them. */
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import type { Resource } from '../../platform/database/constraints.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import { keyHooks } from './hooks.ts';
import { KeyItemComputed } from './schema.ts';
import type { KeyItem, KeyItemValues } from './schema.ts';

export const KEY_RESOURCE: Resource = {
  collection: 'keys',
  item: 'key',
  anItem: 'a key',
  table: '"keys"',
  unique: {},
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<KeyItem> = {
  id: '"keys"."id"',
  length: '"keys"."length"',
  created_at: '"keys"."created_at"',
  updated_at: '"keys"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<KeyItemValues> = {
  length: (values) => values.length,
};

const LISTS: ListTable = {
  name: '"keys"',
  members: COLUMNS,
  largest: 211,
  unbounded: Object.keys(KeyItemComputed.properties),
  columns: {
    length: {
      name: '"keys"."length"',
      type: 'bigint',
      order: (value: string) => [`(${value} is null)`, `coalesce(${value}, 0)`],
    },
  },
};

export const {
  list: listKeys,
  find: findKeyItem,
  create: createKeyItem,
  update: updateKeyItem,
  delete: deleteKeyItem,
} = crudRepository<KeyItem, KeyItemValues>({
  resource: KEY_RESOURCE,
  lists: LISTS,
  written: WRITTEN,
  hooks: () => keyHooks,
});
