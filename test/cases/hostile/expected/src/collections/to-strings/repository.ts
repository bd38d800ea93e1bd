/** The SQL statements of to strings. */
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
import { toStringHooks } from './hooks.ts';
import type { ToString, ToStringValues } from './schema.ts';

export const TO_STRING_KIND: ResourceName = {
  collection: 'to_strings',
  item: 'to string',
  table: '"to_strings"',
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
const SELECTED = selectList(COLUMNS);

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
  unbounded: ['constructor'],
  columns: {
    constructor: {
      name: '"to_strings"."constructor"',
      type: 'text',
      order: (value: string) => [`(${value} is null)`, `coalesce(left(${value}, 200), '')`],
    },
  },
};

const CONSTRAINTS: Constraints = {
  item: 'a to string',
  table: '"to_strings"',
  unique: {},
};

const FIND = {
  prepared: true,
  pipelined: true,
  text: `select ${SELECTED} from "to_strings" where "id" = $1`,
};
const INSERT = {
  prepared: true,
  pipelined: 'overflow' as const,
  text: `insert into "to_strings" ("id", "_owner_id", ${columnList(WRITTEN)})
    values ($1, $2, ${placeholders(WRITTEN, 3)}) returning ${SELECTED}`,
};
// `updated_at` is the revision: if the row was changed concurrently, nothing is updated.
const UPDATE = {
  prepared: true,
  text: `update "to_strings" set ${assignments(WRITTEN, 3)}
    where "id" = $1 and "updated_at" = $2 returning ${SELECTED}`,
};
const DELETE = {
  prepared: true,
  text: `delete from "to_strings"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** Reads a page of to strings. Fixed filters limit the list to a parent or an owner. */
export const listToStrings = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<ToString>> => readPage<ToString>(database, LISTS, list, fixedFilters);

/** Finds a to string. @throws 404 if it never existed, 410 if it was removed. */
export async function findToString(database: Database, id: string): Promise<ToString> {
  const [found] = await database.query<ToString>(FIND, [id]);
  if (found === undefined) throw await missing(database, TO_STRING_KIND, id);
  return found;
}

/** Inserts a to string. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createToString(
  database: Database,
  values: ToStringValues,
  owner: string | null,
): Promise<ToString> {
  try {
    return await createWith(toStringHooks, database, values, (inTransaction, hooked) =>
      insert(inTransaction, hooked, owner),
    );
  } catch (error) {
    throw await explain(database, error, values);
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
  for (;;) {
    const stored = await findToString(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(TO_STRING_KIND);
    const values = await change(stored);
    try {
      const updated = await updateWith(toStringHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error, values);
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
  let removed: boolean;
  try {
    removed = await deleteWith(toStringHooks, database, id, (inTransaction) =>
      remove(inTransaction, id, revision),
    );
  } catch (error) {
    throw asRemovalRefusal(error, 'to string');
  }
  if (!removed) throw await changedOrMissing(database, TO_STRING_KIND, id);
}

async function insert(
  database: Database,
  values: ToStringValues,
  owner: string | null,
): Promise<ToString> {
  const [created] = await database.query<ToString>(INSERT, [
    newId(),
    owner,
    ...parametersOf(WRITTEN, values),
  ]);
  if (created === undefined) throw new Error('the insert returned no row');
  return created;
}

async function update(
  database: Database,
  stored: ToString,
  values: ToStringValues,
): Promise<ToString | undefined> {
  const [updated] = await database.query<ToString>(UPDATE, [
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
const explain = (database: Database, error: unknown, values: ToStringValues): Promise<unknown> =>
  asRefusal(database, error, CONSTRAINTS, [
    { member: 'constructor_id', table: '"constructors"', id: values.constructor_id },
    { member: 'item_id', table: '"constructors"', id: values.item_id },
  ]);
