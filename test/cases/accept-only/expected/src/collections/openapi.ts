/** What the OpenAPI document says of each collection, one line each. */
import type { Draft } from '../openapi/draft.ts';
import type { Paths } from '../openapi/types.ts';
import { notesPaths } from './notes/openapi.ts';

/** What is said of the paths that clients reach below the path of a version. */
export const collectionPaths: readonly ((draft: Draft) => Paths)[] = [notesPaths];
