/** A database that was brought up to date has the schema of a new one: on PGlite. */
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { planMigration } from '../../../src/migration/index.ts';
import { CASES } from './cases.ts';
import { catalogOf, initialSql, modelOf } from './support.ts';
import type { Runner } from './support.ts';

let pglite: PGlite;
const runner: Runner = {
  run: async (sql) => {
    await pglite.exec(sql);
  },
  rows: async <Row>(sql: string) => (await pglite.query<Row>(sql)).rows,
};

beforeAll(async () => {
  pglite = await PGlite.create();
});
afterAll(() => pglite.close());

/** An empty schema, which the statements that follow are about. */
const inSchema = (name: string): Promise<void> =>
  runner.run(
    `drop schema if exists ${name} cascade; create schema ${name}; set search_path = ${name}`,
  );

describe('a migrated schema is that of a new service', () => {
  test.each(CASES)('$title', async ({ before, now }) => {
    const [old, current] = [await modelOf(before), await modelOf(now)];
    const migration = planMigration(old, current);
    expect(migration?.issues).toEqual([]);
    await inSchema('migrated');
    await runner.run(await initialSql(old));
    await runner.run(`begin; ${migration?.sql ?? ''} commit;`);
    const migrated = await catalogOf(runner);
    await inSchema('fresh');
    await runner.run(await initialSql(current));
    expect(migrated).toEqual(await catalogOf(runner));
    expect(planMigration(current, current)).toBeUndefined();
  });
});
