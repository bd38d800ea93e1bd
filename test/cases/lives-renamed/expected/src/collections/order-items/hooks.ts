/**
 * The team's own rules for order items: what is checked, and what is done, around a change.
 * This file is yours; `Hooks` says which hooks there are.
 */
import type { Hooks } from '../../platform/database/hooks.ts';
import type { OrderItem, OrderItemValues } from './schema.ts';

export const orderItemHooks: Hooks<OrderItem, OrderItemValues> = {
  beforeCreate: (values) => ({ ...values, title: values.title.trim() }),
};
