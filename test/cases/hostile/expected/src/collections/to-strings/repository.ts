/** The SQL statements of to strings. */
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

const STATEMENTS = crudStatements('"to_strings"', COLUMNS, WRITTEN, { hasOwner: true });

/** Reads a page of to strings. Fixed filters limit the list to a parent or an owner. */
export const listToStrings = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<ToString>> => readPage<ToString>(database, LISTS, list, fixedFilters);

/** Finds a to string. @throws 404 if it never existed, 410 if it was removed. */
export async function findToString(database: Database, id: string): Promise<ToString> {
  const [found] = await database.query<ToString>(STATEMENTS.find, [id]);
  if (found === undefined) throw await missing(database, TO_STRING_RESOURCE, id);
  return found;
}

/** Inserts a to string. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createToString(
  database: Database,
  values: ToStringValues,
  owner: string | null,
): Promise<ToString> {
  const { beforeCreate, afterCreate } = toStringHooks;
  try {
    return await changeWithHooks(database, [beforeCreate, afterCreate], async (transaction) => {
      const hooked = (await beforeCreate?.(values, transaction)) ?? values;
      const [created] = await transaction.query<ToString>(STATEMENTS.insert, [
        newId(),
        owner,
        ...parametersOf(WRITTEN, hooked),
      ]);
      if (created === undefined) throw new Error('the insert returned no row');
      await afterCreate?.(created, transaction);
      return created;
    });
  } catch (error) {
    throw await asRefusal(database, error, TO_STRING_RESOURCE, referencesOf(values));
  }
}

/**
 * Updates a to string. After a concurrent change it is tried again, so that no update is lost.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @param change computes the new values from the stored item.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateToString(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: ToString) => ToStringValues | Promise<ToStringValues>,
): Promise<ToString> {
  const { beforeUpdate, afterUpdate } = toStringHooks;
  for (;;) {
    const stored = await findToString(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(TO_STRING_RESOURCE);
    const values = await change(stored);
    try {
      return await changeWithHooks(database, [beforeUpdate, afterUpdate], async (transaction) => {
        const hooked = (await beforeUpdate?.(values, stored, transaction)) ?? values;
        const parameters = [id, stored.updated_at, ...parametersOf(WRITTEN, hooked)];
        const [updated] = await transaction.query<ToString>(STATEMENTS.update, parameters);
        if (updated === undefined) throw new ConcurrentChange();
        await afterUpdate?.(updated, transaction);
        return updated;
      });
    } catch (error) {
      if (error instanceof ConcurrentChange) continue;
      throw await asRefusal(database, error, TO_STRING_RESOURCE, referencesOf(values));
    }
  }
}

/**
 * Deletes a to string.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deleteToString(
  database: Database,
  id: string,
  revision?: string,
): Promise<void> {
  const { beforeDelete, afterDelete } = toStringHooks;
  try {
    await changeWithHooks(database, [beforeDelete, afterDelete], async (transaction) => {
      await beforeDelete?.(id, transaction);
      const deleted = await transaction.query(STATEMENTS.delete, [id, revision]);
      if (deleted.length === 0) throw await changedOrMissing(transaction, TO_STRING_RESOURCE, id);
      await afterDelete?.(id, transaction);
    });
  } catch (error) {
    throw asRemovalRefusal(error, 'to string');
  }
}

const referencesOf = (values: ToStringValues) => [
  { member: 'constructor_id', table: '"constructors"', id: values.constructor_id },
  { member: 'item_id', table: '"constructors"', id: values.item_id },
];
