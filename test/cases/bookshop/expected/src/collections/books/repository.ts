/** The repository of books: their columns, and the functions made of them. */
import type { Resource } from '../../platform/database/constraints.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/repository.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import { bookHooks } from './hooks.ts';
import { BookComputed } from './schema.ts';
import type { Book, BookValues } from './schema.ts';

export const BOOK_RESOURCE: Resource = {
  collection: 'books',
  item: 'book',
  anItem: 'a book',
  table: '"books"',
  unique: {
    books__isbn__key: ['isbn'],
  },
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Book> = {
  id: '"books"."id"',
  title: '"books"."title"',
  isbn: '"books"."isbn"',
  price: '"books"."price"',
  status: '"books"."status"',
  author_id: '"books"."author_id"',
  published_at: '"books"."published_at"',
  created_at: '"books"."created_at"',
  updated_at: '"books"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<BookValues> = {
  title: (values) => values.title,
  isbn: (values) => values.isbn,
  price: (values) => values.price,
  status: (values) => values.status,
  author_id: (values) => values.author_id,
  published_at: (values) => values.published_at,
  _words: (values) => searchWords(values.title),
};

const LISTS: ListTable = {
  name: '"books"',
  members: COLUMNS,
  largest: 2282,
  unbounded: Object.keys(BookComputed.properties),
  columns: {
    title: {
      name: '"books"."title"',
      type: 'text',
      order: (value: string) => [`left(${value}, 200)`],
    },
    published_at: {
      name: '"books"."published_at"',
      type: 'timestamptz',
      order: (value: string) => [
        `(${value} is null)`,
        `coalesce(${value}, timestamptz '0001-01-01 00:00:00+00')`,
      ],
    },
    created_at: { name: '"books"."created_at"', type: 'timestamptz' },
    status: { name: '"books"."status"', type: 'text' },
    author_id: { name: '"books"."author_id"', type: 'uuid' },
    price: { name: '"books"."price"', type: 'numeric' },
  },
};

export const {
  list: listBooks,
  find: findBook,
  create: createBook,
  update: updateBook,
  delete: deleteBook,
} = crudRepository<Book, BookValues>({
  resource: BOOK_RESOURCE,
  lists: LISTS,
  written: WRITTEN,
  references: { author_id: '"authors"' },
  hooks: () => bookHooks,
});
