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
  expect(versions.filter((line) => /^\['\w+', '\w+'/.test(line))).toEqual([
    `['title', 'title'],`,
    `['used_code', 'used_code', 'Used code 1'],`,
    `['cost', 'price', 1],`,
    `['title', 'title'],`,
    `['used_code', 'used_code', 'Used code 1'],`,
    `['price', 'cost', 1],`,
  ]);
});
