/** What the OpenAPI document says of authors. What `routes.ts` gains by hand, say here too. */
import type { Static } from 'typebox';

import type { Draft } from '../../openapi/draft.ts';
import { idParameter } from '../../openapi/parameters.ts';
import { resource } from '../../openapi/resource.ts';
import type { Paths } from '../../openapi/types.ts';
import { AuthorBody, authorLists, authorPermissions } from './schema.ts';

/** An author as examples show it. */
const EXAMPLE = {
  name: 'Ursula K. Le Guin',
  born_on: '2026-01-31',
  website: 'https://example.org/1',
  biography: 'Biography 1',
} satisfies Static<typeof AuthorBody>;

/** The paths, as in `routes.ts`. */
export function authorsPaths(draft: Draft): Paths {
  const authors = resource(draft, {
    tag: 'Authors',
    description: 'Somebody who wrote a book that the shop sells.',
    words: { one: 'author', a: 'an author', many: 'authors' },
    types: { one: 'Author', many: 'Authors' },
    body: AuthorBody,

    lists: authorLists,
    permissions: authorPermissions,
    example: EXAMPLE,
  });
  return {
    '/authors': { get: authors.list(), post: authors.create() },
    '/authors/{id}': {
      parameters: [idParameter(draft)],
      get: authors.read(),
      put: authors.replace(),
      patch: authors.patch(),
      delete: authors.remove('Others still refer to the author.'),
    },
  };
}
