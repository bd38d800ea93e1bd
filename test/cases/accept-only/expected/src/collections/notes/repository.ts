/** Notes in the database. */
import { isBrokenReference, takenOr } from '../../database/constraints.ts';
import type { Constraints } from '../../database/constraints.ts';
import type { Database } from '../../database/database.ts';
import { createWith, deleteWith, updateWith } from '../../database/hooks.ts';
import { changed, changedOrMissing, missing } from '../../database/missing.ts';
import type { Kind } from '../../database/missing.ts';
import { readPage } from '../../database/pages.ts';
import type { ListTable, Scope } from '../../database/pages.ts';
import { conflict } from '../../http/errors.ts';
import type { ListRequest } from '../../http/list.ts';
import type { Page } from '../../http/page.ts';
import { newId } from '../../http/uuid.ts';
import { noteHooks } from './hooks.ts';
import type { Note, NoteValues } from './schema.ts';

export const NOTE_KIND: Kind = { collection: 'notes', item: 'note', table: '"notes"' };

/** What is selected of a row: all that clients read. */
const COLUMNS = '"notes"."id", "notes"."body", "notes"."created_at", "notes"."updated_at"';

const LISTS: ListTable = {
  name: '"notes"',
  select: COLUMNS,
  columns: {
    created_at: { name: '"notes"."created_at"', type: 'timestamptz' },
  },
};

const CONSTRAINTS: Constraints = {
  item: 'a note',
  unique: {},
};

const FIND = {
  keep: true,
  quick: true,
  text: `select ${COLUMNS} from "notes" where "id" = $1`,
};
const INSERT = {
  keep: true,
  text: `insert into "notes" ("id", "body")
    values ($1, $2) returning ${COLUMNS}`,
};
// The time of the last change is the revision: a row that somebody else has changed since is not found.
const UPDATE = {
  keep: true,
  text: `update "notes" set "body" = $3
    where "id" = $1 and "updated_at" = $2 returning ${COLUMNS}`,
};
const DELETE = {
  keep: true,
  text: `delete from "notes"
    where "id" = $1 and ($2::timestamptz is null or "updated_at" = $2) returning "id"`,
};

/** The values in the order of the columns of the statements. */
const parameters = (values: NoteValues): unknown[] => [values.body];

/** One page of a list of notes; with scopes, of some parent's or owner's alone. */
export const listNotes = (
  database: Database,
  list: ListRequest,
  scopes: readonly Scope[] = [],
): Promise<Page<Note>> => readPage<Note>(database, LISTS, list, scopes);

/** Finds a note. @throws 404 where it never was, 410 where it was removed. */
export async function findNote(database: Database, id: string): Promise<Note> {
  const [found] = await database.query<Note>(FIND, [id]);
  if (found === undefined) throw await missing(database, NOTE_KIND, id);
  return found;
}

/** Stores a new note. @throws 409 for a unique value that is taken, 422 for a broken reference. */
export async function createNote(database: Database, values: NoteValues): Promise<Note> {
  try {
    return await createWith(noteHooks, database, values, insert);
  } catch (error) {
    throw takenOr(error, CONSTRAINTS);
  }
}

/**
 * Changes a note. `change` says what it becomes, and is asked again where somebody else
 * changed it meanwhile: no change is lost. With a revision it is changed in that state alone.
 * @throws 404, 409, 410, 412 and 422.
 */
export async function updateNote(
  database: Database,
  id: string,
  revision: string | undefined,
  change: (stored: Note) => NoteValues,
): Promise<Note> {
  for (;;) {
    const stored = await findNote(database, id);
    if (stored.updated_at !== (revision ?? stored.updated_at)) throw changed(NOTE_KIND);
    const values = change(stored);
    try {
      const updated = await updateWith(noteHooks, database, stored, values, update);
      if (updated !== undefined) return updated;
    } catch (error) {
      throw takenOr(error, CONSTRAINTS);
    }
  }
}

/**
 * Removes a note for good; with a revision, in that state alone.
 * @throws 404, 410, 412, and 409 where others refer to it.
 */
export async function deleteNote(database: Database, id: string, revision?: string): Promise<void> {
  let removed: boolean;
  try {
    removed = await deleteWith(noteHooks, database, id, (inside) => remove(inside, id, revision));
  } catch (error) {
    if (!isBrokenReference(error)) throw error;
    throw conflict(`Others (${error.table}) still refer to this note: remove them first.`);
  }
  if (!removed) throw await changedOrMissing(database, NOTE_KIND, id);
}

async function insert(database: Database, values: NoteValues): Promise<Note> {
  const [created] = await database.insert<Note>(INSERT, [newId(), ...parameters(values)]);
  if (created === undefined) throw new Error('the insert gave no row back');
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
