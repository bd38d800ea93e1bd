/** The endpoints of authors. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Author, AuthorValues } from '../../src/collections/authors/schema.ts';
import { AuthorComputed } from '../../src/collections/authors/schema.ts';
import { searchedTables } from '../../src/collections/searched-tables.ts';
import { indexWords } from '../../src/platform/database/fill-words.ts';
import { allowed, another, changed } from '../fixtures/authors.ts';
import { A_TIME, AN_ID, computedOf, NO_ID } from '../support/expected.ts';
import { authorBody, createAuthor } from '../support/items/authors.ts';
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

/** What an author has of members that nobody sent. */
const UNSET = {
  born_on: null,
  website: null,
  biography: null,
};

describe('authors', () => {
  beforeEach(() => service.clear());

  test('q finds rows written by SQL after they are indexed', async () => {
    const { id } = await createAuthor(service);
    await service.database.query({ text: 'update "authors" set "name" = $2 where "id" = $1' }, [
      id,
      'quetzalcoatl',
    ]);
    const written = await service.get(`/authors/${id}`);
    await indexWords(service.database, searchedTables);
    const found = await service.get('/authors?q=quetzalcoatl');
    expect(found.body).toEqual([written.body]);
    const indexed = await service.get(`/authors/${id}`);
    expect(indexed.headers.get('etag')).toBe(written.headers.get('etag'));
  });

  test('POST creates an item (201)', async () => {
    const body = another();
    const answer = await service.post<Author>('/authors', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(answer.body, AuthorComputed),
    });
    expect(answer.headers.get('location')).toBe(`${API}/authors/${answer.body.id}`);
  });

  test('POST with an Idempotency-Key creates one item when it is repeated', async () => {
    const request = { headers: { 'idempotency-key': 'once' }, body: another() };
    const first = await service.request<Author>('POST', `${API}/authors`, request);
    expect(first).toHaveStatus(201);
    const { headers } = await service.get('/authors?count=true');
    const again = await service.request<Author>('POST', `${API}/authors`, request);
    expect(again).toHaveStatus(201);
    expect(again.body).toEqual(first.body);
    const after = await service.get('/authors?count=true');
    expect(after.headers.get('total-count')).toBe(headers.get('total-count'));
  });

  test('POST fills in defaults', async () => {
    const body = await authorBody(service);
    const item = await service.create<Author>('/authors', body);
    expect(item).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(item, AuthorComputed),
    });
  });

  test('GET returns an item, and HEAD its headers', async () => {
    const item = await createAuthor(service);
    const answer = await service.get(`/authors/${item.id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual(item);
    const upperCase = await service.get(`/authors/${item.id.toUpperCase()}`);
    expect(upperCase.body).toEqual(item);
    const head = await service.head(`/authors/${item.id}`);
    expect(head).toHaveStatus(200);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
  });

  test('PUT replaces an item, and resets absent members to their default or null', async () => {
    const body = another();
    const item = await service.create<Author>('/authors', body);
    const other = await authorBody(service);
    const answer = await service.put<Author>(`/authors/${item.id}`, other);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      ...UNSET,
      ...other,
      updated_at: A_TIME,
      ...computedOf(answer.body, AuthorComputed),
    });
    expect(answer.body.updated_at).not.toBe(item.updated_at);
    expect((await service.get(`/authors/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(Object.entries(changed()))('PATCH changes %s only', async (member, value) => {
    const item = await service.create<Author>('/authors', another());
    const answer = await service.patch<Author>(`/authors/${item.id}`, { [member]: value });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: value,
      updated_at: A_TIME,
      ...computedOf(answer.body, AuthorComputed),
    });
    expect((await service.get(`/authors/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(clearable(['born_on', 'website', 'biography'], allowed))(
    'PATCH clears %s with null',
    async (member) => {
      const item = await service.create<Author>('/authors', another());
      const answer = await service.patch<Author>(`/authors/${item.id}`, { [member]: null });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({
        ...item,
        [member]: null,
        updated_at: A_TIME,
        ...computedOf(answer.body, AuthorComputed),
      });
    },
  );

  test('answers If-None-Match with 304, and an outdated If-Match with 412', async () => {
    const body = await authorBody(service);
    const made = await service.post<Author>('/authors', body);
    const item = made.body;
    const path = `${API}/authors/${item.id}`;
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
    const item = await createAuthor(service);
    const path = `/authors/${item.id}`;
    const answer = await service.delete(path);
    expect(answer).toHaveStatus(204);
    expect(answer.body).toBeUndefined();
    expect(await service.get(path)).toBeError(410);
    expect(await service.head(path)).toHaveStatus(410);
    expect(await service.put(path, await authorBody(service))).toBeError(410);
    expect(await service.patch(path, {})).toBeError(410);
    expect(await service.delete(path)).toBeError(410);
    expect(await service.get(`${path}/books`)).toBeError(410);
    expect(await service.post(`${path}/books`, {})).toBeError(410);
    expect((await service.get('/authors')).body).not.toContainEqual(item);
  });

  test.each([NO_ID, 'no-id'])('answers 404 for the id %s', async (id) => {
    const path = `/authors/${id}`;
    expect(await service.get(path)).toBeError(404);
    expect(await service.head(path)).toHaveStatus(404);
    expect(await service.put(path, {})).toBeError(404);
    expect(await service.patch(path, {})).toBeError(404);
    expect(await service.delete(path)).toBeError(404);
    expect(await service.get(`${path}/books`)).toBeError(404);
    expect(await service.post(`${path}/books`, {})).toBeError(404);
  });

  test.each(['name'])('POST requires %s (422)', async (member) => {
    const { [member]: _left, ...body }: Record<string, unknown> = another();
    expect(await service.post('/authors', body)).toBeError(422, member);
  });

  test('PUT requires the same members (422)', async () => {
    const item = await createAuthor(service);
    expect(await service.put(`/authors/${item.id}`, {})).toBeError(422, 'name');
  });

  test.each(
    limits(
      [
        ['name', 'the shortest', '😀'],
        ['name', 'the longest', '😀'.repeat(200)],
        ['name', 'with blanks around', ' a '],
        ['name', 'with quotes and backslashes', '\'"\\%_'],
        ['born_on', 'the smallest', '0001-01-01'],
        ['born_on', 'the largest', '9999-12-31'],
        ['biography', 'the shortest', ''],
        ['biography', 'the longest', '😀'.repeat(20000)],
        ['biography', 'with blanks around', ' a '],
        ['biography', 'with quotes and backslashes', '\'"\\%_'],
      ],
      allowed,
    ),
  )('accepts %s: %s', async (member, _why, sent) => {
    const body = { ...(await authorBody(service)), [member]: sent };
    const item = await service.create<Author>('/authors', body);
    expect(item).toHaveProperty(member, sent);
    expect((await service.get(`/authors/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, why: string, changes: object]>([
    ['name', 'a number', { name: 5 }],
    ['name', 'with a NUL character', { name: 'Ursula K. Le Guin\u0000' }],
    ['name', 'with half of a surrogate pair', { name: 'Ursula K. Le Guin\ud800' }],
    ['name', 'too long', { name: 'Ursula K. Le Guin' + 'x'.repeat(184) }],
    ['name', 'too short', { name: '' }],
    ['name', 'null', { name: null }],
    ['born_on', 'no day of the calendar', { born_on: '2026-02-30' }],
    ['born_on', 'in short', { born_on: '2026-1-31' }],
    ['born_on', 'a time', { born_on: '2026-01-31T00:00:00Z' }],
    ['born_on', 'a number', { born_on: 20260131 }],
    ['website', 'a number', { website: 5 }],
    ['website', 'with a NUL character', { website: 'https://example.org/1\u0000' }],
    ['website', 'with half of a surrogate pair', { website: 'https://example.org/1\ud800' }],
    ['website', 'too long', { website: 'https://example.org/1' + 'x'.repeat(1980) }],
    ['website', 'no uri', { website: 'nothing of the kind' }],
    ['biography', 'a number', { biography: 5 }],
    ['biography', 'with a NUL character', { biography: 'Biography 1\u0000' }],
    ['biography', 'with half of a surrogate pair', { biography: 'Biography 1\ud800' }],
    ['biography', 'too long', { biography: 'Biography 1' + 'x'.repeat(19990) }],
  ])('refuses %s: %s (422)', async (member, _why, changes) => {
    const body = { ...(await authorBody(service)), ...changes };
    expect(await service.post('/authors', body)).toBeError(422, member);
    const item = await createAuthor(service);
    expect(await service.patch(`/authors/${item.id}`, changes)).toBeError(422, member);
    expect((await service.get(`/authors/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, value: unknown]>([
    ['id', NO_ID],
    ['created_at', '2026-01-31T12:00:00Z'],
    ['updated_at', '2026-01-31T12:00:00Z'],
    ['unheard_of', 1],
  ])('refuses the read-only or unknown member %s (422)', async (member, value) => {
    const body = { ...(await authorBody(service)), [member]: value };
    expect(await service.post('/authors', body)).toBeError(422, member);
    const item = await createAuthor(service);
    const path = `/authors/${item.id}`;
    expect(await service.put(path, { [member]: value })).toBeError(422, member);
    expect(await service.patch(path, { [member]: value })).toBeError(422, member);
    expect((await service.get(path)).body).toEqual(item);
  });
});

describe('lists of authors', () => {
  const items: Author[] = [];
  /** What items are compared by. */
  const keys = {
    name: (item: Author) => item.name,
    born_on: (item: Author) => item.born_on,
    created_at: (item: Author) => item.created_at.slice(0, -1),
  };

  beforeAll(async () => {
    await service.clear();
    items.length = 0;
    const given = listed<AuthorValues>(
      8,
      {
        name: [
          'quiet',
          'Quiet River',
          'say "yes", twice',
          'Élan Straße 7',
          'ｚ wide',
          '😀 beyond',
          'quiet',
          'quiet',
        ],
        born_on: [
          '2026-01-31',
          null,
          '2026-02-02',
          '2026-02-03',
          '2026-02-04',
          '2026-02-01',
          '2026-02-01',
          null,
        ],
        biography: [
          null,
          'say "yes", twice',
          'Élan Straße 7',
          'ｚ wide',
          '😀 beyond',
          'quiet',
          'quiet',
          'Quiet River',
        ],
      },
      allowed,
    );
    for (const members of given) items.push(await createAuthor(service, members));
    // Computed members may depend on items that were created later.
    for (const [at, { id }] of items.entries()) {
      items[at] = (await service.get<Author>(`/authors/${id}`)).body;
    }
  });

  test('return each item once, in order of creation', async () => {
    const ids = items.map(({ id }) => id);
    expect(await readForthAndBack(service, '/authors?limit=3')).toEqual({ forth: ids, back: ids });
    const answer = await service.get('/authors?count=true&limit=1');
    expect(answer.body).toEqual(items.slice(0, 1));
    expect(answer.headers.get('total-count')).toBe(String(items.length));
    for (const query of ['', '&count=false']) {
      const { headers } = await service.get(`/authors?limit=1${query}`);
      expect(headers.get('total-count')).toBeNull();
    }
  });

  test.each(['name', 'born_on', 'created_at'] as const)(
    'sort by %s, ascending and descending',
    async (sort) => {
      const rising = sortBy(items, keys[sort]).map(({ id }) => id);
      const falling = rising.toReversed();
      const path = '/authors?limit=3&sort=';
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

  test('sort by name ascending and born_on descending', async () => {
    const falling = sortBy(items, keys.born_on).toReversed();
    const ids = sortBy(falling, keys.name).map(({ id }) => id);
    const path = '/authors?limit=3&sort=name,-born_on';
    expect(await readForthAndBack(service, path)).toEqual({ forth: ids, back: ids });
    expect(await readForthAndBack(service, path.replace(',', '&sort='))).toEqual({
      forth: ids,
      back: ids,
    });
  });

  test.each<[member: keyof Author, options: FilterOptions<Author>]>([
    ['name', { order: keys.name, canBeEmpty: true }],
  ])('filter by %s', async (member, options) => {
    for (const [query, found] of filtersOf(items, member, options)) {
      const answer = await readAll(service, `/authors?${query}`);
      expect([query, answer]).toEqual([query, found]);
    }
  });

  test.each([
    ['name[null]', 'perhaps'],
    ['name[like]', 'a'],
  ])('refuse %s=%s (400)', async (parameter, value) => {
    const query = String(new URLSearchParams({ [parameter]: value }));
    expect(await service.get(`/authors?${query}`)).toBeError(400, parameter);
  });

  test('search for every word of q', async () => {
    for (const [q, found] of searchesOf(items, ['name', 'biography'])) {
      const answer = await readAll(service, `/authors?q=${encodeURIComponent(q)}`);
      expect([q, answer]).toEqual([q, found]);
    }
  });

  test('return only the members in fields', async () => {
    const some = items.map((item) => ({ id: item.id, name: item.name, born_on: item.born_on }));
    const path = '/authors?fields=name,born_on';
    expect(await readAll(service, path)).toEqual(some);
    expect(await readAll(service, path.replace(',', '&fields='))).toEqual(some);
    expect(await service.get('/authors?fields=unheard_of')).toBeError(400, 'fields');
  });

  test.each(['unheard_of=1', 'limit=1&limit=2', 'sort=unheard_of', 'limit=0', 'q=', 'q=%20-'])(
    'refuse %s (400)',
    async (query) => {
      const [name = ''] = query.split('=');
      expect(await service.get(`/authors?${query}`)).toBeError(400, name);
    },
  );
});
