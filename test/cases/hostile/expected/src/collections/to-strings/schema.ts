/** The shapes of to strings, and what their lists offer. */
import type { Static } from 'typebox';

import type { Permissions } from '../../platform/auth/permissions.ts';
import { bodyReader } from '../../platform/http/body.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { itemShape, object, optional, string, uuid } from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';

/** What a client sends of a to string. */
export const ToStringBody = object({
  constructor: optional(string()),
  constructor_id: uuid(),
  item_id: optional(uuid()),
});

/** What is stored of a to string, with defaults and nulls filled in. */
export type ToStringValues = Complete<Static<typeof ToStringBody>>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over to strings must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const ToStringComputed = object({});

/** A to string as clients read it. */
export const ToStringShape = itemShape('ToString', 'To strings.', ToStringBody, {
  computed: ToStringComputed,
});

export interface ToString extends ToStringValues, Complete<Static<typeof ToStringComputed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const toStringBodies = bodyReader(ToStringBody, ToStringShape);

/** Who may do what with to strings. */
export const toStringPermissions = {
  read: 'authenticated',
  create: 'authenticated',
  update: ['owner'],
  delete: 'authenticated',
} as const satisfies Permissions;

export const toStringLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(ToStringShape.properties),
  sort: ['constructor'],
  filter: {},
  search: false,
};
