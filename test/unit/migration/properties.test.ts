/** Whatever a service becomes, its database becomes that of a new one: on PGlite. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { nextMigrations } from '../../../src/migration/chain.ts';
import { planMigration } from '../../../src/migration/index.ts';
import type { OpenDatabase } from '../../../templates/service/src/platform/database/database.ts';
import {
  createInMemory,
  overPglite,
} from '../../../templates/service/src/platform/database/pglite.ts';
import { apply, freshCatalog, inSchema } from './apply.ts';
import { generatedChange } from './changes.ts';
import { permutedNames } from './permuted-names.ts';
import type { RenamedTable } from './permuted-names.ts';
import { catalogOf, initialSql, modelOfFile } from './support.ts';

let database: OpenDatabase;

beforeAll(async () => {
  database = overPglite(await createInMemory(), () => {});
}, 60_000);
afterAll(() => database.close());

test('any two definitions, one after the other, yield the schema of the second', async () => {
  await fc.assert(
    fc.asyncProperty(generatedChange, async ([one, other]) => {
      const [before, now] = [await modelOfFile(one), await modelOfFile(other)];
      const first = { name: '0001_initial', text: await initialSql(before) };
      const next = nextMigrations([first], planMigration(before, now));
      await inSchema(database, 'migrated');
      await apply(database, [first, ...next]);
      const migrated = await catalogOf(database);
      expect(migrated).toEqual(await freshCatalog(database, now));
      expect(planMigration(now, now)).toBeUndefined();
    }),
    { numRuns: 20 },
  );
}, 300_000);

/** The rows of a table as before or now, with the old names of all columns. */
async function rowsOf(table: RenamedTable, at: 'before' | 'now'): Promise<unknown[]> {
  const columns = table.columns.map((one) => `"${one[at]}" as "${one.before}"`);
  return database.query({
    text: `select ${['"id"', '"created_at"', '"updated_at"', ...columns].join(', ')} from "${table[at]}" order by "id"`,
  });
}

test('fields and collections that take each other’s names, with other options, keep their values', async () => {
  await fc.assert(
    fc.asyncProperty(permutedNames, async ({ definitions, rows, tables }) => {
      const [before, now] = [await modelOfFile(definitions[0]), await modelOfFile(definitions[1])];
      const first = { name: '0001_initial', text: await initialSql(before) };
      await inSchema(database, 'migrated');
      await apply(database, [first]);
      await database.query({ text: rows });
      const kept = await Promise.all(tables.map((table) => rowsOf(table, 'before')));
      await apply(database, [first, ...nextMigrations([first], planMigration(before, now))]);
      expect(await Promise.all(tables.map((table) => rowsOf(table, 'now')))).toEqual(kept);
      const migrated = await catalogOf(database);
      expect(migrated).toEqual(await freshCatalog(database, now));
    }),
    { numRuns: 12 },
  );
}, 300_000);
