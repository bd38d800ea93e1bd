/** The repository of people: their columns, and the functions made of them. */
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import { toJson } from '../../platform/database/json.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import type { VersionedResource } from '../../platform/http/view.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import { personHooks } from './hooks.ts';
import { PersonComputed } from './schema.ts';
import type { Person, PersonValues } from './schema.ts';

/** The names of a person for messages, and its table. A version may have other names. */
export const PERSON_RESOURCE: VersionedResource<never> = {
  collection: 'people',
  item: 'person',
  anItem: 'a person',
  table: '"people"',
  unique: {},
  references: {},
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Person> = {
  id: '"people"."id"',
  name: '"people"."name"',
  born: '"people"."born"',
  score: '"people"."score"',
  country: '"people"."country"',
  nickname: '"people"."nickname"',
  home: '"people"."home"',
  notes: '"people"."notes"',
  created_at: '"people"."created_at"',
  updated_at: '"people"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<PersonValues> = {
  name: (values) => values.name,
  born: (values) => values.born,
  score: (values) => values.score,
  country: (values) => values.country,
  nickname: (values) => values.nickname,
  home: (values) => toJson(values.home),
  notes: (values) => toJson(values.notes),
  _words: (values) => searchWords(values.name),
  _words_v2: (values) => searchWords(values.name, values.nickname),
};

/** The columns of lists. A version can have other columns. */
export const personTable: ListTable = {
  name: '"people"',
  members: COLUMNS,
  largest: 1234,
  unbounded: ['home', 'notes', ...Object.keys(PersonComputed.properties)],
  columns: {
    name: { name: '"people"."name"', type: 'text' },
    born: {
      name: '"people"."born"',
      type: 'date',
      order: (value: string) => [`(${value} is null)`, `coalesce(${value}, date '0001-01-01')`],
    },
    score: {
      name: '"people"."score"',
      type: 'bigint',
      order: (value: string) => [`(${value} is null)`, `coalesce(${value}, 0)`],
    },
    country: { name: '"people"."country"', type: 'text' },
  },
};

export const {
  list: listPeople,
  find: findPerson,
  create: createPerson,
  update: updatePerson,
  delete: deletePerson,
} = crudRepository<Person, PersonValues>({
  resource: PERSON_RESOURCE,
  lists: personTable,
  written: WRITTEN,
  hooks: () => personHooks,
});
