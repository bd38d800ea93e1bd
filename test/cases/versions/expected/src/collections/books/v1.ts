/** Books as version 1 has them, and the way to what is stored and back. */
import type { Static } from 'typebox';

import { bodyReader } from '../../platform/http/body.ts';
import {
  convertible,
  listOfOne,
  numberOfText,
  orNull,
  reading,
  shownAs,
  textOfInteger,
} from '../../platform/http/conversions.ts';
import { bigint, byBigint } from '../../platform/http/exact-numbers.ts';
import { byEnum, byNumber, byString, byUuid } from '../../platform/http/filters.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { bySearch } from '../../platform/http/search.ts';
import {
  defaulting,
  itemShape,
  list,
  number,
  object,
  oneOf,
  optional,
  setExample,
  string,
  uuid,
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

const PRICE_IN_V1 = numberOfText(2, 10);
const STOCK_IN_V1 = textOfInteger;
const NUMBER_IN_V1 = textOfInteger;
/** Values that the version does not have are shown as others. */
const STATE_IN_V1 = shownAs({
  draft: 'new',
  published: 'public',
  archived: 'public',
  withdrawn: 'public',
});
const GENRE_IN_V1 = listOfOne<string>();

/** What a client of version 1 sends of a book. */
export const BookV1Body = object({
  title: string({ maxLength: 200 }),
  ean: optional(string({ pattern: '^97[89][0-9]{10}$' })),
  cost: defaulting(
    convertible(
      number({ minimum: 0 }),
      PRICE_IN_V1,
      BookBody.properties.price,
      'must be in range, with at most 8 digits before the point and 2 after it',
    ),
    0,
  ),
  stock: optional(
    convertible(
      bigint({ minimum: '0', maximum: '100000' }),
      STOCK_IN_V1,
      BookBody.properties.stock,
      'must be an integer that is in range',
    ),
  ),
  state: defaulting(oneOf(['new', 'public']), 'new'),
  tags: optional(list(string(), { minItems: 1, maxItems: 1 })),
  genre: optional(
    convertible(
      list(string({ maxLength: 40 }), { minItems: 1, maxItems: 1 }),
      GENRE_IN_V1,
      BookBody.properties.genre,
      'must be a value that can be kept',
    ),
  ),
  writer_id: uuid(),
});

setExample(BookV1Body, {
  title: 'Title 1',
  ean: '9780000000001',
  cost: 0,
  stock: '1',
  state: 'new',
  tags: ['Tags 1'],
  genre: ['Genre 1'],
  writer_id: '01890a5d-ac96-774b-bcce-b302099a8057',
});

/** What the service alone writes of a book, as version 1 shows it. */
export const BookV1ReadOnly = object({
  stars: optional(number()),
});

/** What the database assigns to a book, as version 1 shows it. */
export const BookV1Assigned = object({
  place: string(),
});

/** What clients do not send of a book, as version 1 shows it. */
const BookV1SetByService = object({ ...BookV1ReadOnly.properties, ...BookV1Assigned.properties });

setExample(BookV1SetByService, {
  place: 'Place 1',
});

/** The same with defaults and nulls filled in. */
export type BookV1Values = Complete<Static<typeof BookV1Body>> &
  Complete<Static<typeof BookV1ReadOnly>>;

/** The computed members of version 1. To leave one out: `Type.Omit(BookComputed, ['name'])` of typebox. */
export const BookV1Computed = BookComputed;

/** A book as clients of version 1 read it. */
export const BookV1Shape = itemShape('Book', 'Books.', BookV1Body, {
  readOnly: BookV1SetByService,
  computed: BookV1Computed,
});

export interface BookV1
  extends
    BookV1Values,
    Complete<Static<typeof BookV1Assigned>>,
    Complete<Static<typeof BookV1Computed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const bookV1Lists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(BookV1Shape.properties),
  sort: ['title', 'cost', 'state', 'stock'],
  filter: {
    title: byString(),
    cost: byNumber(),
    state: byEnum(['new', 'public']),
    stock: byBigint(),
    writer_id: byUuid(),
    ean: byString(),
  },
  parameters: {
    q: bySearch,
  },
};

/** What version 1 shows of a book. */
export const bookToV1 = (book: Book): BookV1 => ({
  id: book.id,
  title: book.title,
  ean: book.isbn,
  cost: PRICE_IN_V1.show(book.price),
  stock: orNull(STOCK_IN_V1.show, book.stock),
  place: NUMBER_IN_V1.show(book.number),
  state: STATE_IN_V1.show(book.state),
  tags: book.tags,
  genre: orNull(GENRE_IN_V1.show, book.genre),
  stars: book.rating,
  writer_id: book.person_id,
  created_at: book.created_at,
  updated_at: book.updated_at,
  ...computedMembers(BookV1Computed, book),
});

/**
 * The stored values of a book that version 1 writes. Members that it does not have keep their
 * stored value, or get their default.
 */
export function bookFromV1(sent: BookV1Values, stored?: StoredBook): BookValues {
  const shown = stored && bookToV1(stored);
  const unseen = stored ?? { ...defaultsOf(BookBody), ...defaultsOf(BookReadOnly) };
  return {
    title: sent.title,
    isbn: sent.ean,
    price: reading(PRICE_IN_V1)(sent.cost),
    stock: orNull(reading(STOCK_IN_V1), sent.stock),
    state:
      storedIfUnchanged(stored?.state, shown?.state, sent.state) ??
      reading(STATE_IN_V1)(sent.state),
    tags: sent.tags,
    genre: orNull(reading(GENRE_IN_V1), sent.genre),
    secret: unseen.secret,
    rating: unseen.rating,
    series: unseen.series,
    person_id: sent.writer_id,
  };
}

const references = { person_id: 'writer_id' };

export const bookV1: BookView = {
  path: 'books',
  resource: {
    ...BOOK_RESOURCE,
    item: 'book',
    anItem: 'a book',
    unique: {
      books__isbn__key: ['ean'],
      books__number__key: ['place'],
      books__person_id__title__key: ['writer_id', 'title'],
    },
    references,
  },
  bodies: bodiesOf(
    bodyReader(BookV1Body, BookV1Shape, {
      readOnly: BookV1ReadOnly,
    }),
    { show: bookToV1, store: bookFromV1, references },
  ),
  lists: bookV1Lists,
  table: {
    ...bookTable,
    largest: undefined,
    sources: {
      id: 'id',
      title: 'title',
      ean: 'isbn',
      cost: 'price',
      stock: 'stock',
      place: 'number',
      state: 'state',
      tags: 'tags',
      genre: 'genre',
      stars: 'rating',
      writer_id: 'person_id',
      created_at: 'created_at',
      updated_at: 'updated_at',
      ...computedSources(BookV1Computed),
    },
    converted: ['price', 'stock', 'number', 'state', 'genre'],
    columns: {
      title: { name: '"books"."title"', type: 'text' },
      cost: { name: '"books"."price"', type: 'numeric' },
      state: {
        name: "(case \"books\".\"state\" when 'draft' then 'new' when 'published' then 'public' when 'archived' then 'public' when 'withdrawn' then 'public' end collate \"C\")",
        type: 'text',
        order: (value: string) => [`array_position(array['new', 'public'], ${value})`],
      },
      stock: {
        name: '"books"."stock"',
        type: 'bigint',
        order: (value: string) => [`(${value} is null)`, `coalesce(${value}, 0)`],
      },
      writer_id: { name: '"books"."person_id"', type: 'uuid' },
      ean: { name: '"books"."isbn"', type: 'text', beginning: 'left("books"."isbn", 200)' },
    },
    words: '"_words_v1"',
    show: (row) => bookToV1(row as unknown as Book),
  },
  nested: {
    person_id: {
      parent: 'writers',
      path: 'books',
      resource: { ...PERSON_RESOURCE, item: 'writer', anItem: 'a writer' },
      name: 'BooksOfWriter',
    },
  },
  show: bookToV1,
  doc: {
    tag: 'Books',
    words: 'books',
    type: 'Book',
    types: 'Books',
    item: BookV1Shape,
    body: BookV1Body,
    unique: ['title', 'ean', 'place', 'writer_id'],
  },
};
