/** What the OpenAPI document says of each collection, one line each. */
import type { Draft } from '../openapi/draft.ts';
import type { Paths } from '../openapi/types.ts';
import { booksPaths } from './books/openapi.ts';
import { booksV1Paths } from './books/v1-openapi.ts';
import { booksV2Paths } from './books/v2-openapi.ts';
import { loansPaths } from './loans/openapi.ts';
import { peopleV1Paths } from './people/v1-openapi.ts';
import { peopleV2Paths } from './people/v2-openapi.ts';
import { peopleV3Paths } from './people/v3-openapi.ts';
import { reviewsPaths } from './reviews/openapi.ts';
import { reviewsV2Paths } from './reviews/v2-openapi.ts';

/** What is said of the paths that clients of each version reach below its path. */
export const collectionPaths: Readonly<Record<number, readonly ((draft: Draft) => Paths)[]>> = {
  1: [booksV1Paths, loansPaths, peopleV1Paths],
  2: [booksV2Paths, peopleV2Paths, reviewsV2Paths],
  3: [booksPaths, peopleV3Paths, reviewsPaths],
};
