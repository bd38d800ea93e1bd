/** Endpoints of a team that would show the newest version to clients of an older one. */
import { expect, test } from 'vitest';

import { usesOfNewestShapes } from '../../../src/update/newest-shapes.ts';
import { modelOf } from '../migration/support.ts';

const RENAMED = 'orders: { fields: { amount: { type: integer, name_in: { 1: total } } } }';
const SAME = 'books: { fields: { title: { type: string } } }';
const GENERATED = 'src/collections/orders/routes.ts';
const OWN = `import { BookShape } from './books/schema.ts';
import { orderBodies, OrderShape } from './orders/schema.ts';

export const schema = { response: { 200: BookShape, 201: OrderShape } };
`;

const uses = async (path: string, text: string): Promise<readonly string[]> => {
  const model = await modelOf(`${RENAMED}\n${SAME}`, '[1, 2]');
  const files = () => [{ path, text }];
  const generated = (file: string): string | undefined =>
    file === GENERATED || file.endsWith('schema.ts')
      ? `import './schema.ts';\nOrderBody;`
      : undefined;
  return usesOfNewestShapes({ model, files, generated }).map(
    ({ path: file, line, name, use }) => `${file}:${line} ${name} ${use}`,
  );
};

test('a shape of a collection that an older version has otherwise is named, with what to use', async () => {
  expect(await uses('src/checkouts.ts', OWN)).toEqual([
    'src/checkouts.ts:2 OrderShape views.orders(version).shape',
    'src/checkouts.ts:2 orderBodies views.orders(version).bodies',
  ]);
});

test('a line that was added to generated routes is named, and no other', async () => {
  expect(await uses(GENERATED, `import './schema.ts';\nOrderBody;\nsend(OrderBody);`)).toEqual([
    `${GENERATED}:3 OrderBody views.orders(version).body`,
  ]);
});

test.each([
  [
    'the form of the version',
    'src/checkouts.ts',
    "import { views } from './views.ts';\nviews.orders(1).shape;",
  ],
  ['a name of another module', 'src/checkouts.ts', "import { OrderShape } from './forms.ts';"],
  ['an edit of a generated shape', 'src/collections/orders/schema.ts', `'./schema'; OrderShape;`],
  ['a test', 'test/checkouts.test.ts', OWN],
])('%s is not named', async (_what, path, text) => {
  expect(await uses(path, text)).toEqual([]);
});

test('no shape is named while a service has one version', async () => {
  const model = await modelOf('orders: { fields: { amount: { type: integer } } }', '[1]');
  const files = () => [{ path: 'src/checkouts.ts', text: OWN }];
  expect(usesOfNewestShapes({ model, files, generated: () => undefined })).toEqual([]);
});
