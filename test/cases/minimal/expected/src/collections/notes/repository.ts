/** The repository of notes: their columns, and the functions made of them. */
import type { Resource } from '../../platform/database/constraints.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/repository.ts';
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

export const {
  list: listNotes,
  find: findNote,
  create: createNote,
  update: updateNote,
  delete: deleteNote,
} = crudRepository<Note, NoteValues>({
  resource: NOTE_RESOURCE,
  lists: LISTS,
  written: WRITTEN,
  hooks: () => noteHooks,
});
