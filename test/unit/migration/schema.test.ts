/** A database that was brought up to date has the schema of a new one, and its rows: on PGlite. */
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { OpenDatabase } from '../../../templates/service/src/platform/database/database.ts';
import { overPglite } from '../../../templates/service/src/platform/database/pglite.ts';
import { play } from './apply.ts';
import { CASES } from './cases.ts';
import { testSqlWrites } from './sql-writes.ts';

let database: OpenDatabase;

beforeAll(async () => {
  database = overPglite(await PGlite.create(), () => {});
}, 60_000);
afterAll(() => database.close());

describe('a migrated schema is that of a new service', () => {
  test.each(CASES)('$title', async (one) => {
    const outcome = await play(database, one);
    expect(outcome.issues).toEqual([]);
    expect(outcome.refused ?? '').toContain(one.refused ?? '');
    expect(outcome.refused === undefined).toBe(one.refused === undefined);
    expect(outcome.migrated).toEqual(outcome.fresh);
    expect(outcome.kept).toEqual(one.kept?.slice(1) ?? []);
    expect(outcome.losses.toSorted()).toEqual(one.losses?.toSorted() ?? []);
    expect(outcome.isDone).toBe(true);
  });
});

describe('what SQL writes', () => {
  testSqlWrites(() => database);
});
