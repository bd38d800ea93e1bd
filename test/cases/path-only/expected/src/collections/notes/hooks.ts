/**
 * The team's own rules for notes: what is checked, and what is done, around a change.
 * This file is yours; `Hooks` says which hooks there are.
 */
import type { Hooks } from '../../database/hooks.ts';
import type { Note, NoteValues } from './schema.ts';

export const noteHooks: Hooks<Note, NoteValues> = {};
