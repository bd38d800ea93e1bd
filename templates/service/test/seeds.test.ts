/** The seeds of this project: those in `seeds/` are valid. */
import { afterAll, expect, test } from 'vitest';

import { seeded } from '../src/collections/seeded.ts';
import { loadSeeds } from '../src/platform/seeds/load-seeds.ts';
import { readSeeds } from '../src/platform/seeds/read-seeds.ts';
import { openTestDatabase } from './support/database.ts';

const database = await openTestDatabase();

afterAll(() => database.close());

test('the seeds load into an empty database, and a second run changes nothing', async () => {
  const seeds = await readSeeds('seeds', Object.keys(seeded));
  const first = await loadSeeds(database, seeds, seeded);
  const created = [...first.values()].map((counts) => counts.created);
  expect(created.reduce((sum, count) => sum + count, 0)).toBe(seeds.length);
  const second = await loadSeeds(database, seeds, seeded);
  for (const [collection, counts] of first) {
    const present = { created: 0, present: counts.created, removed: 0 };
    expect(second.get(collection)).toEqual(present);
  }
});
