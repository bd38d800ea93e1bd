/** The endpoints of reviews. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Review, ReviewValues } from '../../src/collections/reviews/schema.ts';
import { ReviewComputed } from '../../src/collections/reviews/schema.ts';
import { searchedTables } from '../../src/collections/searched-tables.ts';
import { indexWords } from '../../src/platform/database/fill-words.ts';
import { allowed, another, changed } from '../fixtures/reviews.ts';
import { A_TIME, AN_ID, computedOf, NO_ID } from '../support/expected.ts';
import { createBook } from '../support/items/books.ts';
import { createReview, reviewBody } from '../support/items/reviews.ts';
import {
  filtersOf,
  listed,
  readAll,
  readForthAndBack,
  searchesOf,
  sortBy,
} from '../support/lists.ts';
import type { FilterOptions } from '../support/lists.ts';
import { API, sharedService } from '../support/service.ts';
import { clearable, limits } from '../support/values.ts';

const service = await sharedService();

/** What a review has of members that nobody sent. */
const UNSET = {
  body: null,
};

/** A body with all members. */
const fullReview = async () => ({
  ...another(),
  book_id: (await createBook(service)).id,
});

describe('reviews', () => {
  beforeEach(() => service.clear());

  test('q finds rows written by SQL after they are indexed', async () => {
    const { id } = await createReview(service);
    await service.database.query({ text: 'update "reviews" set "body" = $2 where "id" = $1' }, [
      id,
      'quetzalcoatl',
    ]);
    const written = await service.get(`/reviews/${id}`);
    await indexWords(service.database, searchedTables);
    const found = await service.get('/reviews?q=quetzalcoatl');
    expect(found.body).toEqual([written.body]);
    const indexed = await service.get(`/reviews/${id}`);
    expect(indexed.headers.get('etag')).toBe(written.headers.get('etag'));
  });

  test('POST creates an item (201)', async () => {
    const body = await fullReview();
    const answer = await service.post<Review>('/reviews', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(answer.body, ReviewComputed),
    });
    expect(answer.headers.get('location')).toBe(`${API}/reviews/${answer.body.id}`);
  });

  test('POST with an Idempotency-Key creates one item when it is repeated', async () => {
    const request = { headers: { 'idempotency-key': 'once' }, body: await fullReview() };
    const first = await service.request<Review>('POST', `${API}/reviews`, request);
    expect(first).toHaveStatus(201);
    const { headers } = await service.get('/reviews?count=true');
    const again = await service.request<Review>('POST', `${API}/reviews`, request);
    expect(again).toHaveStatus(201);
    expect(again.body).toEqual(first.body);
    const after = await service.get('/reviews?count=true');
    expect(after.headers.get('total-count')).toBe(headers.get('total-count'));
  });

  test('POST fills in defaults', async () => {
    const body = await reviewBody(service);
    const item = await service.create<Review>('/reviews', body);
    expect(item).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(item, ReviewComputed),
    });
  });

  test('GET returns an item, and HEAD its headers', async () => {
    const item = await createReview(service);
    const answer = await service.get(`/reviews/${item.id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual(item);
    const upperCase = await service.get(`/reviews/${item.id.toUpperCase()}`);
    expect(upperCase.body).toEqual(item);
    const head = await service.head(`/reviews/${item.id}`);
    expect(head).toHaveStatus(200);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
  });

  test('PUT replaces an item, and resets absent members to their default or null', async () => {
    const body = await fullReview();
    const item = await service.create<Review>('/reviews', body);
    const other = {
      ...(await reviewBody(service, { book_id: body.book_id })),
      book_id: undefined,
    };
    const answer = await service.put<Review>(`/reviews/${item.id}`, other);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      ...UNSET,
      ...other,
      book_id: item.book_id,
      updated_at: A_TIME,
      ...computedOf(answer.body, ReviewComputed),
    });
    expect(answer.body.updated_at).not.toBe(item.updated_at);
    expect((await service.get(`/reviews/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(Object.entries(changed()))('PATCH changes %s only', async (member, value) => {
    const item = await service.create<Review>('/reviews', await fullReview());
    const answer = await service.patch<Review>(`/reviews/${item.id}`, { [member]: value });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: value,
      updated_at: A_TIME,
      ...computedOf(answer.body, ReviewComputed),
    });
    expect((await service.get(`/reviews/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(clearable(['body'], allowed))('PATCH clears %s with null', async (member) => {
    const item = await service.create<Review>('/reviews', await fullReview());
    const answer = await service.patch<Review>(`/reviews/${item.id}`, { [member]: null });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: null,
      updated_at: A_TIME,
      ...computedOf(answer.body, ReviewComputed),
    });
  });

  test('answers If-None-Match with 304, and an outdated If-Match with 412', async () => {
    const body = await reviewBody(service);
    const made = await service.post<Review>('/reviews', body);
    const item = made.body;
    const path = `${API}/reviews/${item.id}`;
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
    const item = await createReview(service);
    const path = `/reviews/${item.id}`;
    const answer = await service.delete(path);
    expect(answer).toHaveStatus(204);
    expect(answer.body).toBeUndefined();
    expect(await service.get(path)).toBeError(410);
    expect(await service.head(path)).toHaveStatus(410);
    expect(await service.put(path, await reviewBody(service))).toBeError(410);
    expect(await service.patch(path, {})).toBeError(410);
    expect(await service.delete(path)).toBeError(410);
    expect((await service.get('/reviews')).body).not.toContainEqual(item);
  });

  test.each([NO_ID, 'no-id'])('answers 404 for the id %s', async (id) => {
    const path = `/reviews/${id}`;
    expect(await service.get(path)).toBeError(404);
    expect(await service.head(path)).toHaveStatus(404);
    expect(await service.put(path, {})).toBeError(404);
    expect(await service.patch(path, {})).toBeError(404);
    expect(await service.delete(path)).toBeError(404);
  });

  test.each(['book_id', 'reader', 'rating'])('POST requires %s (422)', async (member) => {
    const { [member]: _left, ...body }: Record<string, unknown> = await fullReview();
    expect(await service.post('/reviews', body)).toBeError(422, member);
  });

  test('PUT requires the same members (422)', async () => {
    const item = await createReview(service);
    expect(await service.put(`/reviews/${item.id}`, {})).toBeError(422, 'reader', 'rating');
  });

  test.each(
    limits(
      [
        ['reader', 'the shortest', '😀'],
        ['reader', 'the longest', '😀'.repeat(100)],
        ['reader', 'with blanks around', ' a '],
        ['reader', 'with quotes and backslashes', '\'"\\%_'],
        ['rating', 'the smallest', 1],
        ['rating', 'the largest', 5],
        ['body', 'the shortest', ''],
        ['body', 'the longest', '😀'.repeat(10000)],
        ['body', 'with blanks around', ' a '],
        ['body', 'with quotes and backslashes', '\'"\\%_'],
      ],
      allowed,
    ),
  )('accepts %s: %s', async (member, _why, sent) => {
    const body = { ...(await reviewBody(service)), [member]: sent };
    const item = await service.create<Review>('/reviews', body);
    expect(item).toHaveProperty(member, sent);
    expect((await service.get(`/reviews/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, why: string, changes: object]>([
    ['book_id', 'no UUID', { book_id: 'nobody' }],
    ['book_id', 'a number', { book_id: 5 }],
    ['book_id', 'null', { book_id: null }],
    ['reader', 'a number', { reader: 5 }],
    ['reader', 'with a NUL character', { reader: 'Reader 1\u0000' }],
    ['reader', 'with half of a surrogate pair', { reader: 'Reader 1\ud800' }],
    ['reader', 'too long', { reader: 'Reader 1' + 'x'.repeat(93) }],
    ['reader', 'too short', { reader: '' }],
    ['reader', 'null', { reader: null }],
    ['rating', 'a text', { rating: '1' }],
    ['rating', 'a fraction', { rating: 1.5 }],
    ['rating', 'true', { rating: true }],
    ['rating', 'too small', { rating: 0 }],
    ['rating', 'too large', { rating: 6 }],
    ['rating', 'null', { rating: null }],
    ['body', 'a number', { body: 5 }],
    ['body', 'with a NUL character', { body: 'Body 1\u0000' }],
    ['body', 'with half of a surrogate pair', { body: 'Body 1\ud800' }],
    ['body', 'too long', { body: 'Body 1' + 'x'.repeat(9995) }],
  ])('refuses %s: %s (422)', async (member, _why, changes) => {
    const body = { ...(await reviewBody(service)), ...changes };
    expect(await service.post('/reviews', body)).toBeError(422, member);
    const item = await createReview(service);
    expect(await service.patch(`/reviews/${item.id}`, changes)).toBeError(422, member);
    expect((await service.get(`/reviews/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, value: unknown]>([
    ['id', NO_ID],
    ['created_at', '2026-01-31T12:00:00Z'],
    ['updated_at', '2026-01-31T12:00:00Z'],
    ['unheard_of', 1],
  ])('refuses the read-only or unknown member %s (422)', async (member, value) => {
    const body = { ...(await reviewBody(service)), [member]: value };
    expect(await service.post('/reviews', body)).toBeError(422, member);
    const item = await createReview(service);
    const path = `/reviews/${item.id}`;
    expect(await service.put(path, { [member]: value })).toBeError(422, member);
    expect(await service.patch(path, { [member]: value })).toBeError(422, member);
    expect((await service.get(path)).body).toEqual(item);
  });

  test.each<[member: string, ...others: unknown[]]>([['book_id', NO_ID]])(
    '%s cannot change after creation (422)',
    async (member, ...others) => {
      const item = await createReview(service);
      const path = `/reviews/${item.id}`;
      const own = { [member]: (item as unknown as Record<string, unknown>)[member] };
      // A fixture may lack the member, or give all items the same.
      const other = others.find((value) => value !== undefined && value !== own[member]);
      expect(await service.patch(path, { [member]: other })).toBeError(422, member);
      expect(await service.put(path, { [member]: other })).toBeError(422, member);
      expect(await service.patch(path, own)).toHaveStatus(200);
      const after = await service.get<Review>(path);
      expect(after.body).toEqual({
        ...item,
        updated_at: A_TIME,
        ...computedOf(after.body, ReviewComputed),
      });
    },
  );

  test('refuses book_id of a book that does not exist (422)', async () => {
    const removed = await createBook(service);
    await service.delete(`/books/${removed.id}`);
    for (const id of [NO_ID, removed.id]) {
      const body = { ...(await reviewBody(service)), book_id: id };
      expect(await service.post('/reviews', body)).toBeError(422, 'book_id');
      const keyed = { headers: { 'idempotency-key': 'once' }, body };
      const refused = await service.request('POST', `${API}/reviews`, keyed);
      expect(refused).toBeError(422, 'book_id');
    }
  });

  test('the removal of a book cascades by book_id', async () => {
    const book = await createBook(service);
    const item = await createReview(service, { book_id: book.id });
    const other = await createReview(service);
    expect(await service.delete(`/books/${book.id}`)).toHaveStatus(204);
    expect(await service.get(`/reviews/${item.id}`)).toBeError(410);
    expect(await service.get(`/reviews/${other.id}`)).toHaveStatus(200);
  });

  test('lists and creates items at /books/{id}/reviews', async () => {
    const book = await createBook(service);
    const path = `/books/${book.id}/reviews`;
    const { book_id: _parent, ...body } = await reviewBody(service, { book_id: book.id });
    const answer = await service.post<Review>(path, body);
    expect(answer).toHaveStatus(201);
    const item = answer.body;
    expect(answer.headers.get('location')).toBe(`${API}/reviews/${item.id}`);
    expect(item.book_id).toBe(book.id);
    const own = await reviewBody(service, { book_id: book.id });
    const second = await service.create<Review>(path, own);
    await createReview(service);
    const first = await service.get(`/reviews/${item.id}`);
    const other = await service.get(`/reviews/${second.id}`);
    expect((await service.get(path)).body).toEqual([first.body, other.body]);
    expect((await service.get(`${path}?limit=1`)).headers.get('link')).toContain(
      `<${API}${path}?limit=1&cursor=`,
    );
    expect(await service.head(path)).toHaveStatus(200);

    const named = await reviewBody(service, { book_id: NO_ID });
    expect(await service.post(path, named)).toBeError(422, 'book_id');
    expect(await service.put(path, {})).toBeError(405);
  });

  test('separates each Idempotency-Key by parent at /books/{id}/reviews', async () => {
    for (const { id } of [await createBook(service), await createBook(service)]) {
      const { book_id: _parent, ...body } = await reviewBody(service, { book_id: id });
      const keyed = { headers: { 'idempotency-key': 'once' }, body };
      const answer = await service.request('POST', `${API}/books/${id}/reviews`, keyed);
      expect(answer).toHaveStatus(201);
    }
  });
});

describe('lists of reviews', () => {
  const items: Review[] = [];
  /** What items are compared by. */
  const keys = {
    rating: (item: Review) => item.rating,
    created_at: (item: Review) => item.created_at.slice(0, -1),
    reader: (item: Review) => item.reader,
  };

  beforeAll(async () => {
    await service.clear();
    items.length = 0;
    const book1 = await createBook(service);
    const book2 = await createBook(service);
    const given = listed<ReviewValues>(
      8,
      {
        book_id: [book2.id, book1.id, book2.id, book2.id, book1.id, book2.id, book2.id, book1.id],
        reader: [
          'Quiet River',
          'say "yes", twice',
          'Élan Straße 7',
          'ｚ wide',
          '😀 beyond',
          'quiet',
          'quiet',
          'say "yes", twice',
        ],
        rating: [3, 4, 5, 2, 2, 1, 5, 2],
        body: [
          'say "yes", twice',
          'Élan Straße 7',
          'ｚ wide',
          '😀 beyond',
          'quiet',
          'quiet',
          'Quiet River',
          null,
        ],
      },
      allowed,
    );
    for (const members of given) items.push(await createReview(service, members));
    // Computed members may depend on items that were created later.
    for (const [at, { id }] of items.entries()) {
      items[at] = (await service.get<Review>(`/reviews/${id}`)).body;
    }
  });

  test('return each item once, in order of creation', async () => {
    const ids = items.map(({ id }) => id);
    expect(await readForthAndBack(service, '/reviews?limit=3')).toEqual({ forth: ids, back: ids });
    const answer = await service.get('/reviews?count=true&limit=1');
    expect(answer.body).toEqual(items.slice(0, 1));
    expect(answer.headers.get('total-count')).toBe(String(items.length));
    for (const query of ['', '&count=false']) {
      const { headers } = await service.get(`/reviews?limit=1${query}`);
      expect(headers.get('total-count')).toBeNull();
    }
  });

  test.each(['rating', 'created_at'] as const)(
    'sort by %s, ascending and descending',
    async (sort) => {
      const rising = sortBy(items, keys[sort]).map(({ id }) => id);
      const falling = rising.toReversed();
      const path = '/reviews?limit=3&sort=';
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

  test('sort by rating ascending and created_at descending', async () => {
    const falling = sortBy(items, keys.created_at).toReversed();
    const ids = sortBy(falling, keys.rating).map(({ id }) => id);
    const path = '/reviews?limit=3&sort=rating,-created_at';
    expect(await readForthAndBack(service, path)).toEqual({ forth: ids, back: ids });
    expect(await readForthAndBack(service, path.replace(',', '&sort='))).toEqual({
      forth: ids,
      back: ids,
    });
  });

  test.each<[member: keyof Review, options: FilterOptions<Review>]>([
    ['rating', { order: keys.rating }],
    ['reader', { order: keys.reader, canBeEmpty: true }],
  ])('filter by %s', async (member, options) => {
    for (const [query, found] of filtersOf(items, member, options)) {
      const answer = await readAll(service, `/reviews?${query}`);
      expect([query, answer]).toEqual([query, found]);
    }
  });

  test('filter by book_id', async () => {
    const id = items[0]?.book_id ?? NO_ID;
    const path = '/reviews?book_id';
    const those = items.filter((item) => item.book_id === id);
    const others = items.filter((item) => item.book_id !== id);
    expect(await readAll(service, `${path}=${id}`)).toEqual(those);
    expect(await readAll(service, `${path}[ne]=${id}`)).toEqual(others);
    expect(await readAll(service, `${path}[in]=${NO_ID},${id}`)).toEqual(those);
    expect(await readAll(service, `${path}=${NO_ID}`)).toEqual([]);
  });

  test.each([
    ['rating', '1.5'],
    ['rating[null]', 'perhaps'],
    ['rating[like]', 'a'],
    ['book_id', 'nobody'],
    ['book_id[null]', 'perhaps'],
    ['book_id[like]', 'a'],
    ['book_id[gt]', '01890a5d-ac96-774b-bcce-b302099a8057'],
    ['reader[null]', 'perhaps'],
    ['reader[like]', 'a'],
  ])('refuse %s=%s (400)', async (parameter, value) => {
    const query = String(new URLSearchParams({ [parameter]: value }));
    expect(await service.get(`/reviews?${query}`)).toBeError(400, parameter);
  });

  test('search for every word of q', async () => {
    for (const [q, found] of searchesOf(items, ['body'])) {
      const answer = await readAll(service, `/reviews?q=${encodeURIComponent(q)}`);
      expect([q, answer]).toEqual([q, found]);
    }
  });

  test('return only the members in fields', async () => {
    const some = items.map((item) => ({ id: item.id, book_id: item.book_id, reader: item.reader }));
    const path = '/reviews?fields=book_id,reader';
    expect(await readAll(service, path)).toEqual(some);
    expect(await readAll(service, path.replace(',', '&fields='))).toEqual(some);
    expect(await service.get('/reviews?fields=unheard_of')).toBeError(400, 'fields');
  });

  test.each(['unheard_of=1', 'limit=1&limit=2', 'sort=unheard_of', 'limit=0', 'q=', 'q=%20-'])(
    'refuse %s (400)',
    async (query) => {
      const [name = ''] = query.split('=');
      expect(await service.get(`/reviews?${query}`)).toBeError(400, name);
    },
  );
});
