/** The endpoints of books. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type {
  BookV1 as Book,
  BookV1Values as BookValues,
} from '../../../src/collections/books/v1.ts';
import { BookV1Computed as BookComputed } from '../../../src/collections/books/v1.ts';
import { allowed, another, changed } from '../../fixtures/v1/books.ts';
import { A_TIME, AN_ID, computedOf, NO_ID } from '../../support/expected.ts';
import { bookBody, createBook } from '../../support/items/v1/books.ts';
import { createWriter } from '../../support/items/v1/writers.ts';
import {
  filtersOf,
  listed,
  readAll,
  readForthAndBack,
  searchesOf,
  sortBy,
} from '../../support/lists.ts';
import type { FilterOptions } from '../../support/lists.ts';
import { startService } from '../../support/service.ts';
import { clearable, limits } from '../../support/values.ts';

const service = (await startService()).in(1);
const API = service.api;
const full = another();

/** What a book has of members that nobody sent. */
const UNSET = {
  ean: null,
  cost: 0,
  stock: null,
  state: 'new',
  tags: null,
  genre: null,
  stars: null,
};

/** A body with all members. */
const fullBook = async () => ({
  ...another(),
  writer_id: (await createWriter(service)).id,
});

describe('books of version 1', () => {
  beforeEach(() => service.clear());

  test('POST creates an item (201)', async () => {
    const body = await fullBook();
    const answer = await service.post<Book>('/books', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(answer.body, BookComputed),
    });
    expect(answer.headers.get('location')).toBe(`${API}/books/${answer.body.id}`);
  });

  test('POST with an Idempotency-Key creates one item when it is repeated', async () => {
    const request = { headers: { 'idempotency-key': 'once' }, body: await fullBook() };
    const first = await service.request<Book>('POST', `${API}/books`, request);
    expect(first).toHaveStatus(201);
    const { headers } = await service.get('/books?count=true');
    const again = await service.request<Book>('POST', `${API}/books`, request);
    expect(again).toHaveStatus(201);
    expect(again.body).toEqual(first.body);
    const after = await service.get('/books?count=true');
    expect(after.headers.get('total-count')).toBe(headers.get('total-count'));
  });

  test('POST fills in defaults', async () => {
    const body = await bookBody(service);
    const item = await service.create<Book>('/books', body);
    expect(item).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(item, BookComputed),
    });
  });

  test('GET returns an item, and HEAD its headers', async () => {
    const item = await createBook(service);
    const answer = await service.get(`/books/${item.id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual(item);
    const upperCase = await service.get(`/books/${item.id.toUpperCase()}`);
    expect(upperCase.body).toEqual(item);
    const head = await service.head(`/books/${item.id}`);
    expect(head).toHaveStatus(200);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
  });

  test('PUT replaces an item, and resets absent members to their default or null', async () => {
    const body = await fullBook();
    const item = await service.create<Book>('/books', body);
    const other = await bookBody(service, { writer_id: body.writer_id });
    const answer = await service.put<Book>(`/books/${item.id}`, other);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      ...UNSET,
      ...other,
      updated_at: A_TIME,
      ...computedOf(answer.body, BookComputed),
    });
    expect(answer.body.updated_at).not.toBe(item.updated_at);
    expect((await service.get(`/books/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(Object.entries(changed()))('PATCH changes %s only', async (member, value) => {
    const item = await service.create<Book>('/books', await fullBook());
    const answer = await service.patch<Book>(`/books/${item.id}`, { [member]: value });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: value,
      updated_at: A_TIME,
      ...computedOf(answer.body, BookComputed),
    });
    expect((await service.get(`/books/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(clearable(['ean', 'stock', 'tags', 'genre'], allowed))(
    'PATCH clears %s with null',
    async (member) => {
      const item = await service.create<Book>('/books', await fullBook());
      const answer = await service.patch<Book>(`/books/${item.id}`, { [member]: null });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({
        ...item,
        [member]: null,
        updated_at: A_TIME,
        ...computedOf(answer.body, BookComputed),
      });
    },
  );

  test('answers If-None-Match with 304, and an outdated If-Match with 412', async () => {
    const body = await bookBody(service);
    const made = await service.post<Book>('/books', body);
    const item = made.body;
    const path = `${API}/books/${item.id}`;
    const first = made.headers.get('etag') ?? '';
    expect(first).toMatch(/^"[^"]+"$/);
    expect((await service.request('GET', path)).headers.get('etag')).toBe(first);
    const has = { headers: { 'if-none-match': first } };
    expect(await service.request('GET', path, has)).toHaveStatus(304);

    const patched = await service.request('PATCH', path, {
      headers: { 'if-match': first },
      body: {},
    });
    expect(patched).toHaveStatus(200);
    const second = patched.headers.get('etag') ?? '';
    expect(second).not.toBe(first);
    const read = await service.request('GET', path, has);
    expect(read.body).toEqual(patched.body);
    expect(read.headers.get('etag')).toBe(second);
    const outdated = { headers: { 'if-match': first }, body };
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect(await service.request(method, path, outdated)).toBeError(412);
    }
    expect((await service.request('GET', path)).body).toEqual(patched.body);

    const current = { headers: { 'if-match': second }, body };
    const replaced = await service.request('PUT', path, current);
    expect(replaced).toHaveStatus(200);
    const third = replaced.headers.get('etag') ?? '';
    expect((await service.request('GET', path)).headers.get('etag')).toBe(third);
    expect(await service.request('DELETE', path, { headers: { 'if-match': third } })).toHaveStatus(
      204,
    );
    expect(await service.request('DELETE', path, { headers: { 'if-match': third } })).toBeError(
      410,
    );
  });

  test('DELETE removes an item (410 afterwards)', async () => {
    const item = await createBook(service);
    const path = `/books/${item.id}`;
    const answer = await service.delete(path);
    expect(answer).toHaveStatus(204);
    expect(answer.body).toBeUndefined();
    expect(await service.get(path)).toBeError(410);
    expect(await service.head(path)).toHaveStatus(410);
    expect(await service.put(path, await bookBody(service))).toBeError(410);
    expect(await service.patch(path, {})).toBeError(410);
    expect(await service.delete(path)).toBeError(410);
    expect(await service.get(`${path}/loans`)).toBeError(410);
    expect(await service.post(`${path}/loans`, {})).toBeError(410);
    expect((await service.get('/books')).body).not.toContainEqual(item);
  });

  test.each([NO_ID, 'no-id'])('answers 404 for the id %s', async (id) => {
    const path = `/books/${id}`;
    expect(await service.get(path)).toBeError(404);
    expect(await service.head(path)).toHaveStatus(404);
    expect(await service.put(path, {})).toBeError(404);
    expect(await service.patch(path, {})).toBeError(404);
    expect(await service.delete(path)).toBeError(404);
    expect(await service.get(`${path}/loans`)).toBeError(404);
    expect(await service.post(`${path}/loans`, {})).toBeError(404);
  });

  test.each(['title', 'writer_id'])('POST requires %s (422)', async (member) => {
    const { [member]: _left, ...body }: Record<string, unknown> = await fullBook();
    expect(await service.post('/books', body)).toBeError(422, member);
  });

  test('PUT requires the same members (422)', async () => {
    const item = await createBook(service);
    expect(await service.put(`/books/${item.id}`, {})).toBeError(422, 'title', 'writer_id');
  });

  test.each(
    limits(
      [
        ['cost', 'the smallest', 0],
        ['cost', 'the largest', 99999999.99],
        ['stock', 'the smallest', '0'],
        ['stock', 'the largest', '100000'],
        ['state', 'the last of its values', 'public'],
        ['tags', 'with the fewest items', ['Item 1']],
        ['tags', 'with the most items', ['Item 1']],
        ['genre', 'with the fewest items', ['Item 1']],
        ['genre', 'with the most items', ['Item 1']],
      ],
      allowed,
    ),
  )('accepts %s: %s', async (member, _why, sent) => {
    const body = { ...(await bookBody(service)), [member]: sent };
    const item = await service.create<Book>('/books', body);
    expect(item).toHaveProperty(member, sent);
    expect((await service.get(`/books/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, why: string, changes: object]>([
    ['title', 'a number', { title: 5 }],
    ['title', 'with a NUL character', { title: 'Title 1\u0000' }],
    ['title', 'with half of a surrogate pair', { title: 'Title 1\ud800' }],
    ['title', 'too long', { title: 'Title 1' + 'x'.repeat(194) }],
    ['title', 'null', { title: null }],
    ['ean', 'a number', { ean: 5 }],
    ['ean', 'with a NUL character', { ean: '9780000000001\u0000' }],
    ['ean', 'with half of a surrogate pair', { ean: '9780000000001\ud800' }],
    ['ean', 'not of its pattern', { ean: '' }],
    ['cost', 'a text', { cost: '0' }],
    ['cost', 'true', { cost: true }],
    ['cost', 'too small', { cost: -1 }],
    ['cost', 'too large', { cost: 100000000.99 }],
    ['cost', 'null', { cost: null }],
    ['stock', 'a number', { stock: 5 }],
    ['stock', 'no number', { stock: 'five' }],
    ['stock', 'empty', { stock: '' }],
    ['stock', 'with a leading zero', { stock: '05' }],
    ['stock', 'with a plus sign', { stock: '+5' }],
    ['stock', 'negative zero', { stock: '-0' }],
    ['stock', 'with a point', { stock: '5.0' }],
    ['stock', 'with an exponent', { stock: '5e1' }],
    ['stock', 'too small', { stock: '-1' }],
    ['stock', 'too large', { stock: '100001' }],
    ['state', 'not one of its values', { state: 'unknown' }],
    ['state', 'a number', { state: 5 }],
    ['state', 'null', { state: null }],
    ['tags', 'no list', { tags: 'Tags 1' }],
    ['tags', 'an object', { tags: {} }],
    ['tags', 'with too few items', { tags: [] }],
    ['tags', 'with too many items', { tags: ['Tags 1', 'Tags 1'] }],
    ['tags[0]', 'a number', { tags: [5] }],
    ['tags[0]', 'with a NUL character', { tags: ['Tags 1\u0000'] }],
    ['tags[0]', 'null', { tags: [null] }],
    ['genre', 'no list', { genre: 'Genre 1' }],
    ['genre', 'an object', { genre: {} }],
    ['genre', 'with too few items', { genre: [] }],
    ['genre', 'with too many items', { genre: ['Genre 1', 'Genre 1'] }],
    ['genre[0]', 'a number', { genre: [5] }],
    ['genre[0]', 'with a NUL character', { genre: ['Genre 1\u0000'] }],
    ['genre[0]', 'null', { genre: [null] }],
    ['writer_id', 'no UUID', { writer_id: 'nobody' }],
    ['writer_id', 'a number', { writer_id: 5 }],
    ['writer_id', 'null', { writer_id: null }],
  ])('refuses %s: %s (422)', async (member, _why, changes) => {
    const body = { ...(await bookBody(service)), ...changes };
    expect(await service.post('/books', body)).toBeError(422, member);
    const item = await createBook(service);
    expect(await service.patch(`/books/${item.id}`, changes)).toBeError(422, member);
    expect((await service.get(`/books/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, value: unknown]>([
    ['id', NO_ID],
    ['created_at', '2026-01-31T12:00:00Z'],
    ['updated_at', '2026-01-31T12:00:00Z'],
    ['stars', 1.5],
    ['unheard_of', 1],
  ])('refuses the read-only or unknown member %s (422)', async (member, value) => {
    const body = { ...(await bookBody(service)), [member]: value };
    expect(await service.post('/books', body)).toBeError(422, member);
    const item = await createBook(service);
    const path = `/books/${item.id}`;
    expect(await service.put(path, { [member]: value })).toBeError(422, member);
    expect(await service.patch(path, { [member]: value })).toBeError(422, member);
    expect((await service.get(path)).body).toEqual(item);
  });

  test('ean is unique', async () => {
    const first = {
      ...(await bookBody(service)),
      ean: full.ean ?? '9780000000001',
    };
    const item = await service.create<Book>('/books', first);
    const second = { ...(await bookBody(service)), ean: first.ean };
    expect(await service.post('/books', second)).toBeError(409, 'ean');
    const keyed = { headers: { 'idempotency-key': 'once' }, body: second };
    const taken = await service.request('POST', `${API}/books`, keyed);
    expect(taken).toBeError(409, 'ean');

    const other = await createBook(service);
    const same = { ean: first.ean };
    expect(await service.patch(`/books/${other.id}`, same)).toBeError(409, 'ean');

    expect(await service.delete(`/books/${item.id}`)).toHaveStatus(204);
    expect(await service.request('POST', `${API}/books`, keyed)).toHaveStatus(201);
  });

  test.skipIf(clearable(['ean'], allowed).length === 0)(
    'allows several items without ean',
    async () => {
      const none = { ean: null };
      await createBook(service, none);
      await createBook(service, none);
      expect((await service.get('/books')).body).toHaveLength(2);
    },
  );

  test('writer_id and title are unique together', async () => {
    const first = await bookBody(service);
    const item = await service.create<Book>('/books', first);
    const second = {
      ...(await bookBody(service, { writer_id: first.writer_id })),
      title: first.title,
    };
    expect(await service.post('/books', second)).toBeError(409, 'writer_id', 'title');
    const keyed = { headers: { 'idempotency-key': 'once' }, body: second };
    const taken = await service.request('POST', `${API}/books`, keyed);
    expect(taken).toBeError(409, 'writer_id', 'title');

    const other = await createBook(service);
    const same = { writer_id: first.writer_id, title: first.title };
    expect(await service.patch(`/books/${other.id}`, same)).toBeError(409, 'writer_id', 'title');

    expect(await service.delete(`/books/${item.id}`)).toHaveStatus(204);
    expect(await service.request('POST', `${API}/books`, keyed)).toHaveStatus(201);
  });

  test('refuses writer_id of a writer that does not exist (422)', async () => {
    const removed = await createWriter(service);
    await service.delete(`/writers/${removed.id}`);
    for (const id of [NO_ID, removed.id]) {
      const body = { ...(await bookBody(service)), writer_id: id };
      expect(await service.post('/books', body)).toBeError(422, 'writer_id');
      const keyed = { headers: { 'idempotency-key': 'once' }, body };
      const refused = await service.request('POST', `${API}/books`, keyed);
      expect(refused).toBeError(422, 'writer_id');
      const item = await createBook(service);
      const answer = await service.patch(`/books/${item.id}`, { writer_id: id });
      expect(answer).toBeError(422, 'writer_id');
    }
  });

  test('refuses to remove a writer that writer_id refers to (409)', async () => {
    const writer = await createWriter(service);
    const item = await createBook(service, { writer_id: writer.id });
    expect(await service.delete(`/writers/${writer.id}`)).toBeError(409);
    expect(await service.get(`/writers/${writer.id}`)).toHaveStatus(200);
    expect(await service.delete(`/books/${item.id}`)).toHaveStatus(204);
    expect(await service.delete(`/writers/${writer.id}`)).toHaveStatus(204);
  });

  test('lists and creates items at /writers/{id}/books', async () => {
    const writer = await createWriter(service);
    const path = `/writers/${writer.id}/books`;
    const { writer_id: _parent, ...body } = await bookBody(service, { writer_id: writer.id });
    const answer = await service.post<Book>(path, body);
    expect(answer).toHaveStatus(201);
    const item = answer.body;
    expect(answer.headers.get('location')).toBe(`${API}/books/${item.id}`);
    expect(item.writer_id).toBe(writer.id);
    const own = await bookBody(service, { writer_id: writer.id });
    const second = await service.create<Book>(path, own);
    await createBook(service);
    const first = await service.get(`/books/${item.id}`);
    const other = await service.get(`/books/${second.id}`);
    expect((await service.get(path)).body).toEqual([first.body, other.body]);
    expect((await service.get(`${path}?limit=1`)).headers.get('link')).toContain(
      `<${API}${path}?limit=1&cursor=`,
    );
    expect(await service.head(path)).toHaveStatus(200);

    const named = await bookBody(service, { writer_id: NO_ID });
    expect(await service.post(path, named)).toBeError(422, 'writer_id');
    expect(await service.put(path, {})).toBeError(405);
  });

  test('separates each Idempotency-Key by parent at /writers/{id}/books', async () => {
    for (const { id } of [await createWriter(service), await createWriter(service)]) {
      const { writer_id: _parent, ...body } = await bookBody(service, { writer_id: id });
      const keyed = { headers: { 'idempotency-key': 'once' }, body };
      const answer = await service.request('POST', `${API}/writers/${id}/books`, keyed);
      expect(answer).toHaveStatus(201);
    }
  });
});

describe('lists of books', () => {
  const items: Book[] = [];
  /** What items are compared by. */
  const keys = {
    title: (item: Book) => item.title,
    cost: (item: Book) => item.cost,
    state: (item: Book) => ['new', 'public'].indexOf(item.state),
    stock: (item: Book) => (item.stock === null ? null : BigInt(item.stock)),
    ean: (item: Book) => item.ean,
  };

  beforeAll(async () => {
    await service.clear();
    items.length = 0;
    const writer1 = await createWriter(service);
    const writer2 = await createWriter(service);
    const writer3 = await createWriter(service);
    const writer4 = await createWriter(service);
    const writer6 = await createWriter(service);
    const writer7 = await createWriter(service);
    const writer8 = await createWriter(service);
    const given = listed<BookValues>(
      8,
      {
        title: [
          'Title 5',
          'Title 8',
          'Title 11',
          'Title 14',
          'Title 17',
          'Title 20',
          'Title 23',
          'Title 26',
        ],
        ean: [
          '9780000000008',
          null,
          '9780000000011',
          '9780000000014',
          '9780000000017',
          '9780000000020',
          '9780000000023',
          '9780000000026',
        ],
        cost: [3.5, 4.5, 5.5, 2.5, 2.5, 1.5, 5.5, 2.5],
        stock: ['3', '4', '5', '2', '2', '1', null, '2'],
        state: ['new', 'public', 'public', 'public', 'public', 'new', 'public', 'new'],
        writer_id: [
          writer6.id,
          writer7.id,
          writer8.id,
          writer2.id,
          writer2.id,
          writer1.id,
          writer3.id,
          writer4.id,
        ],
      },
      allowed,
    );
    for (const members of given) items.push(await createBook(service, members));
    // Computed members may depend on items that were created later.
    for (const [at, { id }] of items.entries()) {
      items[at] = (await service.get<Book>(`/books/${id}`)).body;
    }
  });

  test('return each item once, in order of creation', async () => {
    const ids = items.map(({ id }) => id);
    expect(await readForthAndBack(service, '/books?limit=3')).toEqual({ forth: ids, back: ids });
    const answer = await service.get('/books?count=true&limit=1');
    expect(answer.body).toEqual(items.slice(0, 1));
    expect(answer.headers.get('total-count')).toBe(String(items.length));
    for (const query of ['', '&count=false']) {
      const { headers } = await service.get(`/books?limit=1${query}`);
      expect(headers.get('total-count')).toBeNull();
    }
  });

  test.each(['title', 'cost', 'state', 'stock'] as const)(
    'sort by %s, ascending and descending',
    async (sort) => {
      const rising = sortBy(items, keys[sort]).map(({ id }) => id);
      const falling = rising.toReversed();
      const path = '/books?limit=3&sort=';
      expect(await readForthAndBack(service, `${path}${sort}`)).toEqual({
        forth: rising,
        back: rising,
      });
      expect(await readForthAndBack(service, `${path}-${sort}`)).toEqual({
        forth: falling,
        back: falling,
      });
    },
  );

  test('sort by title ascending and cost descending', async () => {
    const falling = sortBy(items, keys.cost).toReversed();
    const ids = sortBy(falling, keys.title).map(({ id }) => id);
    const path = '/books?limit=3&sort=title,-cost';
    expect(await readForthAndBack(service, path)).toEqual({ forth: ids, back: ids });
  });

  test.each<[member: keyof Book, options: FilterOptions<Book>]>([
    ['title', { order: keys.title, canBeEmpty: true }],
    ['cost', { order: keys.cost }],
    ['state', {}],
    ['stock', { order: keys.stock }],
    ['ean', { order: keys.ean, canBeEmpty: true }],
  ])('filter by %s', async (member, options) => {
    for (const [query, found] of filtersOf(items, member, options)) {
      const answer = await readAll(service, `/books?${query}`);
      expect([query, answer]).toEqual([query, found]);
    }
  });

  test('filter by writer_id', async () => {
    const id = items[0]?.writer_id ?? NO_ID;
    const path = '/books?writer_id';
    const those = items.filter((item) => item.writer_id === id);
    const others = items.filter((item) => item.writer_id !== id);
    expect(await readAll(service, `${path}=${id}`)).toEqual(those);
    expect(await readAll(service, `${path}[ne]=${id}`)).toEqual(others);
    expect(await readAll(service, `${path}[in]=${NO_ID},${id}`)).toEqual(those);
    expect(await readAll(service, `${path}=${NO_ID}`)).toEqual([]);
  });

  test.each([
    ['title[null]', 'perhaps'],
    ['title[like]', 'a'],
    ['cost', 'one'],
    ['cost[null]', 'perhaps'],
    ['cost[like]', 'a'],
    ['state', 'no such value'],
    ['state[null]', 'perhaps'],
    ['state[like]', 'a'],
    ['state[gt]', 'new'],
    ['stock', '05'],
    ['stock[null]', 'perhaps'],
    ['stock[like]', 'a'],
    ['writer_id', 'nobody'],
    ['writer_id[null]', 'perhaps'],
    ['writer_id[like]', 'a'],
    ['writer_id[gt]', '01890a5d-ac96-774b-bcce-b302099a8057'],
    ['ean[null]', 'perhaps'],
    ['ean[like]', 'a'],
  ])('refuse %s=%s (400)', async (parameter, value) => {
    const query = String(new URLSearchParams({ [parameter]: value }));
    expect(await service.get(`/books?${query}`)).toBeError(400, parameter);
  });

  test('search for every word of q', async () => {
    for (const [q, found] of searchesOf(items, ['title'])) {
      const answer = await readAll(service, `/books?q=${encodeURIComponent(q)}`);
      expect([q, answer]).toEqual([q, found]);
    }
  });

  test('return only the members in fields', async () => {
    const some = items.map((item) => ({ id: item.id, title: item.title, ean: item.ean }));
    expect(await readAll(service, '/books?fields=title,ean')).toEqual(some);
    expect(await service.get('/books?fields=unheard_of')).toBeError(400, 'fields');
  });

  test.each(['unheard_of=1', 'limit=1&limit=2', 'sort=unheard_of', 'limit=0', 'q=', 'q=%20-'])(
    'refuse %s (400)',
    async (query) => {
      const [name = ''] = query.split('=');
      expect(await service.get(`/books?${query}`)).toBeError(400, name);
    },
  );
});
