/** What `explain --database` prints of measured lists. */
import { expect, test } from 'vitest';

import { databaseDocument } from '../../../src/commands/explain/database-document.ts';
import { databaseTable } from '../../../src/commands/explain/database-table.ts';
import type { ExplainedList, ExplainedTable } from '../../../src/commands/explain/database.ts';
import { buildModel } from '../../../src/model/build.ts';
import { collectionLists, listsOf } from '../../../src/model/lists.ts';
import { service, single } from '../definition/support.ts';

const model = buildModel(
  service(
    await single(`name: shop
versioning: [path]
collections:
  books:
    fields:
      status: { type: enum, values: [draft, on sale] }
      open: { type: boolean }
      code: { type: string }
    sort: [code]
    filter: [status, open, code]
    permissions: { read: [owner] }
`),
  ),
);

const lists = collectionLists(model).flatMap(listsOf);

/** A list with what it reads. */
function explained(
  filter: string | undefined,
  value: string | undefined,
  rows: number | undefined,
  rest: Partial<ExplainedList> & { readonly own?: boolean } = {},
): ExplainedList {
  const { own = false, suggestion } = rest;
  const list = lists.find(
    (one) => one.own === own && one.filter?.member === filter && one.sort !== undefined,
  );
  if (list === undefined) throw new Error(`no list has the filter ${filter}`);
  const reading =
    rows === undefined
      ? undefined
      : {
          rows,
          indexes: ['a', 'b'],
          isScan: false,
          isWalk: filter === 'code',
          isSorted: true,
          values: { scopes: [], filter: value },
        };
  return { list, reading, suggestion };
}

const entry = ['status', 'code'];
const TABLES: ExplainedTable[] = [
  {
    collection: 'books',
    table: 'books',
    sizes: {
      rows: 1_234_567,
      bytes: 1_500_000_000,
      parts: new Map(),
      columns: new Set(),
      isAnalyzed: true,
      indexes: [
        { name: 'a', bytes: 734_003, valid: true, scans: 0 },
        { name: 'long', bytes: 36_700_160, valid: false, scans: 12_345 },
        { name: 'c', bytes: 0, valid: true, scans: null },
      ],
    },
    missing: ['d', 'e'],
    note: undefined,
    lists: [
      explained('status', 'on sale', 12_345, { suggestion: { entry } }),
      explained('open', 't', 9_999, { suggestion: { reason: 'because' }, own: true }),
      explained('status', 'draft', 5_001, { suggestion: { entry } }),
      explained('code', 'Secret', 4_999),
      explained(undefined, undefined, 21),
      explained('open', undefined, undefined),
    ],
  },
  {
    collection: 'pens',
    table: 'pens',
    sizes: undefined,
    missing: [],
    note: 'not there',
    lists: [],
  },
];

test('as text: sizes, the lists that walk by what helps, and how many others there are', () => {
  expect(databaseTable(model.service, TABLES)).toBe(`Shop: /api/v1

Rows are estimates of PostgreSQL. No list was executed.

books: about 1,234,567 rows, 1,431 MB
  INDEX  SIZE    USED
  a      0.7 MB  never
  long   35 MB   12,345
  c      0.0 MB  -
  Not in the database: d and e. Run npm run migrate.
  Not complete, and not used: long. Run reindex index, or migrate again.
  Lists that read more than 5,000 rows for a page:
    GET /books?status=on%20sale&sort=code
      reads about 12,345 rows, by a and b, and sorts them
    GET /books?status=draft&sort=code
      reads about 5,001 rows, by a and b, and sorts them
      Add to indexes: [status, code]
    GET /books?open=true&sort=code
      the items of a caller: reads about 9,999 rows, by a and b, and sorts them
      No entry of indexes helps: because.
  2 other lists read at most 4,999 rows.
  1 of them walks an index until a page is full, and would read more if matches came late in it:
    GET /books?code=…&sort=code
  1 list not measured: the table has no value to ask for.

pens
  Not there.
`);
});

test('as a document: all lists', () => {
  const document = JSON.parse(JSON.stringify(databaseDocument(model, TABLES, []))) as object;
  expect(document).toMatchObject({
    ok: true,
    service: { name: 'shop', version: 1 },
    mostRowsRead: 5_000,
    collections: [
      {
        collection: 'books',
        rows: 1_234_567,
        missingIndexes: ['d', 'e'],
        lists: [
          {
            request: '/books?status=on%20sale&sort=code',
            rowsRead: 12_345,
            overLimit: true,
            entry,
          },
          { own: true, overLimit: true, entry: null, reason: 'because' },
          { request: '/books?status=draft&sort=code' },
          { request: '/books?code=…&sort=code', overLimit: false, entry: null, reason: null },
          { request: '/books?sort=code', rowsRead: 21 },
          { request: '/books?open=…&sort=code', rowsRead: null, indexesUsed: [] },
        ],
      },
      { collection: 'pens', rows: null, bytes: null, indexes: [], note: 'not there', lists: [] },
    ],
  });
});
