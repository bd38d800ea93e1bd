/** The shapes of keys, and what their lists offer. */
import type { Static } from 'typebox';

import type { Permissions } from '../../platform/auth/permissions.ts';
import { bodyReader } from '../../platform/http/body.ts';
import { byInteger } from '../../platform/http/filters.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { integer, itemShape, object, optional, setExample } from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';

/** What a client sends of a key. */
export const KeyItemBody = object({
  length: optional(integer()),
});

setExample(KeyItemBody, {
  length: 1,
});

/** What is stored of a key, with defaults and nulls filled in. */
export type KeyItemValues = Complete<Static<typeof KeyItemBody>>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over keys must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const KeyItemComputed = object({});

/** A key as clients read it. */
export const KeyItemShape = itemShape('KeyItem', 'Keys.', KeyItemBody, {
  computed: KeyItemComputed,
});

export interface KeyItem extends KeyItemValues, Complete<Static<typeof KeyItemComputed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const keyBodies = bodyReader(KeyItemBody, KeyItemShape);

/** Who may do what with keys. */
export const keyPermissions = {
  read: 'authenticated',
  create: 'authenticated',
  update: 'authenticated',
  delete: 'authenticated',
} as const satisfies Permissions;

export const keyLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(KeyItemShape.properties),
  sort: ['length'],
  filter: {
    length: byInteger(),
  },
  search: false,
};
