/** The shapes of order items, and what their lists offer. */
import type { Static } from 'typebox';

import type { Permissions } from '../../platform/auth/permissions.ts';
import { bodyReader } from '../../platform/http/body.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import {
  integer,
  itemShape,
  object,
  optional,
  setExample,
  string,
} from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';

/** What a client sends of an order item. */
export const OrderItemBody = object({
  title: string({ maxLength: 100 }),
  price: optional(integer({ minimum: 0 })),
});

setExample(OrderItemBody, {
  title: 'Title 1',
  price: 1,
});

/** What is stored of an order item, with defaults and nulls filled in. */
export type OrderItemValues = Complete<Static<typeof OrderItemBody>>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over order items must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const OrderItemComputed = object({});

/** An order item as clients read it. */
export const OrderItemShape = itemShape('OrderItem', 'Order items.', OrderItemBody, {
  computed: OrderItemComputed,
});

export interface OrderItem extends OrderItemValues, Complete<Static<typeof OrderItemComputed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const orderItemBodies = bodyReader(OrderItemBody, OrderItemShape);

/** Who may do what with order items. */
export const orderItemPermissions = {
  read: 'authenticated',
  create: 'authenticated',
  update: 'authenticated',
  delete: 'authenticated',
} as const satisfies Permissions;

export const orderItemLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(OrderItemShape.properties),
  sort: ['created_at'],
  filter: {},
  search: false,
};
