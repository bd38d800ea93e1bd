/** The SQL statements of records. */
import {
  assignments,
  columnList,
  parametersOf,
  placeholders,
  selectList,
} from '../../platform/database/columns.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import { asRefusal, asRemovalRefusal } from '../../platform/database/constraints.ts';
import type { Constraints } from '../../platform/database/constraints.ts';
import type { Database } from '../../platform/database/database.ts';
import { createWith, deleteWith, updateWith } from '../../platform/database/hooks.ts';
import { toJson } from '../../platform/database/json.ts';
import { changed, changedOrMissing, missing } from '../../platform/database/not-found.ts';
import type { ResourceName } from '../../platform/database/not-found.ts';
import { readPage } from '../../platform/database/pages.ts';
import type { ListTable, FixedFilter } from '../../platform/database/pages.ts';
import type { ListRequest } from '../../platform/http/list.ts';
import type { Page } from '../../platform/http/page.ts';
import { newId } from '../../platform/http/uuid.ts';
import { searchWords } from '../../platform/http/search-words.ts';
import { recordHooks } from './hooks.ts';
import type { RecordItem, RecordItemValues } from './schema.ts';

export const RECORD_KIND: ResourceName = {
  collection: 'records',
  item: 'record',
  table: '"records"',
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
const SELECTED = selectList(COLUMNS);

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
  unbounded: ['note', 'tags', 'extra', 'inner'],
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

const CONSTRAINTS: Constraints = {
  item: 'a record',
  table: '"records"',
  unique: {},
};

const FIND = {
  prepared: true,
  pipelined: true,
  text: `select ${SELECTED} from "records" where "id" = $1`,
};
const INSERT = {
  prepared: true,
  pipelined: 'overflow' as const,
  text: `insert into "records" ("id", ${columnList(WRITTEN)})
    values ($1, ${placeholders(WRITTEN, 2)}) returning ${SELECTED}`,
};
// `updated_at` is the revision: if the row was changed concurrently, nothing is updated.
const UPDATE = {
  prepared: true,
  text: `update "records" set ${assignments(WRITTEN, 3)}
    where "id" = $1 and "updated_at" = $2 returning ${SELECTED}`,
};
const DELETE = {
  prepared: true,
  text: `delete from "records"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** Reads a page of records. Fixed filters limit the list to a parent or an owner. */
export const listRecords = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<RecordItem>> => readPage<RecordItem>(database, LISTS, list, fixedFilters);

/** Finds a record. @throws 404 if it never existed, 410 if it was removed. */
export async function findRecordItem(database: Database, id: string): Promise<RecordItem> {
  const [found] = await database.query<RecordItem>(FIND, [id]);
  if (found === undefined) throw await missing(database, RECORD_KIND, id);
  return found;
}

/** Inserts a record. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createRecordItem(
  database: Database,
  values: RecordItemValues,
): Promise<RecordItem> {
  try {
    return await createWith(recordHooks, database, values, insert);
  } catch (error) {
    throw await explain(database, error);
  }
}

/**
 * Updates a record. After a concurrent change it is tried again, so that no update is lost.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @param change computes the new values from the stored item.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateRecordItem(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: RecordItem) => RecordItemValues | Promise<RecordItemValues>,
): Promise<RecordItem> {
  for (;;) {
    const stored = await findRecordItem(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(RECORD_KIND);
    const values = await change(stored);
    try {
      const updated = await updateWith(recordHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error);
    }
  }
}

/**
 * Deletes a record.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deleteRecordItem(
  database: Database,
  id: string,
  revision?: string,
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(recordHooks, database, id, (inTransaction) =>
      remove(inTransaction, id, revision),
    );
  } catch (error) {
    throw asRemovalRefusal(error, 'record');
  }
  if (!removed) throw await changedOrMissing(database, RECORD_KIND, id);
}

async function insert(database: Database, values: RecordItemValues): Promise<RecordItem> {
  const [created] = await database.query<RecordItem>(INSERT, [
    newId(),
    ...parametersOf(WRITTEN, values),
  ]);
  if (created === undefined) throw new Error('the insert returned no row');
  return created;
}

async function update(
  database: Database,
  stored: RecordItem,
  values: RecordItemValues,
): Promise<RecordItem | undefined> {
  const [updated] = await database.query<RecordItem>(UPDATE, [
    stored.id,
    stored.updated_at,
    ...parametersOf(WRITTEN, values),
  ]);
  return updated;
}

async function remove(
  database: Database,
  id: string,
  revision: string | undefined,
): Promise<boolean> {
  const rows = await database.query(DELETE, [id, revision]);
  return rows.length > 0;
}

/** Translates database errors to 409 and 422. */
const explain = (database: Database, error: unknown): Promise<unknown> =>
  asRefusal(database, error, CONSTRAINTS);
