/** Services that answer a table otherwise than it is, and one that answers it as it is. */
import { beforeEach, describe, expect, test } from 'vitest';

import { parseSingleFile } from '../../../src/definition/index.ts';
import { buildModel } from '../../../src/model/build.ts';
import type { Collection } from '../../../src/model/types.ts';
import type { ReadService, ServiceResponse } from '../../../src/verification/service-client.ts';
import { verifyTable } from '../../../src/verification/verify-table.ts';
import type { VerifiedTable } from '../../../src/verification/verify-table.ts';
import { emptyDatabase } from '../../support/pglite.ts';

type Item = Readonly<Record<string, unknown>>;

const database = await emptyDatabase();

const session = {
  query: async <Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    (await database.query<Row>(text, [...values])).rows,
};

async function collectionOf(definition: string, name = 'films'): Promise<Collection> {
  const parsed = await parseSingleFile(
    {
      path: 'shop.yaml',
      bytes: new TextEncoder().encode(`name: shop\nschema: service\ncollections:\n${definition}`),
    },
    { fallbackName: 'shop' },
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const collection = buildModel(parsed.service).collections.find(
    ({ definition: { name: own } }) => own === name,
  );
  if (collection === undefined) throw new Error(`there is no collection ${name}`);
  return collection;
}

/** Verifies a collection with a service that answers by these functions. */
async function verifyWith(
  collection: Collection,
  read: ReadService,
): Promise<VerifiedTable & { readonly progress: readonly number[] }> {
  const progress: number[] = [];
  const { signal } = new AbortController();
  const onProgress = (rows: number): void => void progress.push(rows);
  return { ...(await verifyTable(collection, { session, read, signal, onProgress })), progress };
}

const FILMS = await collectionOf(`
  films:
    table: film
    key: { type: integer, column: id }
    history: {}
    pages: { default: 2, maximum: 3 }
    sort: [title, rating]
    fields:
      title: { type: string, max_length: 300, column: order }
      rating: { type: enum, values: [PG, G] }
      secret: { type: string, write_only: true }
`);

const ROWS: readonly Item[] = [
  { id: '2', title: 'b', rating: 'G' },
  { id: '9', title: 'B', rating: null },
  { id: '10', title: null, rating: 'PG' },
  { id: '11', title: 'ä', rating: 'G' },
  { id: '12', title: 'b', rating: 'PG' },
  { id: '100', title: 'a', rating: 'G' },
  { id: '101', title: '', rating: null },
];

/** The ids in the order of each list, by hand. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  '': ['2', '9', '10', '11', '12', '100', '101'],
  title: ['101', '9', '100', '2', '12', '11', '10'],
  '-title': ['10', '11', '12', '2', '100', '9', '101'],
  rating: ['10', '12', '2', '11', '100', '9', '101'],
  '-rating': ['101', '9', '100', '11', '2', '12', '10'],
};

beforeEach(async () => {
  await database.exec(`
    drop table if exists "film";
    create table "film" ("id" integer primary key, "order" varchar(300), "rating" text, "secret" text);
    insert into "film" values (2, 'b', 'G', 'x'), (9, 'B', null, 'x'), (10, null, 'PG', 'x'), (11, 'ä', 'G', 'x'),
      (12, 'b', 'PG', 'x'), (100, 'a', 'G', 'x'), (101, '', null, 'x');
  `);
});

const ok = (body: unknown, next?: string): ServiceResponse => ({
  status: 200,
  outcome: 'answers 200',
  body,
  next,
});
const status = (of: number): ServiceResponse => ({
  status: of,
  outcome: `answers ${of}`,
  body: undefined,
  next: undefined,
});

interface Faults {
  /** The items of a list in its order. */
  readonly list?: (items: readonly Item[], sort: string) => readonly Item[];
  readonly item?: (id: string) => ServiceResponse | undefined;
  /** The answer of a page. @param number from 0. */
  readonly page?: (answer: ServiceResponse, number: number, sort: string) => ServiceResponse;
}

/** A service of films, with faults. */
function serve({ list = (items) => items, item, page = (answer) => answer }: Faults = {}) {
  const requests: string[] = [];
  const read: ReadService = async (path) => {
    requests.push(path);
    const [, id] = /^films\/(.*)$/.exec(path) ?? [];
    if (id !== undefined) {
      const found = ROWS.find((one) => one['id'] === id);
      return Promise.resolve(item?.(id) ?? (found === undefined ? status(404) : ok(found)));
    }
    const { searchParams: query } = new URL(path, 'http://service');
    const [limit, at, sort] = [
      Number(query.get('limit')),
      Number(query.get('cursor')),
      query.get('sort') ?? '',
    ];
    const ordered = (ORDERS[sort] ?? []).map((one) => ROWS.find((row) => row['id'] === one) ?? {});
    const all = list(ordered, sort);
    const end = at + limit;
    const more = sort === '' ? '' : `&sort=${sort}`;
    const next = end < all.length ? `/api/v1/films?limit=${limit}&cursor=${end}${more}` : undefined;
    return Promise.resolve(page(ok(all.slice(at, end), next), at / limit, sort));
  };
  return { read, requests };
}

const OUT_OF_ORDER =
  'GET films?limit=3 is not in the order of ids, or has an item twice: the items from there on are read one by one';
const NO_ROW = 'is in the list, but the table has no such row';

const byId = (sort: string): boolean => sort === '';

test('a service that answers each row as it is has no problem', async () => {
  const { read, requests } = serve();
  expect(await verifyWith(FILMS, read)).toEqual({
    collection: 'films',
    table: '"public"."film"',
    rows: 7,
    different: 0,
    notShown: 0,
    removed: 0,
    changing: 0,
    problems: [],
    problemCount: 0,
    progress: [3, 6, 7],
  });
  // Each list by its pages, of the largest size, and one item of each page by its own address.
  expect(requests).toHaveLength(5 * 3 + 3);
  expect(requests.slice(0, 2)).toEqual(['films?limit=3', 'films/2']);
});

test('rows that soft_delete passes over are counted', async () => {
  const marked = await collectionOf(`
  films:
    table: film
    key: { type: integer, column: id }
    history: {}
    soft_delete: { column: gone }
    fields: { title: { type: string, max_length: 300, column: order } }
`);
  await database.exec(
    'alter table "film" add "gone" timestamptz; update "film" set "gone" = now() where "id" > 9',
  );
  const list = (items: readonly Item[]) => items.slice(0, 2);
  expect(await verifyWith(marked, serve({ list }).read)).toMatchObject({
    rows: 2,
    removed: 5,
    problemCount: 0,
  });
});

describe('finds', () => {
  test.each<[string, Faults, Partial<VerifiedTable>]>([
    [
      'another value',
      {
        list: (items) =>
          items.map((one) => (one['id'] === '9' ? { ...one, title: 'C', rating: undefined } : one)),
      },
      {
        rows: 7,
        different: 1,
        problems: [
          { id: '9', message: 'title is "C", and "B" in the table' },
          { id: '9', message: 'rating is absent, and null in the table' },
        ],
      },
    ],
    [
      'a member that is missing',
      { list: (items) => items.map(({ id, rating }) => ({ id, rating })) },
      {
        rows: 7,
        different: 7,
        problemCount: 7,
        problems: ROWS.map(({ id }) => ({ id: String(id), message: 'title is missing' })),
      },
    ],
    [
      'a member that is write-only',
      {
        list: (items) => items.map((one) => (one['id'] === '9' ? { ...one, secret: 'x' } : one)),
      },
      {
        rows: 7,
        different: 1,
        problems: [{ id: '9', message: 'secret is shown, and is write-only' }],
      },
    ],
    [
      'a row that is nowhere',
      {
        list: (items) => items.filter(({ id }) => id !== '12'),
        item: (id) => (id === '12' ? status(410) : undefined),
      },
      {
        rows: 6,
        notShown: 1,
        problems: [
          { id: '12', message: 'is not in the list, and GET films/12 answers 410' },
          { message: 'with sort=title, item 5 is "11", and row 5 is "12"' },
          { message: 'with sort=-title, item 3 is "2", and row 3 is "12"' },
          { message: 'with sort=rating, item 2 is "2", and row 2 is "12"' },
          { message: 'with sort=-rating, item 6 is "10", and row 6 is "12"' },
        ],
      },
    ],
    [
      'the last rows that a list leaves out',
      { list: (items, sort) => (byId(sort) ? items.slice(0, 5) : items) },
      {
        rows: 5,
        notShown: 2,
        problems: [
          { id: '100', message: 'is not in the list, and GET films/100 answers 200' },
          { id: '101', message: 'is not in the list, and GET films/101 answers 200' },
        ],
      },
    ],
    [
      'a list without any of the rows',
      { list: (items, sort) => (byId(sort) ? [] : items) },
      { rows: 0, notShown: 7, problemCount: 7 },
    ],
    [
      'an item that is no row',
      {
        list: (items, sort) =>
          byId(sort) ? [...items.slice(0, 2), { id: '7', title: 'x' }, ...items.slice(2)] : items,
      },
      {
        rows: 7,
        different: 1,
        problems: [{ id: '7', message: NO_ROW }],
      },
    ],
    [
      'an item twice',
      {
        list: (items, sort) => (byId(sort) ? [...items.slice(0, 2), ...items.slice(1)] : items),
      },
      { rows: 7, problems: [{ message: OUT_OF_ORDER }] },
    ],
    [
      'items in another order',
      { list: (items, sort) => (byId(sort) ? items.toReversed() : items) },
      { rows: 7, problems: [{ message: OUT_OF_ORDER }] },
    ],
    [
      'sorted items in another order',
      {
        list: ([first, second, ...items], sort) =>
          [...(sort === 'rating' ? [second, first] : [first, second]), ...items].map(
            (one) => one ?? {},
          ),
      },
      {
        rows: 7,
        problems: [{ message: 'with sort=rating, item 1 is "12", and row 1 is "10"' }],
      },
    ],
    [
      'another item at its own address',
      { item: (id) => (id === '11' ? ok({ ...ROWS[3], title: 'Ä' }) : undefined) },
      {
        rows: 7,
        different: 1,
        problems: [{ id: '11', message: 'GET films/11: title is "Ä", and "ä" in the table' }],
      },
    ],
    [
      'no item at its own address',
      { item: (id) => (id === '11' ? status(500) : undefined) },
      { rows: 7, different: 1, problems: [{ id: '11', message: 'GET films/11 answers 500' }] },
    ],
    [
      'a page that fails, and reads the rest one by one',
      {
        page: (answer, number, sort) => (byId(sort) && number === 1 ? status(500) : answer),
        item: (id) => (id === '12' ? status(500) : undefined),
      },
      {
        rows: 6,
        notShown: 1,
        problems: [
          {
            message:
              'GET /api/v1/films?limit=3&cursor=3 answers 500: the items from there on are read one by one',
          },
          { id: '12', message: 'GET films/12 answers 500' },
        ],
      },
    ],
    [
      'a list that leads in a circle',
      {
        page: (answer, _number, sort) =>
          byId(sort) ? ok(ROWS.slice(0, 3), '/api/v1/films?limit=3&cursor=0') : answer,
      },
      {
        rows: 7,
        problems: [
          {
            message:
              'GET /api/v1/films?limit=3&cursor=0 has items of pages before it: the items from there on are read one by one',
          },
        ],
      },
    ],
    [
      'ids of another type',
      {
        page: (answer, _number, sort) =>
          byId(sort) ? ok([{ id: 2, title: 'b', rating: 'G' }]) : answer,
      },
      {
        rows: 7,
        problems: [
          {
            message:
              'GET films?limit=3 has an item whose id is not a valid integer: the items from there on are read one by one',
          },
        ],
      },
    ],
    [
      'ids that are too large',
      {
        page: (answer, _number, sort) =>
          byId(sort) ? ok([{ id: '2147483648', title: 'b', rating: 'G' }]) : answer,
      },
      { rows: 7, problemCount: 1 },
    ],
    [
      'items that are none',
      { page: (answer, _number, sort) => (byId(sort) ? ok([null, 'x']) : answer) },
      { rows: 7, problemCount: 1 },
    ],
    [
      'a page without items that leads on',
      {
        page: (answer, number, sort) =>
          byId(sort) && number === 1 ? ok([], '/api/v1/films?limit=3&cursor=6') : answer,
      },
      {
        rows: 7,
        problems: [
          {
            message:
              'GET /api/v1/films?limit=3&cursor=3 has no row of the table: the items from there on are read one by one',
          },
        ],
      },
    ],
    [
      'a first page without items that leads on',
      {
        page: (answer, number, sort) => (byId(sort) && number === 0 ? ok([], answer.next) : answer),
      },
      {
        rows: 7,
        problems: [
          {
            message:
              'GET films?limit=3 has no row of the table: the items from there on are read one by one',
          },
        ],
      },
    ],
    [
      'a sorted list that leads on without items',
      {
        page: (answer, _number, sort) =>
          sort === 'title' ? ok([], '/api/v1/films?limit=3&sort=title') : answer,
      },
      {
        rows: 7,
        problems: [
          { message: 'GET films?limit=3&sort=title has no items, and a link to the next page' },
        ],
      },
    ],
    [
      'a sorted list with an item more that has no id',
      { list: (items, sort) => (sort === 'title' ? [...items, {}] : items) },
      {
        rows: 7,
        problems: [{ message: 'with sort=title, item 8 is absent, and row 8 is absent' }],
      },
    ],
    [
      'what is no item at its own address',
      { item: (id) => (id === '11' ? ok(null) : undefined) },
      {
        rows: 7,
        different: 1,
        problems: [{ id: '11', message: 'GET films/11 answers 200 without an object' }],
      },
    ],
    [
      'what is no list',
      { page: (answer, _number, sort) => (byId(sort) ? ok({ items: [] }) : answer) },
      { rows: 7, problemCount: 1 },
    ],
    [
      'a sorted list that ends early',
      { page: (answer, _number, sort) => (sort === 'rating' ? ok(answer.body) : answer) },
      {
        rows: 7,
        problems: [{ message: 'with sort=rating, the list ends after 3 items' }],
      },
    ],
    [
      'a sorted list that fails',
      { page: (answer, _number, sort) => (sort === '-title' ? status(503) : answer) },
      {
        rows: 7,
        problems: [{ message: 'GET films?limit=3&sort=-title answers 503' }],
      },
    ],
    [
      'a list with an error status',
      {
        page: (answer, _number, sort) =>
          sort === 'title' ? { ...answer, ...status(500), body: answer.body } : answer,
      },
      { rows: 7, problems: [{ message: 'GET films?limit=3&sort=title answers 500' }] },
    ],
    [
      'a sorted list with an item more',
      {
        list: (items, sort) => (sort === 'title' ? [...items, { id: '7' }] : items),
      },
      {
        rows: 7,
        problems: [{ message: 'with sort=title, item 8 is "7", and row 8 is absent' }],
      },
    ],
  ])('%s', async (_what, faults, expected) => {
    const result = await verifyWith(FILMS, serve(faults).read);
    expect(result).toMatchObject({ different: 0, notShown: 0, ...expected });
    expect(result.problemCount).toBeGreaterThan(0);
  });
});

test('a difference counts if a second comparison confirms it', async () => {
  let isFirst = true;
  const { read } = serve({
    page(answer, number, sort) {
      const isStale = isFirst && number === 1 && byId(sort);
      if (isStale) isFirst = false;
      return isStale ? ok((answer.body as Item[]).slice(1), answer.next) : answer;
    },
  });
  expect(await verifyWith(FILMS, read)).toMatchObject({ rows: 7, notShown: 0, problemCount: 0 });
  expect(isFirst).toBe(false);
});

test('of many problems the first are kept', async () => {
  await database.exec(
    `insert into "film" ("id", "rating") select i, 'G' from generate_series(1000, 3500) as i`,
  );
  const { read, requests } = serve();
  const result = await verifyWith(FILMS, read);
  expect(result).toMatchObject({ rows: 7, notShown: 2501, different: 0 });
  expect(result.problems).toHaveLength(10);
  // Beside those rows, one of each sorted list.
  expect(result.problemCount).toBe(2501 + 4);
  expect(requests.filter((path) => path.startsWith('films/')).length).toBeLessThan(50);
});

test('members that only the service has are of no account', async () => {
  const list = (items: readonly Item[]) => items.map((one) => ({ ...one, reviews_count: 5 }));
  expect(await verifyWith(FILMS, serve({ list }).read)).toMatchObject({ rows: 7, problemCount: 0 });
});

describe('changes by others are no problem', () => {
  const ALL_BUT_ORDER = { ...FILMS, definition: { ...FILMS.definition, sort: [] } };

  /** Reads from a service, and changes the table before or after each response of this path. */
  const changing = (
    path: RegExp,
    sql: string,
    isBefore = false,
    faults: Faults = {},
  ): { read: ReadService; count: () => number } => {
    const { read } = serve(faults);
    let count = 0;
    const change = async (): Promise<void> => {
      count++;
      await database.exec(sql);
    };
    return {
      read: async (at) => {
        if (isBefore && path.test(at)) await change();
        const response = await read(at);
        if (!isBefore && path.test(at)) await change();
        return response;
      },
      count: () => count,
    };
  };

  const CHANGE_9 = `update "film" set "order" = "order" || '.' where "id" = 9`;

  test.each([
    ['a row that changes after each response', CHANGE_9, 1],
    [
      'a row that comes and goes',
      `with "gone" as (delete from "film" where "id" = 5 returning 1)
        insert into "film" ("id") select 5 where not exists (select from "gone")`,
      0,
    ],
  ])('%s', async (_what, sql, always) => {
    const { read, count } = changing(/\?limit=3$/, sql);
    const result = await verifyWith(ALL_BUT_ORDER, read);
    expect(result).toMatchObject({ different: 0, notShown: 0, changing: always, problemCount: 0 });
    expect(count()).toBeGreaterThan(1);
  });

  test('until they end: then a difference is told', async () => {
    const { read } = changing(
      /\?limit=3$/,
      `update "film" set "order" = "order" || '.' where "id" = 9 and length("order") < 3`,
    );
    expect(await verifyWith(ALL_BUT_ORDER, read)).toMatchObject({
      rows: 7,
      different: 1,
      changing: 0,
      problems: [{ id: '9', message: 'title is "B", and "B.." in the table' }],
    });
  });

  test('an item whose row changes before each response', async () => {
    const { read, count } = changing(
      /^films\/2$/,
      `update "film" set "order" = "order" || '.' where "id" = 2`,
      true,
      { item: (id) => (id === '2' ? ok({ ...ROWS[0], title: 'another' }) : undefined) },
    );
    const result = await verifyWith(ALL_BUT_ORDER, read);
    expect(result).toMatchObject({ rows: 7, different: 0, changing: 1, problemCount: 0 });
    expect(count()).toBeGreaterThan(5);
  });

  test('an item that is removed before it is read by itself', async () => {
    const sql = 'delete from "film" where "id" = 12';
    const { read } = changing(/^films\/12$/, sql, true, {
      page: (response, _number, sort) => (sort === '' ? status(500) : response),
      item: (id) => (id === '12' ? status(410) : undefined),
    });
    expect(await verifyWith(ALL_BUT_ORDER, read)).toMatchObject({
      rows: 6,
      notShown: 0,
      changing: 1,
      problemCount: 1,
    });
  });

  test('an item that changes just before it is read by itself', async () => {
    const { read } = changing(
      /^films\/12$/,
      `update "film" set "order" = 'new' where "id" = 12 and "order" <> 'new'`,
      true,
      {
        page: (response, _number, sort) => (sort === '' ? status(500) : response),
        item: (id) => (id === '12' ? ok({ ...ROWS[4], title: 'new' }) : undefined),
      },
    );
    const result = await verifyWith(ALL_BUT_ORDER, read);
    expect(result).toMatchObject({ rows: 7, different: 0, problemCount: 1 });
  });

  test.each([
    ['another order once', `update "film" set "rating" = 'PG' where "id" = 10`, 0],
    [
      'another order after each response',
      `update "film" set "rating" = case "rating" when 'G' then null else 'G' end where "id" = 10`,
      1,
    ],
  ])('%s', async (_what, sql, always) => {
    await database.exec(`update "film" set "rating" = 'G' where "id" = 10`);
    const { read, count } = changing(/sort=rating$/, sql);
    const films = { ...FILMS, definition: { ...FILMS.definition, sort: ['rating'] } };
    const { problems, changing: prevented } = await verifyWith(films, read);
    expect(problems.filter(({ message }) => message.includes('sort=rating'))).toEqual([]);
    expect(prevented).toBe(always);
    expect(count()).toBeGreaterThan(1);
  });
});

test('after a hundred items that cannot be read, the others are not asked for', async () => {
  await database.exec(`insert into "film" ("id") select i from generate_series(1000, 2199) as i`);
  const { read, requests } = serve({
    page: (response, _number, sort) => (sort === '' ? status(500) : response),
  });
  const films = { ...FILMS, definition: { ...FILMS.definition, sort: [] } };
  const { problemCount, ...result } = await verifyWith(films, read);
  expect(result).toMatchObject({ rows: 7, notShown: 1200, different: 0 });
  expect(requests.filter((path) => path.startsWith('films/'))).toHaveLength(107);
  // The list, each of these items, and that the others are not read.
  expect(problemCount).toBe(1 + 100 + 1);
});

test('a table whose rows cannot be selected is a problem of that table', async () => {
  await database.exec('alter table "film" drop column "rating"');
  expect(await verifyWith(FILMS, serve().read)).toMatchObject({
    rows: 0,
    problems: [{ message: 'its rows cannot be selected: column row.rating does not exist' }],
  });
});

test('references lead to items', async () => {
  await database.exec(`
    drop table if exists "loan";
    create table "loan" ("id" uuid primary key, "film_id" integer);
    insert into "loan" values ('00000000-0000-0000-0000-00000000000a', 11);
  `);
  const loans = await collectionOf(
    `
  loans:
    table: loan
    history: {}
    fields:
      film_id: { type: reference, to: films }
  films:
    table: film
    key: { type: integer, column: id }
    history: {}
    fields: { title: { type: string } }
`,
    'loans',
  );
  const item = { id: '00000000-0000-0000-0000-00000000000a', film_id: '11' };
  const serveLoans =
    (film: ServiceResponse): ReadService =>
    async (path) =>
      Promise.resolve(
        path === 'films/11' ? film : path.startsWith('loans?') ? ok([item]) : ok(item),
      );
  expect(await verifyWith(loans, serveLoans(ok({})))).toMatchObject({ rows: 1, problemCount: 0 });
  expect(await verifyWith(loans, serveLoans(status(404)))).toMatchObject({
    rows: 1,
    different: 1,
    problems: [{ id: item.id, message: 'film_id is 11, and GET films/11 answers 404' }],
  });
});
