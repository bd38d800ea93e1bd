/** Creates an empty PGlite database with extensions, in memory. */
import { createRequire } from 'node:module';

import { PGlite } from '@electric-sql/pglite';
import type { Extensions } from '@electric-sql/pglite';

import { createEmptyPglite } from '../../templates/service/src/platform/database/empty-pglite.ts';

export const createWithExtensions = (extensions: Extensions): Promise<PGlite> =>
  createEmptyPglite<PGlite>(
    (options) => PGlite.create({ ...options, extensions }),
    createRequire(import.meta.url).resolve('@electric-sql/pglite'),
  );
