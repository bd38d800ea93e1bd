/** The repository of books: their columns, and the functions made of them. */
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import { toJson } from '../../platform/database/json.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import type { VersionedResource } from '../../platform/http/view.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import { bookHooks } from './hooks.ts';
import { BookComputed } from './schema.ts';
import type { StoredBook, Book, BookValues } from './schema.ts';

/** The names of a book for messages, and its table. A version may have other names. */
export const BOOK_RESOURCE: VersionedResource<'person_id'> = {
  collection: 'books',
  item: 'book',
  anItem: 'a book',
  table: '"books"',
  unique: {
    books__isbn__key: ['isbn'],
    books__person_id__title__key: ['person_id', 'title'],
  },
  references: { person_id: 'person_id' },
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Book> = {
  id: '"books"."id"',
  title: '"books"."title"',
  isbn: '"books"."isbn"',
  price: '"books"."price"',
  stock: '"books"."stock"',
  state: '"books"."state"',
  tags: '"books"."tags"',
  genre: '"books"."genre"',
  rating: '"books"."rating"',
  series: '"books"."series"',
  person_id: '"books"."person_id"',
  created_at: '"books"."created_at"',
  updated_at: '"books"."updated_at"',
};
type Unreadable = Omit<StoredBook, keyof Book>;

/** Those of members that clients cannot read, for updates. */
const UNREADABLE: SelectedColumns<Unreadable> = {
  secret: '"books"."secret"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<BookValues> = {
  title: (values) => values.title,
  isbn: (values) => values.isbn,
  price: (values) => values.price,
  stock: (values) => values.stock,
  state: (values) => values.state,
  tags: (values) => toJson(values.tags),
  genre: (values) => values.genre,
  secret: (values) => values.secret,
  rating: (values) => values.rating,
  series: (values) => values.series,
  person_id: (values) => values.person_id,
  _words: (values) => searchWords(values.title, values.series),
  _words_v1: (values) => searchWords(values.title),
};

/** The columns of lists. A version can have other columns. */
export const bookTable: ListTable = {
  name: '"books"',
  members: COLUMNS,
  largest: 2117,
  unbounded: ['isbn', 'tags', ...Object.keys(BookComputed.properties)],
  columns: {
    title: { name: '"books"."title"', type: 'text' },
    price: { name: '"books"."price"', type: 'numeric' },
    state: {
      name: '"books"."state"',
      type: 'text',
      order: (value: string) => [
        `array_position(array['draft', 'published', 'archived', 'withdrawn'], ${value})`,
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
};

export const {
  list: listBooks,
  find: findBook,
  create: createBook,
  update: updateBook,
  delete: deleteBook,
} = crudRepository<Book, BookValues, Unreadable>({
  resource: BOOK_RESOURCE,
  lists: bookTable,
  unreadable: UNREADABLE,
  written: WRITTEN,
  hasOwner: true,
  references: { person_id: '"people"' },
  hooks: () => bookHooks,
});
