/** Emitted tests send a null of a fixture as it is: a hook may accept nothing else. */
import { expect, test } from 'vitest';

import { render } from '../../../src/api.ts';

const DEFINITIONS = `
name: shop
versions: [1, 2]
collections:
  vouchers:
    fields:
      title: { type: string, required: true, immutable: true }
      used_code: { type: string, immutable: true }
      cost: { type: integer, name_in: { 1: price } }
`;

test('only a member that the fixture lacks is given a value', async () => {
  const files = await render({ path: 'shop.yaml', text: DEFINITIONS });
  const linesOf = (path: string): string[] =>
    (files.find((file) => file.path === path)?.text ?? '').split('\n').map((line) => line.trim());
  expect(linesOf('test/collections/vouchers.test.ts')).toContain(
    `['used_code', full.used_code, 'Used code 1'],`,
  );
  const versions = linesOf('test/versions/vouchers.test.ts');
  const ofFixture = versions.filter((line) => /\b(?:now|here)\.\w+/.test(line));
  expect([...new Set(ofFixture)]).toEqual([
    'title: now.title,',
    `used_code: now.used_code === undefined ? 'Used code 1' : now.used_code,`,
    'cost: now.cost === undefined ? 1 : now.cost,',
    'price: now.cost === undefined ? 1 : now.cost,',
    'title: here.title,',
    `used_code: here.used_code === undefined ? 'Used code 1' : here.used_code,`,
    'price: here.price === undefined ? 1 : here.price,',
    'cost: here.price === undefined ? 1 : here.price,',
  ]);
});
