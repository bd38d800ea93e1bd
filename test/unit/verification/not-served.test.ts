/** Collections whose rows `verify` cannot compare. */
import { expect, test } from 'vitest';

import { unservedCollections } from '../../../src/commands/verify.ts';
import { parseSingleFile } from '../../../src/definition/index.ts';
import { buildModel } from '../../../src/model/build.ts';

test('a collection with an existing table that ended with an older version is not served', async () => {
  const text = `name: shop
schema: service
versions: { 1: {}, 2: {} }
collections:
  films: { table: film, fields: { title: { type: string } } }
  tapes: { table: tape, until: 1, fields: { title: { type: string } } }
  discs: { until: 1, fields: { title: { type: string } } }
`;
  const bytes = new TextEncoder().encode(text);
  const parsed = await parseSingleFile({ path: 'shop.yaml', bytes }, { fallbackName: 'shop' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  expect(unservedCollections(buildModel(parsed.service))).toEqual(['tapes']);
});
