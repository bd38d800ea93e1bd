/** The repository of films: their columns, and the functions made of them. */
import type { Resource } from '../../platform/database/constraints.ts';
import { existingTable } from '../../platform/database/existing-table.ts';
import { cannotAssignId, numericRowId } from '../../platform/database/numeric-row-id.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/repository.ts';
import { filmHooks } from './hooks.ts';
import { FilmComputed } from './schema.ts';
import type { Film, FilmValues } from './schema.ts';

/** What ids are. */
const ROW_ID = numericRowId('integer', {
  key: 'film_pkey',
  table: '"public"."film"',
  column: 'film_id',
});

export const FILM_RESOURCE: Resource = {
  collection: 'films',
  item: 'film',
  anItem: 'a film',
  table: '"films"',
  revision: '"_revision"',
  id: ROW_ID,
  unique: {
    film_slug_key: ['slug'],
    one_title_per_language: ['language_id', 'title'],
    long_titles: ['title'],
  },
  uniqueWhere: {
    long_titles: 'length_minutes > 60',
  },
  violations: [cannotAssignId],
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Film> = {
  id: '"films"."id"::text',
  title: '"films"."title"::text',
  length_minutes: '"films"."length_minutes"',
  language_id: '"films"."language_id"',
  rating: '"films"."rating"',
  slug: '"films"."slug"::text',
  dubbed_id: '"films"."dubbed_id"',
  code: '"films"."code"',
  updated_at: '"films"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<FilmValues> = {
  title: (values) => values.title,
  length_minutes: (values) => values.length_minutes,
  language_id: (values) => values.language_id,
  rating: (values) => values.rating,
  code: (values) => values.code,
};

const LISTS: ListTable = {
  name: '"films"',
  id: ROW_ID,
  members: COLUMNS,
  largest: 308,
  unbounded: ['title', 'rating', 'slug', ...Object.keys(FilmComputed.properties)],
  columns: {
    title: {
      name: '"films"."title"',
      type: 'text',
      order: (value: string) => [`left(${value}, 200)`],
    },
    rating: {
      name: '"films"."rating"',
      type: '"ratings"."film_rating"',
      order: (value: string) => [
        `(${value} is null)`,
        `coalesce(array_position(array['G', 'PG', 'PG-13'], (${value}::text collate "C")), 0)`,
      ],
    },
  },
};

export const {
  list: listFilms,
  find: findFilm,
  create: createFilm,
  update: updateFilm,
  delete: deleteFilm,
} = crudRepository<Film, FilmValues>({
  resource: FILM_RESOURCE,
  lists: LISTS,
  written: WRITTEN,
  table: existingTable({ setsUpdatedAt: true, databaseDefaults: ['code'] }),
  references: { language_id: '"languages"' },
  hooks: () => filmHooks,
});
