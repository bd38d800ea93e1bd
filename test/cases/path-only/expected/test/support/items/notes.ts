/** Notes for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type { Note, NoteBody, NoteValues } from '../../../src/collections/notes/schema.ts';
import { valid } from '../../fixtures/notes.ts';
import type { TestService } from '../service.ts';

/** What a fixture of notes returns: the members that clients send, without references. */
export type NoteInput = Static<typeof NoteBody>;

/** A body that creates a note. @param given the members that matter to the test. */
export async function noteBody(service: TestService, given: Partial<NoteValues> = {}) {
  return {
    ...valid(service.serial('notes')),
    ...given,
  };
}

/** Creates a note. @param given the members that matter to the test. */
export async function createNote(
  service: TestService,
  given: Partial<NoteValues> = {},
): Promise<Note> {
  return service.create('/notes', await noteBody(service, given));
}
