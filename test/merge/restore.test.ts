/** What an edit removed of a generated TypeScript file: it is named, and `--restore` brings it back. */
import { expect, test } from 'vitest';

import { restoreGenerated } from '../../src/merge/index.ts';

const GENERATED = `/** The cars. */
import { number, object, optional, string } from './shapes.ts';
import type { App } from './app.ts';
import './side-effect.ts';

export const CarBody = object({
  plate: string(),
  price: optional(number()),
  doors: optional(number()),
});

export type State = 'open' | 'sold' | 'scrapped';

export interface Car {
  readonly id: string;
  readonly price: number;
}

export const SORT = ['price', 'doors'];

export function carRoutes(app: App): void {
  app.get('/cars', async () => list());
  app.delete('/cars/:id', async () => remove());
}

const list = () => [1];
const remove = () => undefined;

export async function firstCar(shop: any): Promise<unknown> {
  const [car] = await shop.query('select "id" from "cars" limit $1', [1]);
  return car;
}
`;

const without = (...pieces: string[]): string =>
  pieces.reduce((text, piece) => {
    expect(text).toContain(piece);
    return text.replace(piece, '');
  }, GENERATED);

test.each([
  ['a member', ['  doors: optional(number()),\n'], ['8 `doors` in `CarBody`']],
  [
    'a member, an element of an array, a value of a union and a member of a type',
    ['  price: optional(number()),\n', `, 'doors'`, ` | 'scrapped'`, '  readonly price: number;\n'],
    [
      '7 `price` in `CarBody`',
      `11 "'scrapped'" in \`State\``,
      '14 `price` in `Car`',
      `17 "'doors'" in \`SORT\``,
    ],
  ],
  [
    'a route',
    [`  app.delete('/cars/:id', async () => remove());\n`],
    ["22 `app.delete('/cars/:id')` in `carRoutes`"],
  ],
  ['an import that the file uses', ['number, '], ["1 `number` in the import from './shapes.ts'"]],
  [
    'an import of a module for its effect',
    [`import './side-effect.ts';\n`],
    ["3 the import from './side-effect.ts'"],
  ],
  ['a declaration', ['const remove = () => undefined;\n'], ['26 `remove`']],
])('%s', async (_what, pieces, told) => {
  const restored = await restoreGenerated('src/cars.ts', GENERATED, without(...pieces));
  expect(restored?.parts.map(({ line, name }) => `${line} ${name}`)).toEqual(told);
  expect(restored?.text).toBe(GENERATED);
});

/** What is no removal: each is the generated text after an edit. */
test.each([
  [
    'moved within its list',
    [
      ['  price: optional(number()),\n', ''],
      ['  plate: string(),\n', '  price: optional(number()),\n  plate: string(),\n'],
    ],
  ],
  [
    'moved into a block',
    [
      [
        `  app.get('/cars', async () => list());`,
        `  if (app.isOpen) {\n    app.get('/cars', async () => other());\n  }`,
      ],
    ],
  ],
  [
    'moved to another file',
    [
      ['const list = () => [1];\n', ''],
      [`import type { App }`, `import { list } from './list.ts';\nimport type { App }`],
    ],
  ],
  ['renamed', [['  price: optional(number()),', '  cost: optional(number()),']]],
  [
    'a statement whose names are taken from another value',
    [[`', [1])`, ` order by 1', [order, 1])`]],
  ],
  ['a statement that takes another name out of a value', [[`[car]`, `[car, next]`]]],
  ['a route with another path', [[`'/cars/:id'`, `'/cars/:plate'`]]],
  ['a declaration with another name', [['const remove =', 'const removeCar =']]],
  ['a type replaced in a union', [[`'sold'`, `'gone'`]]],
  ['replaced', [[`['price', 'doors']`, `['price', 'plate']`]]],
  ['given another form', [[`['price', 'doors']`, `sortOf(CarBody)`]]],
  ['wrapped', [[`['price', 'doors']`, `['price', quoted('doors')]`]]],
  [
    'an import with its last use',
    [
      [`import type { App } from './app.ts';\n`, ''],
      ['app: App', 'app: Server'],
    ],
  ],
  [
    'laid out anew',
    [
      [
        '  price: optional(number()),\n  doors: optional(number()),',
        '  price:\n    optional(number()), doors: optional( number() ),',
      ],
      [`'open' | 'sold' | 'scrapped'`, `"open" |\n  "sold" | "scrapped"`],
    ],
  ],
])('%s: nothing is missing', async (_what, edits) => {
  const ours = edits.reduce((text, [from = '', to = '']) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, GENERATED);
  expect((await restoreGenerated('src/cars.ts', GENERATED, ours))?.parts ?? []).toEqual([]);
});

test('a member is missing beside members of the team, and comes back in its place', async () => {
  const own = '  // What the team adds.\n  note: string(),\n';
  const ours = without('  doors: optional(number()),\n').replace('  price', `${own}  price`);
  const restored = await restoreGenerated('src/cars.ts', GENERATED, ours);
  expect(restored?.parts.map(({ name }) => name)).toEqual(['`doors` in `CarBody`']);
  expect(restored?.text).toBe(GENERATED.replace('  price', `${own}  price`));
});
