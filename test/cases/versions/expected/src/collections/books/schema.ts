/** The shapes of books, and what their lists offer. */
import type { Static } from 'typebox';

import type { Permissions } from '../../platform/auth/permissions.ts';
import { bodyReader } from '../../platform/http/body.ts';
import { byDecimal, decimal } from '../../platform/http/exact-numbers.ts';
import { byEnum, byInteger, byString, byUuid } from '../../platform/http/filters.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import {
  defaulting,
  immutable,
  integer,
  itemShape,
  list,
  number,
  object,
  oneOf,
  optional,
  setExample,
  string,
  uuid,
  writeOnly,
} from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';

/** What a client sends of a book. */
export const BookBody = object({
  title: string({ maxLength: 200 }),
  isbn: optional(string({ pattern: '^97[89][0-9]{10}$' })),
  price: defaulting(decimal({ precision: 10, scale: 2, minimum: '0.00' }), '0.00'),
  stock: optional(integer({ minimum: 0, maximum: 100000 })),
  state: defaulting(oneOf(['draft', 'published', 'archived', 'withdrawn']), 'draft'),
  tags: optional(list(string(), { minItems: 1, maxItems: 1 })),
  genre: optional(string({ maxLength: 40 })),
  secret: writeOnly(optional(string({ maxLength: 40 }))),
  series: immutable(optional(string({ maxLength: 40 }))),
  person_id: uuid(),
});

setExample(BookBody, {
  title: 'Title 1',
  isbn: '9780000000001',
  price: '0.00',
  stock: 1,
  state: 'draft',
  tags: ['Tags 1'],
  genre: 'Genre 1',
  secret: 'Secret 1',
  series: 'Series 1',
  person_id: '01890a5d-ac96-774b-bcce-b302099a8057',
});

/** What the service alone writes of a book. */
export const BookReadOnly = object({
  rating: optional(number()),
});

/** What is stored of a book, with defaults and nulls filled in. */
export type BookValues = Complete<Static<typeof BookBody>> & Complete<Static<typeof BookReadOnly>>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over books must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const BookComputed = object({});

/** A book as clients read it. */
export const BookShape = itemShape('Book', 'Books.', BookBody, {
  readOnly: BookReadOnly,
  computed: BookComputed,
});

export interface Book extends Omit<BookValues, 'secret'>, Complete<Static<typeof BookComputed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A book with the members that no client reads. */
export type StoredBook = Book & BookValues;

export const bookBodies = bodyReader(BookBody, BookShape, BookReadOnly);

/** Who may do what with books. */
export const bookPermissions = {
  read: 'public',
  create: 'authenticated',
  update: ['editor', 'owner'],
  delete: ['owner'],
} as const satisfies Permissions;

export const bookLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(BookShape.properties),
  sort: ['title', 'price', 'state', 'stock'],
  filter: {
    title: byString(),
    price: byDecimal(10, 2),
    state: byEnum(['draft', 'published', 'archived', 'withdrawn']),
    stock: byInteger(),
    person_id: byUuid(),
    isbn: byString(),
  },
  search: searchWords,
};
