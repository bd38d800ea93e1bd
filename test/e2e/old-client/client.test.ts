/**
 * The tests of a client that knows version 1 of the shop of docs/versions.md, and nothing since:
 * `v1.d.ts` was generated from the document of that version. Neither file changes when a service does.
 * (They changed once, when documents of 0.2.0 began to describe `sort` as the array that it is.)
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { before, test } from 'node:test';

import createClient from 'openapi-fetch';

import type { components, paths } from './v1.js';

type Book = components['schemas']['Book'];

const { SERVICE: baseUrl = '', AUTHORIZATION: authorization = '' } = process.env;
const client = createClient<paths>({ baseUrl, headers: { authorization } });

/** All that an answer of version 1 has. */
const MEMBERS = ['author_id', 'cost', 'created_at', 'id', 'note', 'status', 'title', 'updated_at'];

let authorId = '';
const books: Book[] = [];

before(async () => {
  const { data, response } = await client.POST('/api/v1/authors', {
    body: { name: 'Octavia E. Butler' },
  });
  equal(response.status, 201);
  ok(data);
  authorId = data.id;
  for (const cost of [1250, 900, 2000]) {
    const made = await client.POST('/api/v1/books', {
      body: { title: `Kindred for ${cost}`, cost, note: 'Signed', author_id: authorId },
    });
    equal(made.response.status, 201);
    ok(made.data);
    books.push(made.data);
  }
});

const idOf = (index: number): string => books[index]?.id ?? '';
const paramsOf = (index: number) => ({ path: { id: idOf(index) } });

test('what was sent is what is answered, and all of it has a name that the client knows', async () => {
  const { data } = await client.GET('/api/v1/books/{id}', { params: paramsOf(0) });
  ok(data);
  deepEqual(Object.keys(data).toSorted(), MEMBERS);
  deepEqual(
    [data.title, data.cost, data.note, data.status, data.author_id],
    ['Kindred for 1250', 1250, 'Signed', 'draft', authorId],
  );
});

test('all items, whoever made them, are of the shape that the client knows', async () => {
  let cursor: string | undefined;
  let seen = 0;
  do {
    const { data = [], response } = await client.GET('/api/v1/books', {
      params: { query: { limit: 2, sort: ['-cost'], cursor } },
    });
    for (const book of data) {
      deepEqual(Object.keys(book).toSorted(), MEMBERS);
      ok(['draft', 'published'].includes(String(book.status)), book.status);
    }
    seen += data.length;
    const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    if (next !== undefined) match(next, /^\/api\/v1\/books\?/);
    cursor = next && (new URL(next, baseUrl).searchParams.get('cursor') ?? undefined);
  } while (cursor !== undefined);
  ok(seen >= books.length);
});

test('lists are sorted, filtered, searched and cut by the old names', async () => {
  const path = { id: authorId };
  const of = async (query: object): Promise<readonly unknown[]> => {
    const { data, response } = await client.GET('/api/v1/authors/{id}/books', {
      params: { path, query },
    });
    equal(response.status, 200);
    return data ?? [];
  };
  const costs = async (query: object): Promise<readonly unknown[]> =>
    (await of(query)).map((book) => (book as Book).cost);
  deepEqual(await costs({ sort: 'cost' }), [900, 1250, 2000]);
  deepEqual(await costs({ sort: '-cost', 'cost[gte]': 1250 }), [2000, 1250]);
  deepEqual(await costs({ status: 'published' }), []);
  deepEqual(await costs({ q: 'kindred 900' }), [900]);
  deepEqual(await of({ sort: 'cost', fields: 'cost', limit: 1 }), [{ id: idOf(1), cost: 900 }]);
});

test('an item is changed, replaced and kept from a change that came between', async () => {
  const params = paramsOf(1);
  const changed = await client.PATCH('/api/v1/books/{id}', {
    params,
    body: { status: 'published' },
  });
  equal(changed.data?.status, 'published');
  const tag = changed.response.headers.get('etag') ?? '';
  const replaced = await client.PUT('/api/v1/books/{id}', {
    params: { ...params, header: { 'If-Match': tag } },
    body: { title: 'Kindred', cost: 950, author_id: authorId },
  });
  deepEqual(
    [replaced.response.status, replaced.data?.cost, replaced.data?.note, replaced.data?.status],
    [200, 950, null, 'draft'],
  );
  const late = await client.PATCH('/api/v1/books/{id}', {
    params: { ...params, header: { 'If-Match': tag } },
    body: { cost: 1 },
  });
  equal(late.response.status, 412);
});

test('what is wrong is told by the names that the client used', async () => {
  const { response, error } = await client.POST('/api/v1/books', {
    body: { title: 'Kindred', cost: -1, author_id: authorId },
  });
  equal(response.status, 422);
  match(error?.message ?? '', /^cost /);
});

test('an item is removed for good', async () => {
  const params = paramsOf(2);
  equal((await client.DELETE('/api/v1/books/{id}', { params })).response.status, 204);
  equal((await client.GET('/api/v1/books/{id}', { params })).response.status, 410);
});
