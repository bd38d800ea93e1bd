/** What the OpenAPI document says of reviews. What `routes.ts` gains by hand, say here too. */
import type { Static } from 'typebox';

import { accepted } from '../../jobs/openapi.ts';
import type { Draft } from '../../openapi/draft.ts';
import { idParameter } from '../../openapi/parameters.ts';
import { resource } from '../../openapi/resource.ts';
import type { Paths } from '../../openapi/types.ts';
import { bookPermissions } from '../books/schema.ts';
import { ReviewBody, reviewLists, reviewPermissions } from './schema.ts';

/** A review as examples show it. */
const EXAMPLE = {
  text: 'Text 1',
  book_id: '01890a5d-ac96-774b-bcce-b302099a8057',
} satisfies Static<typeof ReviewBody>;

/** The paths, as in `routes.ts`. */
export function reviewsPaths(draft: Draft): Paths {
  const reviews = resource(draft, {
    tag: 'Reviews',
    description: 'Reviews.',
    words: { one: 'review', a: 'a review', many: 'reviews' },
    types: { one: 'Review', many: 'Reviews' },
    body: ReviewBody,

    lists: reviewLists,
    permissions: reviewPermissions,
    example: EXAMPLE,
  });
  return {
    '/reviews': { get: reviews.list(), post: accepted(draft, reviews.create()) },
    '/reviews/{id}': {
      parameters: [idParameter(draft)],
      get: reviews.read(),
      put: reviews.replace(),
      patch: reviews.patch(),
      delete: reviews.remove(),
    },
    '/books/{id}/reviews': {
      parameters: [idParameter(draft)],
      get: reviews.listIn({
        operationId: 'listReviewsOfBook',
        words: 'a book',
        read: bookPermissions.read,
      }),
      post: accepted(
        draft,
        reviews.createIn(
          { operationId: 'createReviewsOfBook', words: 'a book', read: bookPermissions.read },
          'book_id',
        ),
      ),
    },
  };
}
