/**
 * The shapes of books, and what their lists offer.
 *
 * A title that the shop sells.
 */
import type { Static } from 'typebox';

import type { Permissions } from '../../platform/auth/permissions.ts';
import { bodyReader } from '../../platform/http/body.ts';
import { byDecimal, decimal } from '../../platform/http/exact-numbers.ts';
import { byEnum, byTimestamp, byUuid } from '../../platform/http/filters.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { bySearch } from '../../platform/http/search.ts';
import {
  itemShape,
  object,
  oneOf,
  optional,
  setExample,
  string,
  timestamp,
  uuid,
} from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';

/** What a client sends of a book. */
export const BookBody = object({
  title: string({ minLength: 1, maxLength: 300 }),
  isbn: string({ maxLength: 13, pattern: '^97[89][0-9]{10}$' }),
  price: optional(decimal({ precision: 10, scale: 2, minimum: '0.00' })),
  status: optional(oneOf(['draft', 'published']), 'draft'),
  author_id: uuid(),
  published_at: optional(timestamp()),
});

setExample(BookBody, {
  title: 'Title 1',
  isbn: '9780000000001',
  price: '1.50',
  status: 'draft',
  author_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  published_at: '2026-01-31T12:00:00.000Z',
});

/** What is stored of a book, with defaults and nulls filled in. */
export type BookValues = Complete<Static<typeof BookBody>>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over books must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const BookComputed = object({});

/** A book as clients read it. */
export const BookShape = itemShape('Book', 'A title that the shop sells.', BookBody, {
  computed: BookComputed,
});

export interface Book extends BookValues, Complete<Static<typeof BookComputed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const bookBodies = bodyReader(BookBody, BookShape);

/** Who may do what with books. */
export const bookPermissions = {
  read: 'public',
  create: ['editor'],
  update: ['editor'],
  delete: ['admin'],
} as const satisfies Permissions;

export const bookLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(BookShape.properties),
  sort: ['title', 'published_at', 'created_at'],
  filter: {
    status: byEnum(['draft', 'published']),
    author_id: byUuid(),
    price: byDecimal(10, 2),
    published_at: byTimestamp(),
  },
  parameters: {
    q: bySearch,
  },
};
