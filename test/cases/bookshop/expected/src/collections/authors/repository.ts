/** The repository of authors: their columns, and the functions made of them. */
import type { Resource } from '../../platform/database/constraints.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/repository.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import { authorHooks } from './hooks.ts';
import { AuthorComputed } from './schema.ts';
import type { Author, AuthorValues } from './schema.ts';

export const AUTHOR_RESOURCE: Resource = {
  collection: 'authors',
  item: 'author',
  anItem: 'an author',
  table: '"authors"',
  unique: {},
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Author> = {
  id: '"authors"."id"',
  name: '"authors"."name"',
  born_on: '"authors"."born_on"',
  website: '"authors"."website"',
  biography: '"authors"."biography"',
  created_at: '"authors"."created_at"',
  updated_at: '"authors"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<AuthorValues> = {
  name: (values) => values.name,
  born_on: (values) => values.born_on,
  website: (values) => values.website,
  biography: (values) => values.biography,
  _words: (values) => searchWords(values.name, values.biography),
};

const LISTS: ListTable = {
  name: '"authors"',
  members: COLUMNS,
  largest: 133474,
  unbounded: Object.keys(AuthorComputed.properties),
  columns: {
    name: { name: '"authors"."name"', type: 'text' },
    born_on: {
      name: '"authors"."born_on"',
      type: 'date',
      order: (value: string) => [`(${value} is null)`, `coalesce(${value}, date '0001-01-01')`],
    },
    created_at: { name: '"authors"."created_at"', type: 'timestamptz' },
  },
};

export const {
  list: listAuthors,
  find: findAuthor,
  create: createAuthor,
  update: updateAuthor,
  delete: deleteAuthor,
} = crudRepository<Author, AuthorValues>({
  resource: AUTHOR_RESOURCE,
  lists: LISTS,
  written: WRITTEN,
  hooks: () => authorHooks,
});
