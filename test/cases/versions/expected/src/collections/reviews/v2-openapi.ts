/** What the OpenAPI document says of opinions. What `routes.ts` gains by hand, say here too. */
import type { Static } from 'typebox';

import { accepted } from '../../jobs/openapi.ts';
import type { Draft } from '../../openapi/draft.ts';
import { idParameter } from '../../openapi/parameters.ts';
import { resource } from '../../openapi/resource.ts';
import type { Paths } from '../../openapi/types.ts';
import { bookPermissions } from '../books/schema.ts';
import { reviewPermissions } from './schema.ts';
import { reviewV2Lists, ReviewV2Body } from './v2.ts';

/** An opinion as examples show it. */
const EXAMPLE = {
  text: 'Text 1',
  title_id: '01890a5d-ac96-774b-bcce-b302099a8057',
} satisfies Static<typeof ReviewV2Body>;

/** The paths, as in `routes.ts`. */
export function reviewsV2Paths(draft: Draft): Paths {
  const opinions = resource(draft, {
    tag: 'Opinions',
    description: 'Opinions.',
    words: { one: 'opinion', a: 'an opinion', many: 'opinions' },
    types: { one: 'Opinion', many: 'Opinions' },
    body: ReviewV2Body,

    lists: reviewV2Lists,
    permissions: reviewPermissions,
    example: EXAMPLE,
  });
  return {
    '/opinions': { get: opinions.list(), post: accepted(draft, opinions.create()) },
    '/opinions/{id}': {
      parameters: [idParameter(draft)],
      get: opinions.read(),
      put: opinions.replace(),
      patch: opinions.patch(),
      delete: opinions.remove(),
    },
    '/books/{id}/opinions': {
      parameters: [idParameter(draft)],
      get: opinions.listIn({
        operationId: 'listOpinionsOfBook',
        words: 'a book',
        read: bookPermissions.read,
      }),
      post: accepted(
        draft,
        opinions.createIn(
          { operationId: 'createOpinionsOfBook', words: 'a book', read: bookPermissions.read },
          'title_id',
        ),
      ),
    },
  };
}
