/** The SQL statements of order items. */
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
import { orderItemHooks } from './hooks.ts';
import { OrderItemComputed } from './schema.ts';
import type { OrderItem, OrderItemValues } from './schema.ts';

export const ORDER_ITEM_RESOURCE: Resource = {
  collection: 'order_items',
  item: 'order item',
  anItem: 'an order item',
  table: '"order_items"',
  unique: {},
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<OrderItem> = {
  id: '"order_items"."id"',
  title: '"order_items"."title"',
  price: '"order_items"."price"',
  created_at: '"order_items"."created_at"',
  updated_at: '"order_items"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<OrderItemValues> = {
  title: (values) => values.title,
  price: (values) => values.price,
};

const LISTS: ListTable = {
  name: '"order_items"',
  members: COLUMNS,
  largest: 821,
  unbounded: Object.keys(OrderItemComputed.properties),
  columns: {
    created_at: { name: '"order_items"."created_at"', type: 'timestamptz' },
  },
};

const STATEMENTS = crudStatements('"order_items"', COLUMNS, WRITTEN);

/** Reads a page of order items. Fixed filters limit the list to a parent or an owner. */
export const listOrderItems = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<OrderItem>> => readPage<OrderItem>(database, LISTS, list, fixedFilters);

/** Finds an order item. @throws 404 if it never existed, 410 if it was removed. */
export async function findOrderItem(database: Database, id: string): Promise<OrderItem> {
  const [found] = await database.query<OrderItem>(STATEMENTS.find, [id]);
  if (found === undefined) throw await missing(database, ORDER_ITEM_RESOURCE, id);
  // Told to the people at the desk.
  return found;
}

/** Inserts an order item. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createOrderItem(
  database: Database,
  values: OrderItemValues,
): Promise<OrderItem> {
  const { beforeCreate, afterCreate } = orderItemHooks;
  try {
    return await changeWithHooks(database, [beforeCreate, afterCreate], async (transaction) => {
      const hooked = (await beforeCreate?.(values, transaction)) ?? values;
      const [created] = await transaction.query<OrderItem>(STATEMENTS.insert, [
        newId(),
        ...parametersOf(WRITTEN, hooked),
      ]);
      if (created === undefined) throw new Error('the insert returned no row');
      await afterCreate?.(created, transaction);
      return created;
    });
  } catch (error) {
    throw await asRefusal(database, error, ORDER_ITEM_RESOURCE);
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
  const { beforeUpdate, afterUpdate } = orderItemHooks;
  for (;;) {
    const stored = await findOrderItem(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(ORDER_ITEM_RESOURCE);
    const values = await change(stored);
    try {
      return await changeWithHooks(database, [beforeUpdate, afterUpdate], async (transaction) => {
        const hooked = (await beforeUpdate?.(values, stored, transaction)) ?? values;
        const parameters = [id, stored.updated_at, ...parametersOf(WRITTEN, hooked)];
        const [updated] = await transaction.query<OrderItem>(STATEMENTS.update, parameters);
        if (updated === undefined) throw new ConcurrentChange();
        await afterUpdate?.(updated, transaction);
        return updated;
      });
    } catch (error) {
      if (error instanceof ConcurrentChange) continue;
      throw await asRefusal(database, error, ORDER_ITEM_RESOURCE);
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
  const { beforeDelete, afterDelete } = orderItemHooks;
  try {
    await changeWithHooks(database, [beforeDelete, afterDelete], async (transaction) => {
      await beforeDelete?.(id, transaction);
      const deleted = await transaction.query(STATEMENTS.delete, [id, revision]);
      if (deleted.length === 0) throw await changedOrMissing(transaction, ORDER_ITEM_RESOURCE, id);
      await afterDelete?.(id, transaction);
    });
  } catch (error) {
    throw asRemovalRefusal(error, 'order item');
  }
}
