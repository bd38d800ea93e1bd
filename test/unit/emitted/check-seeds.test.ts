/** References of seeds to items that are no seeds: by ids of all kinds. */
import { expect, test } from 'vitest';

import { numericRowId } from '../../../templates/service/src/platform/database/numeric-row-id.ts';
import type { RowId } from '../../../templates/service/src/platform/database/row-id.ts';
import { UUID_ID } from '../../../templates/service/src/platform/database/row-id.ts';
import { TEXT_ROW_ID } from '../../../templates/service/src/platform/database/text-row-id.ts';
import { checkSeeds } from '../../../templates/service/src/platform/seeds/check-seeds.ts';
import type { Seed } from '../../../templates/service/src/platform/seeds/seed.ts';
import type { AnySeeded } from '../../../templates/service/src/platform/seeds/seeded-collection.ts';

const place = { file: 'seeds/books.yaml', line: 1, column: 1 };

/** A book that refers to an item by its id. */
const book = (id: string): Seed => ({
  ...{ collection: 'books', name: 'one', id: '00000000-0000-7000-8000-000000000000', place },
  members: { shelf_id: id },
  textOf: () => id,
  placeOf: () => place,
});

const collection = (name: string, references: Record<string, string>, id?: RowId): AnySeeded => ({
  resource: {
    ...{ collection: name, item: name, anItem: `a ${name}`, table: `"${name}"`, unique: {} },
    ...(id !== undefined && { id }),
  },
  references,
  read: ({ body }) => JSON.parse(String(body)) as object,
  create: () => Promise.reject(new Error('is not called')),
});

const checked = (id: string, rowId?: RowId) =>
  checkSeeds([book(id)], {
    books: collection('books', { shelf_id: 'shelves' }),
    shelves: collection('shelves', {}, rowId),
  }).map(({ values }) => values);

const UUID = '0190A2B4-5C6D-7E8F-9A0B-1C2D3E4F5A6B';

test.each([
  ['a UUID of the service', UUID, UUID.toLowerCase(), undefined],
  ['a UUID that a client chose', UUID, UUID.toLowerCase(), UUID_ID],
  ['a text', 'Shelf-A', 'Shelf-A', TEXT_ROW_ID],
  ['a text that looks like a UUID', UUID, UUID, TEXT_ROW_ID],
  ['a number', '-12', '-12', numericRowId('integer')],
])('%s is taken as %s', (_what, written, stored, rowId) => {
  expect(checked(written, rowId)).toEqual([{ shelf_id: stored }]);
});

test.each([
  ['no UUID', 'Shelf-A', undefined],
  ['no number of the type', '2147483648', numericRowId('integer')],
])('%s is refused where the name stands', (_what, written, rowId) => {
  expect(() => checked(written, rowId)).toThrow(
    `seeds/books.yaml:1:1 error shelf_id: "${written}" names no seed`,
  );
});
