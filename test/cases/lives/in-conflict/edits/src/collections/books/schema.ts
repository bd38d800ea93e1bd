/** The shapes of books, and what their lists offer. */
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

/** What a client sends of a book. */
export const BookBody = object({
  title: string({ maxLength: 80 }),
  price: optional(integer({ minimum: 0 })),
});

setExample(BookBody, {
  title: 'Title 1',
  price: 1,
});

/** What is stored of a book, with defaults and nulls filled in. */
export type BookValues = Complete<Static<typeof BookBody>>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over books must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const BookComputed = object({});

/** A book as clients read it. */
export const BookShape = itemShape('Book', 'Books.', BookBody, { computed: BookComputed });

export interface Book extends BookValues, Complete<Static<typeof BookComputed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const bookBodies = bodyReader(BookBody, BookShape);

/** Who may do what with books. */
export const bookPermissions = {
  read: 'authenticated',
  create: 'authenticated',
  update: 'authenticated',
  delete: 'authenticated',
} as const satisfies Permissions;

export const bookLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(BookShape.properties),
  sort: ['created_at'],
  filter: {},
  search: false,
};
