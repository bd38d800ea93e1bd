/** The indexes of tables: those that lists ask for, and none that another one serves. */
import { expect, test } from 'vitest';

import { modelOf } from '../migration/support.ts';

/** Each index of the collection `books`, beside that of `created_at`, by its name. */
async function indexesOf(books: string): Promise<Readonly<Record<string, string>>> {
  const { collections } = await modelOf(
    `shelves: { fields: { label: { type: string } } }\nbooks: { ${books} }`,
  );
  const table = collections.find(({ definition }) => definition.name === 'books')?.table;
  return Object.fromEntries(
    (table?.indexes ?? [])
      .map(({ name, on }) => [name, on.join(', ')] as const)
      .filter(([name]) => name !== 'books__created_at__sort'),
  );
}

const FIELDS = `fields: { ${[
  'code: { type: string, max_length: 20, required: true, unique: true }',
  'state: { type: string, max_length: 10, required: true }',
  'rank: { type: integer }',
  'note: { type: string, max_length: 500 }',
  'essay: { type: string, max_length: 5000 }',
  'shelf_id: { type: reference, to: shelves, required: true }',
].join(', ')} }`;

const KEY = { books__code__key: '"code"' };
const SHELF = { books__shelf_id__idx: '"shelf_id", "id"' };

test('a declared index is over what lists are filtered and sorted by, and the id', async () => {
  expect(
    await indexesOf(
      `${FIELDS}, sort: [rank, created_at], filter: [state], indexes: [[state, rank], [state, -rank, created_at], [state, -created_at]]`,
    ),
  ).toEqual({
    ...KEY,
    ...SHELF,
    books__rank__sort: `("rank" is null), coalesce("rank", 0), "id"`,
    books__state__idx: '"state", "id"',
    books__state__rank__index: `"state", ("rank" is null), coalesce("rank", 0), "id"`,
    books__state__rank__desc__created_at__index: `"state", ("rank" is null) desc, coalesce("rank", 0) desc, "created_at", "id"`,
    books__state__created_at__desc__index: '"state", "created_at" desc, "id" desc',
  });
});

test.each([
  ['a sort key that is unique', 'sort: [code, created_at]'],
  ['a filter that is unique', 'filter: [code]'],
  ['a declared index of a unique member', 'indexes: [[code]]'],
  ['a declared index in the reverse order', 'indexes: [[-code], [-created_at]]'],
  ['a reference', 'indexes: [[shelf_id]]'],
])('no second index: %s', async (_title, lists) => {
  expect(await indexesOf(`${FIELDS}, ${lists}`)).toEqual({ ...KEY, ...SHELF });
});

test.each([
  ['unique: [[shelf_id, state]]', { books__shelf_id__state__key: '"shelf_id", "state"' }],
  ['indexes: [[shelf_id, state]]', { books__shelf_id__state__index: '"shelf_id", "state", "id"' }],
])('deletions find what refers to an item by %s', async (lists, index) => {
  expect(await indexesOf(`${FIELDS}, ${lists}`)).toEqual({ ...KEY, ...index });
  // A list of them is in the order of their ids.
  expect(await indexesOf(`${FIELDS}, filter: [shelf_id], ${lists}`)).toEqual({
    ...KEY,
    ...SHELF,
    ...index,
  });
});

test('a unique index with a rule serves nothing but itself', async () => {
  const where = `{ fields: [shelf_id], where: 'rank > 1' }`;
  expect(await indexesOf(`${FIELDS}, unique: [${where}], indexes: [[shelf_id]]`)).toEqual({
    ...KEY,
    ...SHELF,
    books__shelf_id__where__rank__key: '"shelf_id"',
  });
});

test('an index that descends has another name than one of a field with the name desc', async () => {
  const fields = 'fields: { rank: { type: integer }, desc: { type: integer } }';
  expect(
    await indexesOf(`${fields}, indexes: [[rank, desc], [-rank, created_at], [-rank]]`),
  ).toEqual({
    books__rank__desc__index: '"rank", "desc", "id"',
    books__rank__desc__created_at__index: '"rank" desc, "created_at", "id"',
    books__rank__desc__2__index: '"rank" desc, "id" desc',
  });
});

/**
 * An entry takes at most 2,704 bytes: 16 of them are its header and its null bitmap, and parts are
 * aligned to 8. A character takes up to 4 bytes, the length of a text 4, and the id 16.
 */
test.each([
  // 2,008 and 808 bytes of the texts, which are 2,832 with the id: the second is left out.
  ['note, code', 'note', '"note", "id"'],
  // 2,008 and twice 8.
  ['note, -rank', '', `"note", ("rank" is null) desc, coalesce("rank", 0) desc, "id" desc`],
  // 1,016 twice: a decimal takes a byte for each digit, and 12 more.
  ['wide, broad', '', '"wide", "broad", "id"'],
  ['wide, broad, code', 'wide, broad', '"wide", "broad", "id"'],
  ['wide, broad, -large', '', '"wide", "broad", "id"'],
])('an entry fits whatever the values are: [%s]', async (entry, filter, terms) => {
  const decimal = (name: string): string => `${name}: { type: decimal, precision: 1000, scale: 2 }`;
  const fields = FIELDS.replace(
    /code: \{ .*? \}/,
    `code: { type: string, max_length: 200 }, ${['wide', 'broad', 'large'].map(decimal).join(', ')}`,
  );
  const lists = `sort: [rank], filter: [${filter}], indexes: [[${entry}]]`;
  const found = Object.values(await indexesOf(`${fields}, ${lists}`));
  expect(found).toContain(terms);
});

test('values that are unique together fit, however wide: digests stand for the widest', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const fields = names.map((name) => `${name}: { type: decimal, precision: 1000, scale: 2 }`);
  expect(
    await indexesOf(`fields: { ${fields.join(', ')} }, unique: [[${names.join(', ')}]]`),
  ).toEqual({ books__a__b__c__d__key: '_digest("a"::text), _digest("b"::text), "c", "d"' });
});

test('an index has at most 32 columns, also where a member takes two', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `f${at}`);
  const fields = names.map((name) => `${name}: { type: integer }`).join(', ');
  const list = names.join(', ');
  const found = await indexesOf(`fields: { ${fields} }, sort: [${list}], indexes: [[${list}]]`);
  const longest = Object.values(found).toSorted((one, other) => other.length - one.length)[0];
  expect(longest?.match(/"f\d+" is null|coalesce|"id"/g)).toHaveLength(31);
});
