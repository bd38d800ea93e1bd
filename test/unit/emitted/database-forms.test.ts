/** The canonical forms of emitted services, against those of PostgreSQL: on PGlite. */
import { afterAll, beforeAll } from 'vitest';

import type { OpenDatabase } from '../../../templates/service/src/platform/database/database.ts';
import {
  createInMemory,
  overPglite,
} from '../../../templates/service/src/platform/database/pglite.ts';
import { testDatabaseForms } from './database-forms.ts';

let database: OpenDatabase;

beforeAll(async () => {
  database = overPglite(await createInMemory(), () => {});
}, 60_000);
afterAll(() => database.close());

testDatabaseForms(() => database);
