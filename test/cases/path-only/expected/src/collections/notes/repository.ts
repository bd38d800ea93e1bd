/** The SQL statements of notes. */
import { crudStatements, parametersOf } from '../../platform/database/columns.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/columns.ts';
import { asRefusal, asRemovalRefusal } from '../../platform/database/constraints.ts';
import type { Resource } from '../../platform/database/constraints.ts';
import type { Database } from '../../platform/database/database.ts';
import { changeWithHooks } from '../../platform/database/hooks.ts';
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
import { noteHooks } from './hooks.ts';
import { NoteComputed } from './schema.ts';
import type { Note, NoteValues } from './schema.ts';

export const NOTE_RESOURCE: Resource = {
  collection: 'notes',
  item: 'note',
  anItem: 'a note',
  table: '"notes"',
  unique: {},
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Note> = {
  id: '"notes"."id"',
  body: '"notes"."body"',
  created_at: '"notes"."created_at"',
  updated_at: '"notes"."updated_at"',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<NoteValues> = {
  body: (values) => values.body,
};

const LISTS: ListTable = {
  name: '"notes"',
  members: COLUMNS,
  largest: 183,
  unbounded: ['body', ...Object.keys(NoteComputed.properties)],
  columns: {
    created_at: { name: '"notes"."created_at"', type: 'timestamptz' },
  },
};

const STATEMENTS = crudStatements('"notes"', COLUMNS, WRITTEN);

/** Reads a page of notes. Fixed filters limit the list to a parent or an owner. */
export const listNotes = (
  database: Database,
  list: ListRequest,
  fixedFilters: readonly FixedFilter[] = [],
): Promise<Page<Note>> => readPage<Note>(database, LISTS, list, fixedFilters);

/** Finds a note. @throws 404 if it never existed, 410 if it was removed. */
export async function findNote(database: Database, id: string): Promise<Note> {
  const [found] = await database.query<Note>(STATEMENTS.find, [id]);
  if (found === undefined) throw await missing(database, NOTE_RESOURCE, id);
  return found;
}

/** Inserts a note. @throws 409 for a taken unique value, 422 for a broken reference. */
export async function createNote(database: Database, values: NoteValues): Promise<Note> {
  const { beforeCreate, afterCreate } = noteHooks;
  try {
    return await changeWithHooks(database, [beforeCreate, afterCreate], async (transaction) => {
      const hooked = (await beforeCreate?.(values, transaction)) ?? values;
      const [created] = await transaction.query<Note>(STATEMENTS.insert, [
        newId(),
        ...parametersOf(WRITTEN, hooked),
      ]);
      if (created === undefined) throw new Error('the insert returned no row');
      await afterCreate?.(created, transaction);
      return created;
    });
  } catch (error) {
    throw await asRefusal(database, error, NOTE_RESOURCE);
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
  const { beforeUpdate, afterUpdate } = noteHooks;
  for (;;) {
    const stored = await findNote(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(NOTE_RESOURCE);
    const values = await change(stored);
    try {
      return await changeWithHooks(database, [beforeUpdate, afterUpdate], async (transaction) => {
        const hooked = (await beforeUpdate?.(values, stored, transaction)) ?? values;
        const parameters = [id, stored.updated_at, ...parametersOf(WRITTEN, hooked)];
        const [updated] = await transaction.query<Note>(STATEMENTS.update, parameters);
        if (updated === undefined) throw new ConcurrentChange();
        await afterUpdate?.(updated, transaction);
        return updated;
      });
    } catch (error) {
      if (error instanceof ConcurrentChange) continue;
      throw await asRefusal(database, error, NOTE_RESOURCE);
    }
  }
}

/**
 * Deletes a note.
 * @param revision the revision that the item must have (412 otherwise); undefined for any.
 * @throws 404, 410, 412, and 409 if other items refer to it.
 */
export async function deleteNote(database: Database, id: string, revision?: string): Promise<void> {
  const { beforeDelete, afterDelete } = noteHooks;
  try {
    await changeWithHooks(database, [beforeDelete, afterDelete], async (transaction) => {
      await beforeDelete?.(id, transaction);
      const deleted = await transaction.query(STATEMENTS.delete, [id, revision]);
      if (deleted.length === 0) throw await changedOrMissing(transaction, NOTE_RESOURCE, id);
      await afterDelete?.(id, transaction);
    });
  } catch (error) {
    throw asRemovalRefusal(error, 'note');
  }
}
