/** The repository of books: their columns, and the functions made of them. */
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import type { Resource } from '../../platform/database/constraints.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
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
  cost: '"books"."cost"',
  pages: '"books"."pages"',
  created_at: '"books"."created_at"',
  updated_at: '"books"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<BookValues> = {
  title: (values) => values.title,
  cost: (values) => values.cost,
  pages: (values) => values.pages,
};

const LISTS: ListTable = {
  // Told to the people at the desk.
  name: '"books"',
  members: COLUMNS,
  largest: 855,
  unbounded: Object.keys(BookComputed.properties),
  columns: {
    title: { name: '"books"."title"', type: 'text' },
    pages: { name: '"books"."pages"', type: 'bigint' },
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
