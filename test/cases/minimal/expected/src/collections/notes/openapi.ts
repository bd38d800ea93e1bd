/** What the OpenAPI document says of notes. What `routes.ts` gains by hand, say here too. */
import type { Static } from 'typebox';

import type { Draft } from '../../openapi/draft.ts';
import { idParameter } from '../../openapi/parameters.ts';
import { resource } from '../../openapi/resource.ts';
import type { Paths } from '../../openapi/types.ts';
import { NoteBody, noteLists, notePermissions } from './schema.ts';

/** A note as examples show it. */
const EXAMPLE = {
  body: 'Body 1',
} satisfies Static<typeof NoteBody>;

/** The paths, as in `routes.ts`. */
export function notesPaths(draft: Draft): Paths {
  const notes = resource(draft, {
    tag: 'Notes',
    description: 'Notes.',
    words: { one: 'note', a: 'a note', many: 'notes' },
    types: { one: 'Note', many: 'Notes' },
    body: NoteBody,

    lists: noteLists,
    permissions: notePermissions,
    example: EXAMPLE,
  });
  return {
    '/notes': { get: notes.list(), post: notes.create() },
    '/notes/{id}': {
      parameters: [idParameter(draft)],
      get: notes.read(),
      put: notes.replace(),
      patch: notes.patch(),
      delete: notes.remove(),
    },
  };
}
