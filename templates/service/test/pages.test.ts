/** Pages that are limited in bytes (PAGE_BYTES). */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { Database } from '../src/platform/database/database.ts';
import { readPage } from '../src/platform/database/pages.ts';
import type { ListTable } from '../src/platform/database/pages.ts';
import type { KeysetPosition } from '../src/platform/http/cursor.ts';
import type { ListRequest } from '../src/platform/http/list.ts';
import { createUser } from './support/items/users.ts';
import { readForthAndBack } from './support/lists.ts';
import { sharedService, TestService } from './support/service.ts';
import type { Item } from './support/service.ts';

const service = await sharedService();

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** The same service with another PAGE_BYTES. */
async function withPageBytes(bytes: number): Promise<TestService> {
  const environment = { LOG_LEVEL: 'silent', RATE_LIMIT: '0', PAGE_BYTES: String(bytes) };
  const app = await buildApp(readConfig(environment), service.database);
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return new TestService(app, service.database, service.credential);
}

test('ends a page at PAGE_BYTES, with one item at least', async () => {
  for (let n = 0; n < 2; n++) await createUser(service);
  const { body: items } = await service.get<Item[]>('/users');
  const ids = items.map(({ id }) => id);
  expect(ids).toHaveLength(3);
  const bytes = Buffer.byteLength(JSON.stringify(items.slice(0, 2)));
  for (const [most, length] of [
    [bytes, 2],
    [bytes - 1, 1],
    [1, 1],
  ] as const) {
    const narrow = await withPageBytes(most);
    expect((await narrow.get('/users')).body).toEqual(items.slice(0, length));
    const all = await readForthAndBack(narrow, '/users');
    expect(all).toEqual({ forth: ids, back: ids });
  }
  const narrow = await withPageBytes(bytes - 1);
  const some = await narrow.get('/users?fields=id');
  expect(some.body).toEqual(ids.map((id) => ({ id })));
});

describe.each<[string, Pick<ListTable, 'largest' | 'unbounded'>]>([
  ['is measured row by row', {}],
  ['has bounds for other members', { largest: 100, unbounded: ['title', 'body', 'meta'] }],
])('a table with long texts that %s', (_name, bounds) => {
  const TABLE: ListTable = {
    ...bounds,
    name: '"long_texts"',
    members: {
      id: '"long_texts"."id"',
      title: '"long_texts"."title"',
      body: '"long_texts"."body"',
      meta: '"long_texts"."meta"',
      // Selecting it fails.
      failing: '1 / (length("long_texts"."title") - length("long_texts"."title"))',
    },
    columns: {
      title: {
        name: '"long_texts"."title"',
        type: 'text',
        order: (value) => [`left(${value}, 200)`],
      },
    },
  };
  const REQUEST: ListRequest = {
    path: 'long-texts',
    limit: 100,
    position: undefined,
    sort: [{ member: 'title', descending: true }],
    filters: [],
    words: [],
    members: ['id', 'title', 'body'],
    bytes: 500_000,
    count: false,
    identity: '',
  };
  /** Each takes more bytes in JSON than in the database, for a different reason. */
  const BODIES = [
    '',
    'x'.repeat(300),
    '"\\'.repeat(200),
    '\u0001'.repeat(150),
    '𝄞é'.repeat(90),
    null,
  ];
  const INSERT = 'insert into "long_texts" values ($1, $2, $3, $4)';

  /** The maximum size of the rows of one statement, in bytes. */
  let received = 0;
  const database: Database = {
    ...service.database,
    async query<Row>(...asked: Parameters<Database['query']>) {
      const rows = await service.database.query<Row>(...asked);
      received = Math.max(received, Buffer.byteLength(JSON.stringify(rows)));
      return rows;
    },
  };

  /** All pages, read forwards and then backwards. */
  async function pagesOf(asked: ListRequest): Promise<{ forth: Item[][]; back: Item[][] }> {
    const forth: Item[][] = [];
    const back: Item[][] = [];
    let position: KeysetPosition | undefined;
    let last: KeysetPosition | undefined;
    do {
      const page = await readPage<Item>(database, TABLE, { ...asked, position }, []);
      forth.push([...page.items]);
      [position, last] = [page.next, page.previous];
    } while (position !== undefined);
    for (position = last; position !== undefined;) {
      const page = await readPage<Item>(database, TABLE, { ...asked, position }, []);
      back.unshift([...page.items]);
      position = page.previous;
    }
    return { forth, back };
  }

  beforeAll(() =>
    service.database.query({
      text: `create table "long_texts" ("id" uuid, "title" text collate "C", "body" text,
        "meta" jsonb)`,
    }),
  );
  beforeEach(async () => {
    await service.database.query({ text: 'delete from "long_texts"' });
    received = 0;
  });
  afterAll(() => service.database.query({ text: 'drop table "long_texts"' }));

  test('fills a page by bytes, and reads no more rows than that', async () => {
    for (let n = 0; n < 10; n++) {
      const values = [idOf(n), 'same', 'x'.repeat(120_000), null];
      await service.database.query({ text: INSERT }, values);
    }
    const { forth, back } = await pagesOf(REQUEST);
    expect(forth.map(({ length }) => length)).toEqual([4, 4, 2]);
    expect(back.map(({ length }) => length)).toEqual([4, 4]);
    expect(received).toBeLessThan(REQUEST.bytes + 1_000);
    const falling = Array.from({ length: 10 }, (_one, at) => idOf(9 - at));
    expect(forth.flat().map(({ id }) => id)).toEqual(falling);
    expect(back.flat().map(({ id }) => id)).toEqual(falling.slice(0, 8));
  });

  test.each([1, 700, 2_000, 10_000, 20_000, 60_000])(
    'a page of %i bytes has all items that fit',
    async (bytes) => {
      const rows = Array.from({ length: 24 }, (_one, n) => ({
        id: idOf(n),
        title: `title ${n % 3}`,
        body: BODIES[(n * 5) % BODIES.length] ?? null,
      }));
      for (const row of rows) {
        await service.database.query({ text: INSERT }, [...Object.values(row), null]);
      }
      const sorted = rows.toSorted((one, other) =>
        `${one.title} ${one.id}` < `${other.title} ${other.id}` ? 1 : -1,
      );
      const fits = (some: object[]): boolean => Buffer.byteLength(JSON.stringify(some)) <= bytes;
      const expected: object[][] = [];
      for (const row of sorted) {
        const page = expected.at(-1);
        if (page !== undefined && fits([...page, row])) page.push(row);
        else expected.push([row]);
      }
      const { forth, back } = await pagesOf({ ...REQUEST, bytes });
      expect(forth).toEqual(expected);
      expect(back.flat()).toEqual(expected.slice(0, -1).flat());
    },
  );

  test('goes on after a long text that is cut between characters of two code units', async () => {
    const ids = Array.from({ length: 5 }, (_one, n) => idOf(n));
    for (const id of ids) {
      await service.database.query({ text: INSERT }, [id, `a${'😀'.repeat(200)}`, null, null]);
    }
    const first = await readPage<Item>(database, TABLE, { ...REQUEST, limit: 2 }, []);
    const second = await readPage<Item>(database, TABLE, { ...REQUEST, position: first.next }, []);
    const items = [...first.items, ...second.items];
    expect(items.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test('counts JSON values by their text in the database', async () => {
    // PostgreSQL stores 1e300 with 301 digits.
    const meta = JSON.stringify(Array.from({ length: 500 }, () => 1e300));
    for (let n = 0; n < 5; n++) {
      await service.database.query({ text: INSERT }, [idOf(n), 'one', null, meta]);
    }
    const { forth } = await pagesOf({ ...REQUEST, members: ['id', 'meta'], bytes: 400_000 });
    expect(forth.map(({ length }) => length)).toEqual([2, 2, 1]);
  });

  test('reads no large value of a row after the page is full', async () => {
    // Random, so that PostgreSQL does not compress it.
    const random = `select jsonb_agg(md5("n"::text || "row")) from generate_series(1, 2000) as "n"`;
    const text = `insert into "long_texts" select gen_random_uuid(), 'one', null, (${random}) from generate_series(1, 20) as "row"`;
    await service.database.query({ text });
    const [size] = await service.database.query<{ blocks: number }>({
      text: `select pg_total_relation_size('"long_texts"') / 8192 as "blocks"`,
    });
    let read = 0;
    const explaining: Database = {
      ...service.database,
      async query<Row>(...[statement, values]: Parameters<Database['query']>) {
        const explained = `explain (analyze, buffers, format json) ${statement.text}`;
        const [row] = await service.database.query<{
          'QUERY PLAN': [{ Plan: Record<string, number> }];
        }>({ text: explained }, values);
        const { Plan: plan = {} } = row?.['QUERY PLAN'][0] ?? {};
        read += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
        return service.database.query<Row>(statement, values);
      },
    };
    const asked = { ...REQUEST, members: ['id', 'meta'], bytes: 200_000 };
    expect((await readPage<Item>(explaining, TABLE, asked, [])).items).toHaveLength(2);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan((size?.blocks ?? 0) / 2);
  });

  test('selects only the requested members', async () => {
    await service.database.query({ text: INSERT }, [idOf(1), 'one', 'two', null]);
    const { items } = await readPage<Item>(database, TABLE, { ...REQUEST, members: ['id'] }, []);
    // The title is selected for the cursor.
    expect(items).toEqual([{ id: idOf(1), title: 'one' }]);
    const failing = { ...REQUEST, members: ['failing'] };
    await expect(readPage<Item>(database, TABLE, failing, [])).rejects.toThrow('division by zero');
  });
});
