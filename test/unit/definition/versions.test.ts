/** What the clients of each version see, and what is stored, told of one service with three. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Field, ServiceDefinition } from '../../../src/definition/types.ts';
import { storedOf, viewOf } from '../../../src/definition/versions/view.ts';
import { service, single } from './support.ts';

const TEXT = readFileSync(
  new URL('../../cases/versions/definitions.yaml', import.meta.url),
  'utf8',
);
const library = service(await single(TEXT));

const collectionIn = (version: number, name: string) => {
  const found = viewOf(library, version).collections.find((one) => one.name === name);
  if (found === undefined) throw new Error(`version ${version} has no ${name}`);
  return found;
};
const fieldIn = (version: number, collection: string, name: string): Field => {
  const found = collectionIn(version, collection).fields.find((one) => one.name === name);
  if (found === undefined) throw new Error(`version ${version} has no ${collection}.${name}`);
  return found;
};
const namesIn = (version: number, collection: string): readonly string[] =>
  collectionIn(version, collection).fields.map(({ name }) => name);
const collectionsOf = ({ collections }: ServiceDefinition): readonly string[] =>
  collections.map(({ name }) => name);

describe('a version', () => {
  test.each([
    [1, ['books', 'loans', 'writers']],
    [2, ['books', 'desks', 'opinions', 'people']],
    [3, ['books', 'desks', 'people', 'reviews']],
  ])('%i has the collections %j', (version, names) => {
    expect(collectionsOf(viewOf(library, version))).toEqual(names);
    expect(viewOf(library, version)).toMatchObject({
      versions: [version],
      lifecycles: [{ version, frozen: version < 3 }],
    });
  });

  test('has its fields under its names', () => {
    expect(namesIn(1, 'writers')).toEqual([
      'full_name',
      'born',
      'score',
      'nickname',
      'home',
      'notes',
    ]);
    expect(namesIn(2, 'people')).toEqual([
      'full_name',
      'born',
      'score',
      'country',
      'nickname',
      'home',
      'notes',
    ]);
    expect(namesIn(3, 'people')).toEqual(['name', 'born', 'score', 'country', 'home', 'notes']);
  });

  test('has its singulars, and what leads to them', () => {
    expect(collectionIn(1, 'writers')).toMatchObject({ singular: 'writer' });
    expect(fieldIn(1, 'books', 'writer_id').type).toMatchObject({ to: 'writers' });
    expect(fieldIn(2, 'books', 'person_id').type).toMatchObject({ to: 'people' });
    expect(fieldIn(2, 'opinions', 'title_id').type).toMatchObject({ nestedAs: 'opinions' });
    expect(fieldIn(3, 'reviews', 'book_id').type).toMatchObject({ nestedAs: 'reviews' });
  });

  test('has its types, with the bounds that the field has, and its defaults', () => {
    expect(fieldIn(1, 'books', 'cost')).toMatchObject({
      type: { type: 'number', minimum: 0 },
      default: 0,
    });
    expect(fieldIn(3, 'books', 'price')).toMatchObject({
      type: { type: 'decimal', precision: 10, scale: 2, minimum: '0.00' },
      default: '0.00',
    });
    expect(fieldIn(1, 'books', 'stock').type).toEqual({
      type: 'bigint',
      minimum: '0',
      maximum: '100000',
    });
    expect(fieldIn(1, 'books', 'genre').type).toEqual({
      type: 'list',
      of: { type: 'string', maxLength: 40 },
      minItems: 1,
      maxItems: 1,
      uniqueItems: false,
    });
  });

  test('has the values of an enum that are as old', () => {
    expect(fieldIn(1, 'books', 'state')).toMatchObject({
      type: { type: 'enum', values: ['new', 'public'] },
      default: 'new',
    });
    expect(fieldIn(2, 'books', 'state').type).toEqual({
      type: 'enum',
      values: ['draft', 'published', 'archived'],
      renamed: RENAMED,
    });
  });

  test('sorts and filters by what it has, and finds unique what it can tell', () => {
    expect(collectionIn(1, 'writers')).toMatchObject({
      sort: ['full_name', 'born', 'score'],
      filter: ['full_name', 'born'],
      search: ['full_name', 'nickname'],
    });
    expect(collectionIn(1, 'books')).toMatchObject({
      unique: [{ fields: ['writer_id', 'title'] }],
    });
  });

  test('says no word of versions', () => {
    for (const version of [1, 2, 3]) {
      expect(JSON.stringify(viewOf(library, version).collections)).not.toMatch(
        /since|"until":\d|older|versioned|nestedIn/,
      );
    }
  });
});

/** What migrations know of values by the map of version 1. */
const RENAMED = [
  { name: 'draft', formerName: 'new' },
  { name: 'published', formerName: 'public' },
];

test('stored is all that some version has, as it is today', () => {
  const stored = storedOf(library);
  expect(collectionsOf(stored)).toEqual(['books', 'desks', 'loans', 'people', 'reviews']);
  const [books, , , people] = stored.collections;
  expect(people?.fields.map(({ name }) => name)).toEqual([
    'name',
    'born',
    'score',
    'country',
    'nickname',
    'home',
    'notes',
  ]);
  expect(books?.fields.find(({ name }) => name === 'state')?.type).toEqual({
    type: 'enum',
    values: ['draft', 'published', 'archived', 'withdrawn'],
    renamed: RENAMED,
  });
});

test('stored is what the newest version searches in, and apart from it what older ones do', () => {
  const [books, , , people] = storedOf(library).collections;
  expect(books?.search).toEqual(['title', 'series']);
  expect(books?.olderSearches).toEqual([{ version: 1, fields: ['title'] }]);
  expect(people?.search).toEqual(['name']);
  expect(people?.olderSearches).toEqual([{ version: 2, fields: ['name', 'nickname'] }]);
});

test('a version does not search in what it has in another form', async () => {
  const text = `versions: [1, 2, 3]
collections:
  books:
    fields:
      title: { type: string, type_in: { 1: { type: text } } }
      genre: { type: string, type_in: { 1: { type: list, of: string } } }
      code: { type: string, type_in: { 2: { type: integer } } }
    search: [title, genre, code]`;
  const it = service(await single(text));
  const searchIn = (version: number): unknown => viewOf(it, version).collections[0]?.search;
  expect([1, 2, 3].map(searchIn)).toEqual([
    ['title'],
    ['title', 'genre'],
    ['title', 'genre', 'code'],
  ]);
});

test('what only versions had that are not served any more is not stored', async () => {
  const text = TEXT.replace(/ {2}1: \{ dep.*\n/, '').replace('roles:', 'retired: [1]\nroles:');
  const stored = storedOf(service(await single(text)));
  expect(collectionsOf(stored)).toEqual(['books', 'desks', 'people', 'reviews']);
});

describe('a version that lacks something, or has it in another form', () => {
  const books = async (fields: string, rest = ''): Promise<ServiceDefinition> =>
    service(
      await single(
        `versions: [1, 2]\ncollections: { books: { fields: { title: { type: string }, ${fields} }${rest} } }`,
      ),
    );

  test('is neither sorted nor filtered by what functions of the team convert', async () => {
    const price = 'price: { type: string, type_in: { 1: { type: integer } } }';
    const shop = await books(price, ', sort: [title, price], filter: [price, title]');
    const [one, two] = [1, 2].map((version) => viewOf(shop, version).collections[0]);
    expect(one).toMatchObject({ sort: ['title'], filter: ['title'] });
    expect(two).toMatchObject({ sort: ['title', 'price'], filter: ['price', 'title'] });
  });

  test('may lack members that are unique together, as long as one of them is empty there', async () => {
    const group = ', unique: [[shelf, place]]';
    const shelf = 'shelf: { type: integer, since: 2, default: 1 }';
    await books(`${shelf}, place: { type: integer, since: 2 }`, group);
    await expect(
      books(`${shelf}, place: { type: integer, since: 2, default: 1 }`, group),
    ).rejects.toThrow('would have the same default there');
    await expect(books(`${shelf}, place: { type: integer }`, group)).rejects.toThrow(
      'would have the same default there',
    );
  });

  test('may call a field like a parameter of lists, unless it filters by it', async () => {
    const most = 'most: { type: integer, name_in: { 1: limit } }';
    await books(most, ', sort: [most], filter: [title]');
    await expect(books(most, ', filter: [most]')).rejects.toThrow('is a parameter of every list');
  });
});

describe('conversions', () => {
  const form = async (stored: string, older: string): Promise<unknown> => {
    const text = `versions: [1, 2]\ncollections: { books: { fields: { it: { ${stored}, type_in: { 1: { ${older} } } } } } }`;
    const { olderFormOf } = await import('../../../src/definition/versions/older-form.ts');
    const field = service(await single(text)).collections[0]!.fields[0]!;
    return olderFormOf(field, 1)?.conversion.kind;
  };

  test.each([
    ['type: integer', 'type: bigint', 'text-of-integer'],
    ['type: integer', 'type: number', 'same'],
    ['type: integer', 'type: decimal, precision: 20, scale: 2', 'decimal-of-integer'],
    ['type: integer', 'type: decimal, precision: 17, scale: 2', 'team'],
    ['type: integer', 'type: string', 'text-of-integer'],
    ['type: integer', 'type: string, max_length: 5', 'team'],
    ['type: bigint', 'type: integer', 'team'],
    ["type: bigint, minimum: '0', maximum: '9007199254740991'", 'type: integer', 'number-of-text'],
    ["type: bigint, minimum: '0', maximum: '9007199254740992'", 'type: integer', 'team'],
    ['type: bigint', 'type: decimal, precision: 19, scale: 0', 'longer-text'],
    ['type: bigint', 'type: decimal, precision: 18, scale: 0', 'team'],
    ['type: bigint', 'type: text', 'same'],
    ['type: decimal, precision: 15, scale: 2', 'type: number', 'number-of-text'],
    ['type: decimal, precision: 16, scale: 2', 'type: number', 'team'],
    ['type: decimal, precision: 10, scale: 2', 'type: integer', 'team'],
    ['type: decimal, precision: 10, scale: 0', 'type: integer', 'number-of-text'],
    [
      'type: decimal, precision: 10, scale: 2',
      'type: decimal, precision: 12, scale: 4',
      'longer-text',
    ],
    ['type: decimal, precision: 10, scale: 2', 'type: decimal, precision: 10, scale: 4', 'team'],
    ['type: decimal, precision: 10, scale: 2', 'type: decimal, precision: 10, scale: 1', 'team'],
    ['type: integer, minimum: 0', 'type: number, minimum: 1.5e-9', 'team'],
    ['type: integer, minimum: 1', 'type: number, minimum: 1.5e-9', 'same'],
    ['type: number', 'type: integer', 'team'],
    ['type: number', 'type: string', 'team'],
    ['type: date', 'type: timestamp', 'midnight'],
    ['type: timestamp', 'type: date', 'team'],
    ['type: string, max_length: 5', 'type: string, max_length: 9', 'same'],
    ['type: string, max_length: 9', 'type: string, max_length: 5', 'team'],
    ['type: string, max_length: 9', "type: string, max_length: 9, pattern: 'a'", 'team'],
    ['type: string', 'type: list, of: string', 'list-of-one'],
    ['type: string', 'type: list, of: string, min_items: 1, max_items: 1', 'list-of-one'],
    ['type: string', 'type: list, of: string, min_items: 2', 'team'],
    ['type: string', 'type: list, of: integer', 'team'],
    ['type: list, of: string, min_items: 1, max_items: 1', 'type: string', 'only-entry'],
    ['type: list, of: string', 'type: string', 'team'],
    ['type: list, of: string, min_items: 1', 'type: string', 'team'],
    ['type: list, of: string, max_items: 1', 'type: string', 'team'],
    ...(
      [
        ['time', "'05:00:00'", "'06:00:00'", "'12:00:00'", "'13:00:00'"],
        ['duration', 'PT1H', 'PT2H', 'PT3H', 'PT4H'],
      ] as const
    ).flatMap(([type, least, less, more, most]) => {
      const within = (minimum: string, maximum: string): string =>
        `type: ${type}, minimum: ${minimum}, maximum: ${maximum}`;
      return [
        [within(less, most), within(least, most), 'same'],
        [within(least, more), within(least, most), 'same'],
        [within(least, most), within(less, most), 'team'],
        [within(least, most), within(least, more), 'team'],
      ];
    }),
    ['type: enum, values: [a, b]', 'type: enum, values: { a: x, b: y }', 'values'],
    ['type: enum, values: [a, b]', 'type: enum, values: [a, b, c]', 'same'],
    ['type: enum, values: [a, b]', 'type: enum, values: [a]', 'team'],
    ['type: enum, values: [a, b]', 'type: string', 'same'],
    ['type: boolean', 'type: integer', 'team'],
  ])('{ %s } as { %s }: %s', async (stored, older, kind) => {
    expect(await form(stored, older)).toBe(kind);
  });
});
