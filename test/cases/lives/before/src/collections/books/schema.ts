/** The shapes of books, and what their lists offer. */
import type { Static } from 'typebox';

import type { Permissions } from '../../auth/permissions.ts';
import { bodyReader } from '../../http/body.ts';
import type { ListOptions } from '../../http/list.ts';
import { integer, object, optional, string } from '../../http/shapes.ts';
import type { Complete } from '../../http/shapes.ts';

/** What a client sends of a book. */
export const BookBody = object({
  title: string({ maxLength: 100 }),
  price: optional(integer({ minimum: 0 })),
});

/** What is stored of a book, with defaults and nulls filled in. */
export type BookValues = Complete<Static<typeof BookBody>>;

/** A book as clients read it. */
export interface Book extends BookValues {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const bookBodies = bodyReader(BookBody);

/** Who may do what with books. */
export const bookPermissions = {
  read: 'authenticated',
  create: 'authenticated',
  update: 'authenticated',
  delete: 'authenticated',
} as const satisfies Permissions;

export const bookLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: ['id', 'title', 'price', 'created_at', 'updated_at'],
  sort: ['created_at'],
  filter: {},
  search: false,
};
