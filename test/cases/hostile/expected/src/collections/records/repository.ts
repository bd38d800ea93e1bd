/** Records in the database. */
import { isBrokenReference, takenOr } from '../../database/constraints.ts';
import type { Constraints } from '../../database/constraints.ts';
import type { Database } from '../../database/database.ts';
import { createWith, deleteWith, updateWith } from '../../database/hooks.ts';
import { toJson } from '../../database/json.ts';
import { changed, changedOrMissing, missing } from '../../database/missing.ts';
import type { Kind } from '../../database/missing.ts';
import { readPage } from '../../database/pages.ts';
import type { ListTable, Scope } from '../../database/pages.ts';
import { conflict } from '../../http/errors.ts';
import type { ListRequest } from '../../http/list.ts';
import type { Page } from '../../http/page.ts';
import { newId } from '../../http/uuid.ts';
import { searchWords } from '../../http/words.ts';
import { recordHooks } from './hooks.ts';
import type { RecordItem, RecordItemValues } from './schema.ts';

export const RECORD_KIND: Kind = { collection: 'records', item: 'record', table: '"records"' };

/** What is selected of a row: all that clients read. */
const COLUMNS =
  '"records"."id", "records"."text", "records"."kind", "records"."code", "records"."note", "records"."tags", "records"."extra", "records"."inner", "records"."created_at", "records"."updated_at"';

const LISTS: ListTable = {
  name: '"records"',
  select: COLUMNS,
  columns: {
    kind: {
      name: '"records"."kind"',
      type: 'text',
      order: (value: string) => [
        `(${value} is null)`,
        `coalesce(array_position(array['''', '"', '\`', '\\', '\${x}', '{{x}}', '*/', '--', 'a,b', 'a b', 'é', '日本', '$$', 'null', 'true', '', '%', '</script>'], ${value}), 0)`,
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
  unique: {},
};

const FIND = {
  keep: true,
  quick: true,
  text: `select ${COLUMNS} from "records" where "id" = $1`,
};
const INSERT = {
  keep: true,
  text: `insert into "records" ("id", "text", "kind", "code", "note", "tags", "extra", "inner", "_words")
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${COLUMNS}`,
};
// The time of the last change is the revision: a row that somebody else has changed since is not found.
const UPDATE = {
  keep: true,
  text: `update "records" set "text" = $3, "kind" = $4, "code" = $5, "note" = $6, "tags" = $7, "extra" = $8, "inner" = $9, "_words" = $10
    where "id" = $1 and "updated_at" = $2 returning ${COLUMNS}`,
};
const DELETE = {
  keep: true,
  text: `delete from "records"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** The values in the order of the columns of the statements. */
const parameters = (values: RecordItemValues): unknown[] => [
  values.text,
  values.kind,
  values.code,
  values.note,
  toJson(values.tags),
  toJson(values.extra),
  toJson(values.inner),
  searchWords(values.text),
];

/** One page of a list of records; with scopes, of some parent's or owner's alone. */
export const listRecords = (
  database: Database,
  list: ListRequest,
  scopes: readonly Scope[] = [],
): Promise<Page<RecordItem>> => readPage<RecordItem>(database, LISTS, list, scopes);

/** Finds a record. @throws 404 where it never was, 410 where it was removed. */
export async function findRecordItem(database: Database, id: string): Promise<RecordItem> {
  const [found] = await database.query<RecordItem>(FIND, [id]);
  if (found === undefined) throw await missing(database, RECORD_KIND, id);
  return found;
}

/** Stores a new record. @throws 409 for a unique value that is taken, 422 for a broken reference. */
export async function createRecordItem(
  database: Database,
  values: RecordItemValues,
): Promise<RecordItem> {
  try {
    return await createWith(recordHooks, database, values, insert);
  } catch (error) {
    throw takenOr(error, CONSTRAINTS);
  }
}

/**
 * Changes a record. `change` says what it becomes, and is asked again where somebody else
 * changed it meanwhile: no change is lost. With a revision it is changed in that state alone.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateRecordItem(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: RecordItem) => RecordItemValues,
): Promise<RecordItem> {
  for (;;) {
    const stored = await findRecordItem(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(RECORD_KIND);
    const values = change(stored);
    try {
      const updated = await updateWith(recordHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw takenOr(error, CONSTRAINTS);
    }
  }
}

/**
 * Removes a record for good; with a revision, in that state alone.
 * @throws 404, 410, 412, and 409 where others refer to it.
 */
export async function deleteRecordItem(
  database: Database,
  id: string,
  revision?: string,
): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(recordHooks, database, id, (inside) => remove(inside, id, revision));
  } catch (error) {
    if (!isBrokenReference(error)) throw error;
    throw conflict(`Others (${error.table}) still refer to this record: remove them first.`);
  }
  if (!removed) throw await changedOrMissing(database, RECORD_KIND, id);
}

async function insert(database: Database, values: RecordItemValues): Promise<RecordItem> {
  const [created] = await database.insert<RecordItem>(INSERT, [newId(), ...parameters(values)]);
  if (created === undefined) throw new Error('the insert gave no row back');
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
    ...parameters(values),
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
