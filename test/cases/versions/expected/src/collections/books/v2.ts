/** Books as version 2 has them, and the way to what is stored and back. */
import type { Static } from 'typebox';

import { bodyReader } from '../../platform/http/body.ts';
import {
  convertible,
  numberOfText,
  reading,
  shownAs,
  textOfInteger,
} from '../../platform/http/conversions.ts';
import { byEnum, byInteger, byNumber, byString, byUuid } from '../../platform/http/filters.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { bySearch } from '../../platform/http/search.ts';
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
import {
  bodiesOf,
  computedMembers,
  computedSources,
  defaultsOf,
  storedIfUnchanged,
} from '../../platform/http/view.ts';
import { PERSON_RESOURCE } from '../people/repository.ts';
import { BOOK_RESOURCE, bookTable } from './repository.ts';
import { BookBody, BookComputed, BookReadOnly } from './schema.ts';
import type { Book, BookValues, StoredBook } from './schema.ts';
import type { BookView } from './views.ts';

const PRICE_IN_V2 = numberOfText(2, 10);
const NUMBER_IN_V2 = textOfInteger;
/** Values that the version does not have are shown as others. */
const STATE_IN_V2 = shownAs({
  draft: 'draft',
  published: 'published',
  archived: 'archived',
  withdrawn: 'published',
});

/** What a client of version 2 sends of a book. */
export const BookV2Body = object({
  title: string({ maxLength: 200 }),
  isbn: optional(string({ pattern: '^97[89][0-9]{10}$' })),
  price: defaulting(
    convertible(
      number({ minimum: 0 }),
      PRICE_IN_V2,
      BookBody.properties.price,
      'must be in range, with at most 8 digits before the point and 2 after it',
    ),
    0,
  ),
  stock: optional(integer({ minimum: 0, maximum: 100000 })),
  state: defaulting(oneOf(['draft', 'published', 'archived']), 'draft'),
  tags: optional(list(string(), { minItems: 1, maxItems: 1 })),
  genre: optional(string({ maxLength: 40 })),
  secret: writeOnly(optional(string({ maxLength: 40 }))),
  series: immutable(optional(string({ maxLength: 40 }))),
  person_id: uuid(),
});

setExample(BookV2Body, {
  title: 'Title 1',
  isbn: '9780000000001',
  price: 0,
  stock: 1,
  state: 'draft',
  tags: ['Tags 1'],
  genre: 'Genre 1',
  secret: 'Secret 1',
  series: 'Series 1',
  person_id: '01890a5d-ac96-774b-bcce-b302099a8057',
});

/** What the service alone writes of a book, as version 2 shows it. */
export const BookV2ReadOnly = object({
  rating: optional(number()),
});

/** What the database assigns to a book, as version 2 shows it. */
export const BookV2Assigned = object({
  number: string(),
});

/** What clients do not send of a book, as version 2 shows it. */
const BookV2SetByService = object({ ...BookV2ReadOnly.properties, ...BookV2Assigned.properties });

setExample(BookV2SetByService, {
  number: 'Number 1',
});

/** The same with defaults and nulls filled in. */
export type BookV2Values = Complete<Static<typeof BookV2Body>> &
  Complete<Static<typeof BookV2ReadOnly>>;

/** The computed members of version 2. To leave one out: `Type.Omit(BookComputed, ['name'])` of typebox. */
export const BookV2Computed = BookComputed;

/** A book as clients of version 2 read it. */
export const BookV2Shape = itemShape('Book', 'Books.', BookV2Body, {
  readOnly: BookV2SetByService,
  computed: BookV2Computed,
});

export interface BookV2
  extends
    Omit<BookV2Values, 'secret'>,
    Complete<Static<typeof BookV2Assigned>>,
    Complete<Static<typeof BookV2Computed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const bookV2Lists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(BookV2Shape.properties),
  sort: ['title', 'price', 'state', 'stock'],
  filter: {
    title: byString(),
    price: byNumber(),
    state: byEnum(['draft', 'published', 'archived']),
    stock: byInteger(),
    person_id: byUuid(),
    isbn: byString(),
  },
  parameters: {
    q: bySearch,
  },
};

/** What version 2 shows of a book. */
export const bookToV2 = (book: Book): BookV2 => ({
  id: book.id,
  title: book.title,
  isbn: book.isbn,
  price: PRICE_IN_V2.show(book.price),
  stock: book.stock,
  number: NUMBER_IN_V2.show(book.number),
  state: STATE_IN_V2.show(book.state),
  tags: book.tags,
  genre: book.genre,
  rating: book.rating,
  series: book.series,
  person_id: book.person_id,
  created_at: book.created_at,
  updated_at: book.updated_at,
  ...computedMembers(BookV2Computed, book),
});

/** The same with the members that no client reads. */
const bookToV2Whole = (book: StoredBook) => ({
  ...bookToV2(book),
  secret: book.secret,
});

/**
 * The stored values of a book that version 2 writes. Members that it does not have keep their
 * stored value, or get their default.
 */
export function bookFromV2(sent: BookV2Values, stored?: StoredBook): BookValues {
  const shown = stored && bookToV2Whole(stored);
  const unseen = stored ?? { ...defaultsOf(BookBody), ...defaultsOf(BookReadOnly) };
  return {
    title: sent.title,
    isbn: sent.isbn,
    price: reading(PRICE_IN_V2)(sent.price),
    stock: sent.stock,
    state:
      storedIfUnchanged(stored?.state, shown?.state, sent.state) ??
      reading(STATE_IN_V2)(sent.state),
    tags: sent.tags,
    genre: sent.genre,
    secret: sent.secret,
    rating: unseen.rating,
    series: sent.series,
    person_id: sent.person_id,
  };
}

const references = { person_id: 'person_id' };

export const bookV2: BookView = {
  path: 'books',
  resource: {
    ...BOOK_RESOURCE,
    item: 'book',
    anItem: 'a book',
    unique: {
      books__isbn__key: ['isbn'],
      books__number__key: ['number'],
      books__person_id__title__key: ['person_id', 'title'],
    },
    references,
  },
  bodies: bodiesOf(
    bodyReader(BookV2Body, BookV2Shape, {
      readOnly: BookV2ReadOnly,
    }),
    { show: bookToV2Whole, store: bookFromV2, references },
  ),
  lists: bookV2Lists,
  table: {
    ...bookTable,
    largest: undefined,
    sources: {
      id: 'id',
      title: 'title',
      isbn: 'isbn',
      price: 'price',
      stock: 'stock',
      number: 'number',
      state: 'state',
      tags: 'tags',
      genre: 'genre',
      rating: 'rating',
      series: 'series',
      person_id: 'person_id',
      created_at: 'created_at',
      updated_at: 'updated_at',
      ...computedSources(BookV2Computed),
    },
    converted: ['price', 'number', 'state'],
    columns: {
      title: { name: '"books"."title"', type: 'text' },
      price: { name: '"books"."price"', type: 'numeric' },
      state: {
        name: "(case \"books\".\"state\" when 'draft' then 'draft' when 'published' then 'published' when 'archived' then 'archived' when 'withdrawn' then 'published' end collate \"C\")",
        type: 'text',
        order: (value: string) => [
          `array_position(array['draft', 'published', 'archived'], ${value})`,
        ],
      },
      stock: {
        name: '"books"."stock"',
        type: 'bigint',
        order: (value: string) => [`(${value} is null)`, `coalesce(${value}, 0)`],
      },
      person_id: { name: '"books"."person_id"', type: 'uuid' },
      isbn: { name: '"books"."isbn"', type: 'text', beginning: 'left("books"."isbn", 200)' },
    },
    show: (row) => bookToV2(row as unknown as Book),
  },
  nested: {
    person_id: {
      parent: 'people',
      path: 'books',
      resource: PERSON_RESOURCE,
      name: 'BooksOfPerson',
    },
  },
  show: bookToV2,
  doc: {
    tag: 'Books',
    words: 'books',
    type: 'Book',
    types: 'Books',
    item: BookV2Shape,
    body: BookV2Body,
    unique: ['title', 'isbn', 'number', 'person_id'],
  },
};
