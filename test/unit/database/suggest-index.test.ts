/** Which index is proposed for a list, and when none is; and the values that lists are measured with. */
import { expect, test } from 'vitest';

import { valuesToTry } from '../../../src/database/sample-values.ts';
import { suggestIndex } from '../../../src/database/suggest-index.ts';
import { buildModel } from '../../../src/model/build.ts';
import { listStatement } from '../../../src/model/list-statement.ts';
import { collectionLists, listsOf } from '../../../src/model/lists.ts';
import { service, single } from '../definition/support.ts';

const model = buildModel(
  service(
    await single(`name: shop
versions: [1, 2]
collections:
  authors:
    fields: { name: { type: string } }
  books:
    fields:
      title: { type: string, max_length: 900 }
      state: { type: enum, values: [draft, { value: sold, until: 1, as: draft }], name_in: { 1: status } }
      price: { type: integer, required: true }
      author_id: { type: reference, to: authors, nested: true }
    sort: [title, price, created_at]
    filter: [title, price, author_id, state]
    search: [title]
    indexes: [[author_id, price]]
    permissions: { read: [owner] }
`),
  ),
);

const [, books] = collectionLists(model);
if (books === undefined) throw new Error('there are no books');
const lists = listsOf(books);

/** `path filter sort`, with `own` before it and `q` after it. */
const named = new Map(
  lists.map((list) => [
    [
      ...(list.own ? ['own'] : []),
      list.path,
      list.filter?.member ?? '-',
      list.sort?.member ?? '-',
      ...(list.words === undefined ? [] : ['q']),
    ].join(' '),
    list,
  ]),
);
const listNamed = (name: string) => {
  const list = named.get(name);
  if (list === undefined) throw new Error(`${name} is none of ${[...named.keys()].join(', ')}`);
  return list;
};

test('each path is listed with each filter and each sort key, and searched', () => {
  // Filters and none, sort keys and none, and the search; the parent is no filter of its own list.
  expect(lists.filter(({ own, path }) => !own && path === '/books')).toHaveLength(5 * 4 + 1);
  expect(lists.filter(({ own, path }) => own && path === '/authors/{id}/books')).toHaveLength(
    4 * 4 + 1,
  );
  expect(lists).toHaveLength(2 * (21 + 17));
});

test.each([
  ['/books price created_at', ['price', 'created_at']],
  ['/authors/{id}/books - created_at', ['author_id', 'created_at']],
  ['/authors/{id}/books title price', ['author_id', 'title', 'price']],
])('%s: proposes an entry', (name, entry) => {
  expect(suggestIndex(books.collection, listNamed(name), 9_000)).toEqual({ entry });
});

test.each([
  ['/books - - q', 9_000, 'no index has the matches of a search in the order of a list'],
  ['own /books - price', 9_000, 'no entry of indexes can name the creator of an item'],
  ['/books state price', 9_000, 'this version shows state in another form than the stored one'],
  [
    '/books author_id price',
    9_000,
    'the definition has an index for it, and PostgreSQL expects less of that',
  ],
  [
    '/books price price',
    9_000,
    'the definition has an index for it, and PostgreSQL expects less of that',
  ],
  ['/books price title', 83, 'with an index it would read 21 rows'],
])('%s: proposes none', (name, rows, reason) => {
  expect(suggestIndex(books.collection, listNamed(name), rows)).toEqual({ reason });
});

test('statements have the parameters and the order of the service', () => {
  expect(
    listStatement(listNamed('/authors/{id}/books price created_at'), {
      scopes: ['a'],
      filter: '7',
    }),
  ).toEqual({
    text:
      'select * from "books" where "books"."author_id" = $1 and "books"."price" = $2::bigint ' +
      'order by "books"."created_at" asc, "id" asc limit $3::bigint',
    values: ['a', '7', 21],
  });
  const long = 'x'.repeat(300);
  expect(listStatement(listNamed('/books title -'), { scopes: [], filter: long })).toEqual({
    text:
      'select * from "books" where ("books"."title" is null) is false and ' +
      `coalesce(left("books"."title", 200), '') = coalesce(left($1::text, 200), '') and ` +
      '"books"."title" = $2::text order by "id" asc limit $3::bigint',
    values: ['x'.repeat(200), long, 21],
  });
});

test('the most common value is tried, and the one of which a page reads the most', () => {
  // The square root of 200,000 × 21 is 2,049 rows: the share of "c" is the nearest.
  expect(valuesToTry(['a', 'b', 'c', 'd'], [0.8, 0.1, 0.01, 0.0001], 200_000, 21)).toEqual([
    'a',
    'c',
  ]);
  expect(valuesToTry(['a'], [1], 200_000, 21)).toEqual(['a']);
  // Elements of arrays are not in the order of their frequencies.
  expect(valuesToTry(['x', 'y'], [0.011, 0.9], 200_000, 21)).toEqual(['y', 'x']);
  expect(valuesToTry([], [], 200_000, 21)).toEqual([]);
});
