/** The SQL statements of records. */
import { crudStatements, parametersOf } from '../../platform/database/columns.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import { asRefusal, asRemovalRefusal } from '../../platform/database/constraints.ts';
import type { Resource } from '../../platform/database/constraints.ts';
import type { Database } from '../../platform/database/database.ts';
import { changeWithHooks } from '../../platform/database/hooks.ts';
import { toJson } from '../../platform/database/json.ts';
import {
  changed,
  changedOrMissing,
  ConcurrentChange,
  missing,
} from '../../platform/database/not-found.ts';
import { readPage } from '../../platform/database/pages.ts';
import type { ListTable, FixedFilter } from '../../platform/database/pages.ts';
import type { ListRequest } from '../../platform/http/list.ts';
import type { Page } from '../../platform/http/page.ts';
import { newId } from '../../platform/http/uuid.ts';
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

const STATEMENTS = crudStatements('"records"', COLUMNS, WRITTEN);

/** Reads a page of records. Fixed filters limit the list to a parent or an owner. */
export const listRecords = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<RecordItem>> => readPage<RecordItem>(database, LISTS, list, fixedFilters);

/** Finds a record. @throws 404 if it never existed, 410 if it was removed. */
export async function findRecordItem(database: Database, id: string): Promise<RecordItem> {
  const [found] = await database.query<RecordItem>(STATEMENTS.find, [id]);
  if (found === undefined) throw await missing(database, RECORD_RESOURCE, id);
  return found;
}

/** Inserts a record. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createRecordItem(
  database: Database,
  values: RecordItemValues,
): Promise<RecordItem> {
  const { beforeCreate, afterCreate } = recordHooks;
  try {
    return await changeWithHooks(database, [beforeCreate, afterCreate], async (transaction) => {
      const hooked = (await beforeCreate?.(values, transaction)) ?? values;
      const [created] = await transaction.query<RecordItem>(STATEMENTS.insert, [
        newId(),
        ...parametersOf(WRITTEN, hooked),
      ]);
      if (created === undefined) throw new Error('the insert returned no row');
      await afterCreate?.(created, transaction);
      return created;
    });
  } catch (error) {
    throw await asRefusal(database, error, RECORD_RESOURCE);
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
  const { beforeUpdate, afterUpdate } = recordHooks;
  for (;;) {
    const stored = await findRecordItem(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(RECORD_RESOURCE);
    const values = await change(stored);
    try {
      return await changeWithHooks(database, [beforeUpdate, afterUpdate], async (transaction) => {
        const hooked = (await beforeUpdate?.(values, stored, transaction)) ?? values;
        const parameters = [id, stored.updated_at, ...parametersOf(WRITTEN, hooked)];
        const [updated] = await transaction.query<RecordItem>(STATEMENTS.update, parameters);
        if (updated === undefined) throw new ConcurrentChange();
        await afterUpdate?.(updated, transaction);
        return updated;
      });
    } catch (error) {
      if (error instanceof ConcurrentChange) continue;
      throw await asRefusal(database, error, RECORD_RESOURCE);
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
  const { beforeDelete, afterDelete } = recordHooks;
  try {
    await changeWithHooks(database, [beforeDelete, afterDelete], async (transaction) => {
      await beforeDelete?.(id, transaction);
      const deleted = await transaction.query(STATEMENTS.delete, [id, revision]);
      if (deleted.length === 0) throw await changedOrMissing(transaction, RECORD_RESOURCE, id);
      await afterDelete?.(id, transaction);
    });
  } catch (error) {
    throw asRemovalRefusal(error, 'record');
  }
}
