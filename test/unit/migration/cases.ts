/**
 * Changes of definitions, each by its name: what they were, and what they are. The migration from
 * one to the other is applied to a database with rows, which then has the schema of a new one.
 */
export interface Case {
  readonly title: string;
  /** Collections by name, in YAML. */
  readonly before: string;
  readonly now: string;
}

const BOOKS = 'books: { fields: { title: { type: string } } }';

export const CASES: readonly Case[] = [
  {
    title: 'a collection is added, with a reference and a search',
    before: BOOKS,
    now: `
${BOOKS}
reviews:
  fields:
    body: { type: text }
    book_id: { type: reference, to: books, nested: true }
  search: [body]`,
  },
  {
    title: 'collections that refer to each other are dropped',
    before: `
${BOOKS}
reviews:
  fields:
    book_id: { type: reference, to: books, nested: true }
    best_note_id: { type: reference, to: notes }
notes:
  fields:
    review_id: { type: reference, to: reviews }`,
    now: BOOKS,
  },
  {
    title: 'fields are added, with defaults and without',
    before: BOOKS,
    now: `
books:
  fields:
    title: { type: string }
    price: { type: decimal, precision: 10, scale: 2, minimum: '0', required: true, default: '1.5' }
    seen_at: { type: timestamp, required: true, default: now }
    status: { type: enum, values: [draft, published], default: draft }
    pages: { type: integer }
  sort: [price, status]
  filter: [pages]`,
  },
  {
    title: 'fields are dropped, with all that is over them',
    before: `
books:
  fields:
    title: { type: string }
    price: { type: decimal, precision: 10, scale: 2, minimum: '0' }
    status: { type: enum, values: [draft, published] }
    isbn: { type: string, unique: true }
  sort: [price, status]
  search: [title, isbn]
  unique: [[title, price]]
  indexes: [[status, price]]`,
    now: BOOKS,
  },
  {
    title: 'collections and fields are renamed, with the references to them',
    before: `
books:
  fields:
    title: { type: string, max_length: 3, unique: true }
    cost: { type: integer }
  sort: [cost]
  filter: [cost, title]
  permissions: { read: owner }
reviews:
  fields:
    book_id: { type: reference, to: books, nested: true }`,
    now: `
titles:
  renamed_from: books
  fields:
    name: { type: string, max_length: 3, unique: true, renamed_from: title }
    price: { type: integer, renamed_from: cost }
  sort: [price]
  filter: [price, name]
  permissions: { read: owner }
notes:
  renamed_from: reviews
  fields:
    title_id: { type: reference, to: titles, nested: true, renamed_from: book_id }`,
  },
  {
    title: 'two collections and two fields take the names of each other',
    before: `
books:
  fields:
    first: { type: string, max_length: 3, unique: true }
    second: { type: integer }
  sort: [first, second]
reviews:
  fields:
    book_id: { type: reference, to: books, nested: true }`,
    now: `
books:
  renamed_from: reviews
  fields:
    book_id: { type: reference, to: reviews, nested: true }
reviews:
  renamed_from: books
  fields:
    second: { type: string, max_length: 3, unique: true, renamed_from: first }
    first: { type: integer, renamed_from: second }
  sort: [first, second]`,
  },
];
