/** Included references of frozen versions: under the names of a version, read from its contract. */
import { expect, test } from 'vitest';

import { breaks } from './frozen-shop.ts';

const FIELDS =
  'name: { type: string }, part_id: { type: reference, to: books, name_in: { 1: whole_id } }';
const NEWER = `${FIELDS}, copy_id: { type: reference, to: books, since: 2 }`;

test('stay, whatever their references are called', async () => {
  expect(await breaks([FIELDS, 'include: [part_id]'], [FIELDS, 'include: [part_id]'])).toEqual([]);
  const renamed = FIELDS.replace('part_id: {', 'piece_id: { renamed_from: part_id,');
  expect(await breaks([FIELDS, 'include: [part_id]'], [renamed, 'include: [piece_id]'])).toEqual(
    [],
  );
  expect(await breaks([FIELDS, ''], [FIELDS, 'include: [part_id]'])).toEqual([]);
});

test('are told under the name of the version, with the current name as advice', async () => {
  expect(await breaks([FIELDS, 'include: [part_id]'], [FIELDS, ''])).toEqual([
    [
      'include-gone',
      [1],
      'breaks version 1: collection books no longer includes whole_id: clients that ask with include=whole get 400',
    ],
  ]);
});

test('that the version does not have are no concern of it', async () => {
  expect(await breaks([NEWER, 'include: [copy_id]'], [NEWER, ''])).toEqual([]);
  expect(
    await breaks([NEWER, 'include: [part_id, copy_id]'], [NEWER, 'include: [copy_id]']),
  ).toEqual([['include-gone', [1], expect.stringContaining('whole_id')]]);
});
