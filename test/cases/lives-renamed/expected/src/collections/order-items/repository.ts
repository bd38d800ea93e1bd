/** The repository of order items: their columns, and the functions made of them. */
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import type { Resource } from '../../platform/database/constraints.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
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
  // Told to the people at the desk.
  name: '"order_items"',
  members: COLUMNS,
  largest: 821,
  unbounded: Object.keys(OrderItemComputed.properties),
  columns: {
    created_at: { name: '"order_items"."created_at"', type: 'timestamptz' },
  },
};

export const {
  list: listOrderItems,
  find: findOrderItem,
  create: createOrderItem,
  update: updateOrderItem,
  delete: deleteOrderItem,
} = crudRepository<OrderItem, OrderItemValues>({
  resource: ORDER_ITEM_RESOURCE,
  lists: LISTS,
  written: WRITTEN,
  hooks: () => orderItemHooks,
});
