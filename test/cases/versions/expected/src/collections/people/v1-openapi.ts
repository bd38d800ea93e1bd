/** What the OpenAPI document says of writers. What `routes.ts` gains by hand, say here too. */
import type { Static } from 'typebox';

import type { Draft } from '../../openapi/draft.ts';
import { idParameter } from '../../openapi/parameters.ts';
import { resource } from '../../openapi/resource.ts';
import type { Paths } from '../../openapi/types.ts';
import { personPermissions } from './schema.ts';
import { personV1Lists, PersonV1Body } from './v1.ts';

/** A writer as examples show it. */
const EXAMPLE = {
  full_name: 'Full name 1',
  born: '2026-01-31T00:00:00.000Z',
  score: '1.50',
  nickname: 'Nickname 1',
} satisfies Static<typeof PersonV1Body>;

/** The paths, as in `routes.ts`. */
export function peopleV1Paths(draft: Draft): Paths {
  const writers = resource(draft, {
    tag: 'Writers',
    description: 'Who writes.',
    words: { one: 'writer', a: 'a writer', many: 'writers' },
    types: { one: 'Writer', many: 'Writers' },
    body: PersonV1Body,

    lists: personV1Lists,
    permissions: personPermissions,
    example: EXAMPLE,
  });
  return {
    '/writers': { get: writers.list(), post: writers.create() },
    '/writers/{id}': {
      parameters: [idParameter(draft)],
      get: writers.read(),
      put: writers.replace(),
      patch: writers.patch(),
      delete: writers.remove('Others still refer to the writer.'),
    },
  };
}
