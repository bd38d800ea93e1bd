/** A service starts only if the existing tables have the unique indexes that its code relies on. */
import { expect, test } from 'vitest';

import { render } from '../../../src/api.ts';

const DEFINITIONS = `name: shop
schema: service
collections:
  shops:
    table: shop
    history: {}
    key: { type: integer, column: shop_number }
    permissions: { read: owner, create: [admin] }
    owner: badges.badge_links.user_id
    fields: { name: { type: string } }
  badges:
    table: trade.badge
    history: {}
    fields: { shop_id: { type: reference, to: shops, unique: true, column: of_shop } }
  badge_links:
    fields:
      badge_id: { type: reference, to: badges, unique: true }
      user_id: { type: reference, to: users }
`;

test('on the columns of ids, and on the references by which owner paths go over existing tables', async () => {
  const files = await render({ path: 'shop.yaml', text: DEFINITIONS });
  const file = files.find(({ path }) => path.endsWith('platform/features.ts'));
  const [, list = ''] = /existingTables\(\[\n([^]*?)\n {2}\]\)/.exec(file?.text ?? '') ?? [];
  expect(list.split('\n').map((line) => line.trim())).toEqual([
    `{ table: '"trade"."badge"', columns: ['id'] },`,
    `{ table: '"public"."shop"', columns: ['shop_number'] },`,
    `{ table: '"trade"."badge"', columns: ['of_shop'] },`,
  ]);
});
