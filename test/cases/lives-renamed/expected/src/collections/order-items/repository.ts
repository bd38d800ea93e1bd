/** Order items in the database. */
import { isBrokenReference, takenOr } from '../../database/constraints.ts';
import type { Constraints } from '../../database/constraints.ts';
import type { Database } from '../../database/database.ts';
import { createWith, deleteWith, updateWith } from '../../database/hooks.ts';
import { changed, changedOrMissing, missing } from '../../database/missing.ts';
import type { Kind } from '../../database/missing.ts';
import { readPage } from '../../database/pages.ts';
import type { ListTable, Scope } from '../../database/pages.ts';
import { conflict } from '../../http/errors.ts';
import type { ListRequest } from '../../http/list.ts';
import type { Page } from '../../http/page.ts';
import { newId } from '../../http/uuid.ts';
import { orderItemHooks } from './hooks.ts';
import type { OrderItem, OrderItemValues } from './schema.ts';

export const ORDER_ITEM_KIND: Kind = {
  collection: 'order_items',
  item: 'order item',
  table: '"order_items"',
};

/** What is selected of a row: all that clients read. */
const COLUMNS =
  '"order_items"."id", "order_items"."title", "order_items"."price", "order_items"."created_at", "order_items"."updated_at"';

const LISTS: ListTable = {
  name: '"order_items"',
  select: COLUMNS,
  columns: {
    created_at: { name: '"order_items"."created_at"', type: 'timestamptz' },
  },
};

const CONSTRAINTS: Constraints = {
  item: 'an order item',
  unique: {},
};

const FIND = {
  keep: true,
  quick: true,
  text: `select ${COLUMNS} from "order_items" where "id" = $1`,
};
const INSERT = {
  keep: true,
  text: `insert into "order_items" ("id", "title", "price")
    values ($1, $2, $3) returning ${COLUMNS}`,
};
// The time of the last change is the revision: a row that somebody else has changed since is not found.
const UPDATE = {
  keep: true,
  text: `update "order_items" set "title" = $3, "price" = $4
    where "id" = $1 and "updated_at" = $2 returning ${COLUMNS}`,
};
const DELETE = {
  keep: true,
  text: `delete from "order_items"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** The values in the order of the columns of the statements. */
const parameters = (values: OrderItemValues): unknown[] => [values.title, values.price];

/** One page of a list of order items; with scopes, of some parent's or owner's alone. */
export const listOrderItems = (
  database: Database,
  list: ListRequest,
  scopes: readonly Scope[] = [],
): Promise<Page<OrderItem>> => readPage<OrderItem>(database, LISTS, list, scopes);

/** Finds an order item. @throws 404 where it never was, 410 where it was removed. */
export async function findOrderItem(database: Database, id: string): Promise<OrderItem> {
  const [found] = await database.query<OrderItem>(FIND, [id]);
  if (found === undefined) throw await missing(database, ORDER_ITEM_KIND, id);
  return found;
}

/** Stores a new order item. @throws 409 for a unique value that is taken, 422 for a broken reference. */
export async function createOrderItem(
  database: Database,
  values: OrderItemValues,
): Promise<OrderItem> {
  try {
    return await createWith(orderItemHooks, database, values, insert);
  } catch (error) {
    throw takenOr(error, CONSTRAINTS);
  }
}

/**
 * Changes an order item. `change` says what it becomes, and is asked again where somebody else
 * changed it meanwhile: no change is lost. With a revision it is changed in that state alone.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateOrderItem(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: OrderItem) => OrderItemValues,
): Promise<OrderItem> {
  for (;;) {
    const stored = await findOrderItem(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(ORDER_ITEM_KIND);
    const values = change(stored);
    try {
      const updated = await updateWith(orderItemHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw takenOr(error, CONSTRAINTS);
    }
  }
}

/**
 * Removes an order item for good; with a revision, in that state alone.
 * @throws 404, 410, 412, and 409 where others refer to it.
 */
export async function deleteOrderItem(
  database: Database,
  id: string,
  revision?: string,
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(orderItemHooks, database, id, (inside) =>
      remove(inside, id, revision),
    );
  } catch (error) {
    // Told to the people at the desk.
    if (!isBrokenReference(error)) throw error;
    throw conflict(`Others (${error.table}) still refer to this order item: remove them first.`);
  }
  if (!removed) throw await changedOrMissing(database, ORDER_ITEM_KIND, id);
}

async function insert(database: Database, values: OrderItemValues): Promise<OrderItem> {
  const [created] = await database.insert<OrderItem>(INSERT, [newId(), ...parameters(values)]);
  if (created === undefined) throw new Error('the insert gave no row back');
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
    ...parameters(values),
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
