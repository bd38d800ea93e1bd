/**
 * Your own rules for notes: checks and side effects of changes. See
 * `Hooks` for the available hooks. `generate` never changes this file.
 */
import type { Hooks } from '../../platform/database/hooks.ts';
import type { Note, NoteValues } from './schema.ts';

export const noteHooks: Hooks<Note, NoteValues> = {};
