/** The changes of test/unit/migration/cases.ts on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { OpenDatabase } from '../../templates/service/src/platform/database/database.ts';
import { openPostgres } from '../../templates/service/src/platform/database/postgres.ts';
import { play } from '../unit/migration/apply.ts';
import { CASES } from '../unit/migration/cases.ts';
import { testSqlWrites } from '../unit/migration/sql-writes.ts';
import { makeDatabase } from './support/project.ts';

let database: OpenDatabase;

beforeAll(async () => {
  database = openPostgres(await makeDatabase('migrations'), 1, console.error);
});
afterAll(() => database.close());

describe('a migrated schema is that of a new service', () => {
  test.each(CASES)('$title', async (one) => {
    const outcome = await play(database, one);
    expect(outcome.refused ?? '').toContain(one.refused ?? '');
    expect(outcome.refused === undefined).toBe(one.refused === undefined);
    expect(outcome.migrated).toEqual(outcome.fresh);
    expect(outcome.kept).toEqual(one.kept?.slice(1) ?? []);
  });
});

describe('what SQL writes', () => {
  testSqlWrites(() => database);
});
