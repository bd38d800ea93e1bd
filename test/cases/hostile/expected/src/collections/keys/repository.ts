/** The SQL statements of keys. */
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
import { changed, changedOrMissing, missing } from '../../platform/database/not-found.ts';
import type { ResourceName } from '../../platform/database/not-found.ts';
import { readPage } from '../../platform/database/pages.ts';
import type { ListTable, FixedFilter } from '../../platform/database/pages.ts';
import type { ListRequest } from '../../platform/http/list.ts';
import type { Page } from '../../platform/http/page.ts';
import { newId } from '../../platform/http/uuid.ts';
import { keyHooks } from './hooks.ts';
import type { KeyItem, KeyItemValues } from './schema.ts';

export const KEY_KIND: ResourceName = { collection: 'keys', item: 'key', table: '"keys"' };

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<KeyItem> = {
  id: '"keys"."id"',
  length: '"keys"."length"',
  created_at: '"keys"."created_at"',
  updated_at: '"keys"."updated_at"',
};
const SELECTED = selectList(COLUMNS);

/** The values of written columns. */
const WRITTEN: WrittenColumns<KeyItemValues> = {
  length: (values) => values.length,
};

const LISTS: ListTable = {
  name: '"keys"',
  members: COLUMNS,
  largest: 211,
  columns: {
    length: {
      name: '"keys"."length"',
      type: 'bigint',
      order: (value: string) => [`(${value} is null)`, `coalesce(${value}, 0)`],
    },
  },
};

const CONSTRAINTS: Constraints = {
  item: 'a key',
  table: '"keys"',
  unique: {},
};

const FIND = {
  prepared: true,
  pipelined: true,
  text: `select ${SELECTED} from "keys" where "id" = $1`,
};
const INSERT = {
  prepared: true,
  pipelined: 'overflow' as const,
  text: `insert into "keys" ("id", ${columnList(WRITTEN)})
    values ($1, ${placeholders(WRITTEN, 2)}) returning ${SELECTED}`,
};
// `updated_at` is the revision: if the row was changed concurrently, nothing is updated.
const UPDATE = {
  prepared: true,
  text: `update "keys" set ${assignments(WRITTEN, 3)}
    where "id" = $1 and "updated_at" = $2 returning ${SELECTED}`,
};
const DELETE = {
  prepared: true,
  text: `delete from "keys"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** Reads a page of keys. Fixed filters limit the list to a parent or an owner. */
export const listKeys = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<KeyItem>> => readPage<KeyItem>(database, LISTS, list, fixedFilters);

/** Finds a key. @throws 404 if it never existed, 410 if it was removed. */
export async function findKeyItem(database: Database, id: string): Promise<KeyItem> {
  const [found] = await database.query<KeyItem>(FIND, [id]);
  if (found === undefined) throw await missing(database, KEY_KIND, id);
  return found;
}

/** Inserts a key. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createKeyItem(database: Database, values: KeyItemValues): Promise<KeyItem> {
  try {
    return await createWith(keyHooks, database, values, insert);
  } catch (error) {
    throw await explain(database, error);
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
  for (;;) {
    const stored = await findKeyItem(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(KEY_KIND);
    const values = await change(stored);
    try {
      const updated = await updateWith(keyHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error);
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
  let removed: boolean;
  try {
    removed = await deleteWith(keyHooks, database, id, (inTransaction) =>
      remove(inTransaction, id, revision),
    );
  } catch (error) {
    throw asRemovalRefusal(error, 'key');
  }
  if (!removed) throw await changedOrMissing(database, KEY_KIND, id);
}

async function insert(database: Database, values: KeyItemValues): Promise<KeyItem> {
  const [created] = await database.query<KeyItem>(INSERT, [
    newId(),
    ...parametersOf(WRITTEN, values),
  ]);
  if (created === undefined) throw new Error('the insert returned no row');
  return created;
}

async function update(
  database: Database,
  stored: KeyItem,
  values: KeyItemValues,
): Promise<KeyItem | undefined> {
  const [updated] = await database.query<KeyItem>(UPDATE, [
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
