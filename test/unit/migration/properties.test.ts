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
