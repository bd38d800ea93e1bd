/** The repository of books: their columns, and the functions made of them. */
import type { Resource } from '../../platform/database/constraints.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/repository.ts';
import { bookHooks } from './hooks.ts';
import { BookComputed } from './schema.ts';
import type { Book, BookValues } from './schema.ts';

export const BOOK_RESOURCE: Resource = {
  collection: 'books',
  item: 'book',
  anItem: 'a book',
  table: '"books"',
  unique: {},
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Book> = {
  id: '"books"."id"',
  title: '"books"."title"',
  price: '"books"."price"',
  created_at: '"books"."created_at"',
  updated_at: '"books"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<BookValues> = {
  title: (values) => values.title,
  price: (values) => values.price,
};

const LISTS: ListTable = {
  name: '"books"',
  members: COLUMNS,
  largest: 821,
  unbounded: Object.keys(BookComputed.properties),
  columns: {
    created_at: { name: '"books"."created_at"', type: 'timestamptz' },
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
  hooks: () => bookHooks,
});
