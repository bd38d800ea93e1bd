/** The canonical forms of emitted services, against those of a PostgreSQL server. */
import { afterAll, beforeAll } from 'vitest';

import type { OpenDatabase } from '../../templates/service/src/platform/database/database.ts';
import { openPostgres } from '../../templates/service/src/platform/database/postgres.ts';
import { testDatabaseForms } from '../unit/emitted/database-forms.ts';
import { makeDatabase } from './support/project.ts';

let database: OpenDatabase;

beforeAll(async () => {
  database = openPostgres(await makeDatabase('database-forms'), 1, console.error);
});
afterAll(() => database.close());

testDatabaseForms(() => database);
