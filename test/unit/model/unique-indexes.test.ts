/** The indexes of values that are unique where a rule is true. */
import { expect, test } from 'vitest';

import { modelOf } from '../migration/support.ts';

const RULES = ['archived = true', 'archived = false', 'archived = null'];

/** The condition of each partial index by its name, for rules in an order. */
async function conditions(rules: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const unique = rules.map((rule) => `{ fields: [slug], where: '${rule}' }`).join(', ');
  const { collections } = await modelOf(
    `books: { fields: { slug: { type: string }, archived: { type: boolean } }, unique: [${unique}] }`,
  );
  const indexes = collections.flatMap(({ table }) => table.indexes);
  return Object.fromEntries(
    indexes.flatMap(({ name, where }) => (where === undefined ? [] : [[name, where.condition]])),
  );
}

test('the order of the entries does not decide which index has which name', async () => {
  const first = await conditions(RULES);
  expect(Object.keys(first)).toHaveLength(3);
  expect(new Set(Object.values(first)).size).toBe(3);
  expect(await conditions(RULES.toReversed())).toEqual(first);
});
