/** The repository of records: their columns, and the functions made of them. */
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import type { Resource } from '../../platform/database/constraints.ts';
import { toJson } from '../../platform/database/json.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import { recordHooks } from './hooks.ts';
import { RecordItemComputed } from './schema.ts';
import type { RecordItem, RecordItemValues } from './schema.ts';

export const RECORD_RESOURCE: Resource = {
  collection: 'records',
  item: 'record',
  anItem: 'a record',
  table: '"records"',
  unique: {},
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<RecordItem> = {
  id: '"records"."id"',
  text: '"records"."text"',
  kind: '"records"."kind"',
  code: '"records"."code"',
  note: '"records"."note"',
  tags: '"records"."tags"',
  extra: '"records"."extra"',
  inner: '"records"."inner"',
  created_at: '"records"."created_at"',
  updated_at: '"records"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<RecordItemValues> = {
  text: (values) => values.text,
  kind: (values) => values.kind,
  code: (values) => values.code,
  note: (values) => values.note,
  tags: (values) => toJson(values.tags),
  extra: (values) => toJson(values.extra),
  inner: (values) => toJson(values.inner),
  _words: (values) => searchWords(values.text),
};

const LISTS: ListTable = {
  name: '"records"',
  members: COLUMNS,
  largest: 1571,
  unbounded: ['note', 'tags', 'extra', 'inner', ...Object.keys(RecordItemComputed.properties)],
  columns: {
    kind: {
      name: '"records"."kind"',
      type: 'text',
      order: (value: string) => [
        `(${value} is null)`,
        `coalesce(array_position(array['''', '"', '\`', '\\', '\${x}', '{{x}}', '*/', '--', 'a,b', 'a b', 'é', '日本', '$$', 'null', 'true', '', '%', '</script>', E'\\U0000202eadmin\\U00002066 \\U00002069', E'zero\\U0000200bwidth''\\\\'], ${value}), 0)`,
      ],
    },
    text: {
      name: '"records"."text"',
      type: 'text',
      order: (value: string) => [`(${value} is null)`, `coalesce(${value}, '')`],
    },
    created_at: { name: '"records"."created_at"', type: 'timestamptz' },
  },
};

export const {
  list: listRecords,
  find: findRecordItem,
  create: createRecordItem,
  update: updateRecordItem,
  delete: deleteRecordItem,
} = crudRepository<RecordItem, RecordItemValues>({
  resource: RECORD_RESOURCE,
  lists: LISTS,
  written: WRITTEN,
  hooks: () => recordHooks,
});
