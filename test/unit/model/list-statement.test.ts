/** The statements of lists of owners, as `explain --database` plans them. */
import { expect, test } from 'vitest';

import { suggestIndex } from '../../../src/database/suggest-index.ts';
import { parseSingleFile } from '../../../src/definition/index.ts';
import { buildModel } from '../../../src/model/build.ts';
import { listStatement, matchStatement } from '../../../src/model/list-statement.ts';
import { collectionLists, listsOf } from '../../../src/model/lists.ts';
import type { CollectionLists, ItemList } from '../../../src/model/lists.ts';

const TEXT = `
name: shop
schema: service
collections:
  memberships:
    fields: { user_id: { type: reference, to: users }, customer_id: { type: reference, to: customers, unique: true } }
  customers:
    table: customer
    key: integer
    fields: { name: { type: string } }
    sort: [name]
    permissions: { read: owner, create: [admin] }
    owner: memberships.user_id
  orders:
    fields: { customer_id: { type: reference, to: customers } }
    permissions: { read: owner }
    owner: customer_id.memberships.user_id
`;

/** The first list of a collection that has the items of the caller alone. */
async function ownList(name: string): Promise<{ lists: CollectionLists; list: ItemList }> {
  const file = { path: 'shop.yaml', bytes: new TextEncoder().encode(TEXT) };
  const result = await parseSingleFile(file, { fallbackName: 'shop' });
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('\n'));
  const lists = collectionLists(buildModel(result.service)).find(
    ({ collection }) => collection.definition.name === name,
  );
  const list = lists && listsOf(lists).find(({ own }) => own);
  if (lists === undefined || list === undefined) throw new Error(`${name} has no list of owners`);
  return { lists, list };
}

const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ');

test.each([
  ['customers', '"customers"."id"'],
  ['orders', '"orders"."customer_id"'],
])('%s of an owner are found over the linking collection', async (name, column) => {
  const { list } = await ownList(name);
  const ids =
    'select "memberships"."customer_id" from "memberships" where "memberships"."user_id" in (select $1::uuid)';
  expect(spaced(matchStatement(list, { scopes: ['x'] }).text)).toBe(
    `select * from "${name}" where ${column} in (${ids})`,
  );
  const { text } = listStatement(list, { scopes: ['x'] });
  expect(spaced(text)).toContain(`where ${column} between "_value" and "_value"`);
  expect(spaced(text)).toMatch(/from \(select "memberships"\."customer_id" from "memberships" /);
});

test('no index is proposed for items that are found by their ids', async () => {
  const { lists, list } = await ownList('customers');
  expect(suggestIndex(lists.collection, list, 100_000)).toEqual({
    reason: 'the items of an owner are read by their ids',
  });
});
