/** What the OpenAPI document says of people. What `routes.ts` gains by hand, say here too. */
import type { Static } from 'typebox';

import type { Draft } from '../../openapi/draft.ts';
import { idParameter } from '../../openapi/parameters.ts';
import { resource } from '../../openapi/resource.ts';
import type { Paths } from '../../openapi/types.ts';
import { personPermissions } from './schema.ts';
import { personV3Lists, PersonV3Body } from './v3.ts';

/** A person as examples show it. */
const EXAMPLE = {
  name: 'Name 1',
  born: '2026-01-31',
  score: 1,
  country: 'NL',
} satisfies Static<typeof PersonV3Body>;

/** The paths, as in `routes.ts`. */
export function peopleV3Paths(draft: Draft): Paths {
  const people = resource(draft, {
    tag: 'People',
    description: 'Who writes.',
    words: { one: 'person', a: 'a person', many: 'people' },
    types: { one: 'Person', many: 'People' },
    body: PersonV3Body,

    lists: personV3Lists,
    permissions: personPermissions,
    example: EXAMPLE,
  });
  return {
    '/people': { get: people.list(), post: people.create() },
    '/people/{id}': {
      parameters: [idParameter(draft)],
      get: people.read(),
      put: people.replace(),
      patch: people.patch(),
      delete: people.remove('Others still refer to the person.'),
    },
  };
}
