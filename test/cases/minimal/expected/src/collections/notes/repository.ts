/** The SQL statements of notes. */
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
import { changed, changedOrMissing, missing } from '../../platform/database/not-found.ts';
import type { ResourceName } from '../../platform/database/not-found.ts';
import { readPage } from '../../platform/database/pages.ts';
import type { ListTable, FixedFilter } from '../../platform/database/pages.ts';
import type { ListRequest } from '../../platform/http/list.ts';
import type { Page } from '../../platform/http/page.ts';
import { newId } from '../../platform/http/uuid.ts';
import { noteHooks } from './hooks.ts';
import type { Note, NoteValues } from './schema.ts';

export const NOTE_KIND: ResourceName = { collection: 'notes', item: 'note', table: '"notes"' };

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Note> = {
  id: '"notes"."id"',
  body: '"notes"."body"',
  created_at: '"notes"."created_at"',
  updated_at: '"notes"."updated_at"',
};
const SELECTED = selectList(COLUMNS);

/** The values of written columns. */
const WRITTEN: WrittenColumns<NoteValues> = {
  body: (values) => values.body,
};

const LISTS: ListTable = {
  name: '"notes"',
  members: COLUMNS,
  largest: 183,
  unbounded: ['body'],
  columns: {
    created_at: { name: '"notes"."created_at"', type: 'timestamptz' },
  },
};

const CONSTRAINTS: Constraints = {
  item: 'a note',
  table: '"notes"',
  unique: {},
};

const FIND = {
  prepared: true,
  pipelined: true,
  text: `select ${SELECTED} from "notes" where "id" = $1`,
};
const INSERT = {
  prepared: true,
  pipelined: 'overflow' as const,
  text: `insert into "notes" ("id", ${columnList(WRITTEN)})
    values ($1, ${placeholders(WRITTEN, 2)}) returning ${SELECTED}`,
};
// `updated_at` is the revision: if the row was changed concurrently, nothing is updated.
const UPDATE = {
  prepared: true,
  text: `update "notes" set ${assignments(WRITTEN, 3)}
    where "id" = $1 and "updated_at" = $2 returning ${SELECTED}`,
};
const DELETE = {
  prepared: true,
  text: `delete from "notes"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** Reads a page of notes. Fixed filters limit the list to a parent or an owner. */
export const listNotes = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<Note>> => readPage<Note>(database, LISTS, list, fixedFilters);

/** Finds a note. @throws 404 if it never existed, 410 if it was removed. */
export async function findNote(database: Database, id: string): Promise<Note> {
  const [found] = await database.query<Note>(FIND, [id]);
  if (found === undefined) throw await missing(database, NOTE_KIND, id);
  return found;
}

/** Inserts a note. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createNote(database: Database, values: NoteValues): Promise<Note> {
  try {
    return await createWith(noteHooks, database, values, insert);
  } catch (error) {
    throw await explain(database, error);
  }
}

/**
 * Updates a note. After a concurrent change it is tried again, so that no update is lost.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @param change computes the new values from the stored item.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateNote(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: Note) => NoteValues | Promise<NoteValues>,
): Promise<Note> {
  for (;;) {
    const stored = await findNote(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(NOTE_KIND);
    const values = await change(stored);
    try {
      const updated = await updateWith(noteHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw await explain(database, error);
    }
  }
}

/**
 * Deletes a note.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deleteNote(database: Database, id: string, revision?: string): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(noteHooks, database, id, (inTransaction) =>
      remove(inTransaction, id, revision),
    );
  } catch (error) {
    throw asRemovalRefusal(error, 'note');
  }
  if (!removed) throw await changedOrMissing(database, NOTE_KIND, id);
}

async function insert(database: Database, values: NoteValues): Promise<Note> {
  const [created] = await database.query<Note>(INSERT, [newId(), ...parametersOf(WRITTEN, values)]);
  if (created === undefined) throw new Error('the insert returned no row');
  return created;
}

async function update(
  database: Database,
  stored: Note,
  values: NoteValues,
): Promise<Note | undefined> {
  const [updated] = await database.query<Note>(UPDATE, [
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
