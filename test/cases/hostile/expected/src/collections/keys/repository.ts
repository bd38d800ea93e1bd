/** The SQL statements of keys. */
import { crudStatements, parametersOf } from '../../platform/database/columns.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import { asRefusal, asRemovalRefusal } from '../../platform/database/constraints.ts';
import type { Resource } from '../../platform/database/constraints.ts';
import type { Database } from '../../platform/database/database.ts';
import { changeWithHooks } from '../../platform/database/hooks.ts';
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

const STATEMENTS = crudStatements('"keys"', COLUMNS, WRITTEN);

/** Reads a page of keys. Fixed filters limit the list to a parent or an owner. */
export const listKeys = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<KeyItem>> => readPage<KeyItem>(database, LISTS, list, fixedFilters);

/** Finds a key. @throws 404 if it never existed, 410 if it was removed. */
export async function findKeyItem(database: Database, id: string): Promise<KeyItem> {
  const [found] = await database.query<KeyItem>(STATEMENTS.find, [id]);
  if (found === undefined) throw await missing(database, KEY_RESOURCE, id);
  return found;
}

/** Inserts a key. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createKeyItem(database: Database, values: KeyItemValues): Promise<KeyItem> {
  const { beforeCreate, afterCreate } = keyHooks;
  try {
    return await changeWithHooks(database, [beforeCreate, afterCreate], async (transaction) => {
      const hooked = (await beforeCreate?.(values, transaction)) ?? values;
      const [created] = await transaction.query<KeyItem>(STATEMENTS.insert, [
        newId(),
        ...parametersOf(WRITTEN, hooked),
      ]);
      if (created === undefined) throw new Error('the insert returned no row');
      await afterCreate?.(created, transaction);
      return created;
    });
  } catch (error) {
    throw await asRefusal(database, error, KEY_RESOURCE);
  }
}

/**
 * Updates a key. After a concurrent change it is tried again, so that no update is lost.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @param change computes the new values from the stored item.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateKeyItem(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: KeyItem) => KeyItemValues | Promise<KeyItemValues>,
): Promise<KeyItem> {
  const { beforeUpdate, afterUpdate } = keyHooks;
  for (;;) {
    const stored = await findKeyItem(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(KEY_RESOURCE);
    const values = await change(stored);
    try {
      return await changeWithHooks(database, [beforeUpdate, afterUpdate], async (transaction) => {
        const hooked = (await beforeUpdate?.(values, stored, transaction)) ?? values;
        const parameters = [id, stored.updated_at, ...parametersOf(WRITTEN, hooked)];
        const [updated] = await transaction.query<KeyItem>(STATEMENTS.update, parameters);
        if (updated === undefined) throw new ConcurrentChange();
        await afterUpdate?.(updated, transaction);
        return updated;
      });
    } catch (error) {
      if (error instanceof ConcurrentChange) continue;
      throw await asRefusal(database, error, KEY_RESOURCE);
    }
  }
}

/**
 * Deletes a key.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deleteKeyItem(
  database: Database,
  id: string,
  revision?: string,
): Promise<void> {
  const { beforeDelete, afterDelete } = keyHooks;
  try {
    await changeWithHooks(database, [beforeDelete, afterDelete], async (transaction) => {
      await beforeDelete?.(id, transaction);
      const deleted = await transaction.query(STATEMENTS.delete, [id, revision]);
      if (deleted.length === 0) throw await changedOrMissing(transaction, KEY_RESOURCE, id);
      await afterDelete?.(id, transaction);
    });
  } catch (error) {
    throw asRemovalRefusal(error, 'key');
  }
}
