/** The SQL statements of order items. */
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
import { orderItemHooks } from './hooks.ts';
import type { OrderItem, OrderItemValues } from './schema.ts';

export const ORDER_ITEM_KIND: ResourceName = {
  collection: 'order_items',
  item: 'order item',
  table: '"order_items"',
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<OrderItem> = {
  id: '"order_items"."id"',
  title: '"order_items"."title"',
  price: '"order_items"."price"',
  created_at: '"order_items"."created_at"',
  updated_at: '"order_items"."updated_at"',
};
const SELECTED = selectList(COLUMNS);

/** The values of written columns. */
const WRITTEN: WrittenColumns<OrderItemValues> = {
  title: (values) => values.title,
  price: (values) => values.price,
};

const LISTS: ListTable = {
  name: '"order_items"',
  members: COLUMNS,
  largest: 821,
  columns: {
    created_at: { name: '"order_items"."created_at"', type: 'timestamptz' },
  },
};

const CONSTRAINTS: Constraints = {
  item: 'an order item',
  table: '"order_items"',
  unique: {},
};

const FIND = {
  prepared: true,
  pipelined: true,
  text: `select ${SELECTED} from "order_items" where "id" = $1`,
};
const INSERT = {
  prepared: true,
  pipelined: 'overflow' as const,
  text: `insert into "order_items" ("id", ${columnList(WRITTEN)})
    values ($1, ${placeholders(WRITTEN, 2)}) returning ${SELECTED}`,
};
// `updated_at` is the revision: if the row was changed concurrently, nothing is updated.
const UPDATE = {
  prepared: true,
  text: `update "order_items" set ${assignments(WRITTEN, 3)}
    where "id" = $1 and "updated_at" = $2 returning ${SELECTED}`,
};
const DELETE = {
  prepared: true,
  text: `delete from "order_items"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** Reads a page of order items. Fixed filters limit the list to a parent or an owner. */
export const listOrderItems = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<OrderItem>> => readPage<OrderItem>(database, LISTS, list, fixedFilters);

/** Finds an order item. @throws 404 if it never existed, 410 if it was removed. */
export async function findOrderItem(database: Database, id: string): Promise<OrderItem> {
  const [found] = await database.query<OrderItem>(FIND, [id]);
  if (found === undefined) throw await missing(database, ORDER_ITEM_KIND, id);
  return found;
}

/** Inserts an order item. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createOrderItem(
  database: Database,
  values: OrderItemValues,
): Promise<OrderItem> {
  try {
    return await createWith(orderItemHooks, database, values, insert);
  } catch (error) {
    throw await explain(database, error);
  }
}

/**
 * Updates an order item. After a concurrent change it is tried again, so that no update is lost.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @param change computes the new values from the stored item.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateOrderItem(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: OrderItem) => OrderItemValues | Promise<OrderItemValues>,
): Promise<OrderItem> {
  for (;;) {
    const stored = await findOrderItem(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(ORDER_ITEM_KIND);
    const values = await change(stored);
    try {
      const updated = await updateWith(orderItemHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error);
    }
  }
}

/**
 * Deletes an order item.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deleteOrderItem(
  database: Database,
  id: string,
  revision?: string,
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(orderItemHooks, database, id, (inTransaction) =>
      remove(inTransaction, id, revision),
    );
  } catch (error) {
    throw asRemovalRefusal(error, 'order item');
  }
  if (!removed) throw await changedOrMissing(database, ORDER_ITEM_KIND, id);
}

async function insert(database: Database, values: OrderItemValues): Promise<OrderItem> {
  const [created] = await database.query<OrderItem>(INSERT, [
    newId(),
    ...parametersOf(WRITTEN, values),
  ]);
  if (created === undefined) throw new Error('the insert returned no row');
  return created;
}

async function update(
  database: Database,
  stored: OrderItem,
  values: OrderItemValues,
): Promise<OrderItem | undefined> {
  const [updated] = await database.query<OrderItem>(UPDATE, [
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
  // Told to the people at the desk.
  const rows = await database.query(DELETE, [id, revision]);
  return rows.length > 0;
}

/** Translates database errors to 409 and 422. */
const explain = (database: Database, error: unknown): Promise<unknown> =>
  asRefusal(database, error, CONSTRAINTS);
