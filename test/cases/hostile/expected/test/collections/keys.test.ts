/** The endpoints of keys. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { KeyItem, KeyItemValues } from '../../src/collections/keys/schema.ts';
import { KeyItemComputed } from '../../src/collections/keys/schema.ts';
import { allowed, another, changed } from '../fixtures/keys.ts';
import { A_TIME, AN_ID, computedOf, NO_ID } from '../support/expected.ts';
import { createKeyItem, keyBody } from '../support/items/keys.ts';
import { filtersOf, listed, readAll, readForthAndBack, sortBy } from '../support/lists.ts';
import type { FilterOptions } from '../support/lists.ts';
import { API, startService } from '../support/service.ts';
import { clearable, limits } from '../support/values.ts';

const service = await startService();

/** What a key has of members that nobody sent. */
const UNSET = {
  length: null,
};

describe('keys', () => {
  beforeEach(() => service.clear());

  test('POST creates an item (201)', async () => {
    const body = another();
    const answer = await service.post<KeyItem>('/keys', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(answer.body, KeyItemComputed),
    });
    expect(answer.headers.get('location')).toBe(`${API}/keys/${answer.body.id}`);
  });

  test('POST with an Idempotency-Key creates one item when it is repeated', async () => {
    const request = { headers: { 'idempotency-key': 'once' }, body: another() };
    const first = await service.request<KeyItem>('POST', `${API}/keys`, request);
    expect(first).toHaveStatus(201);
    const { headers } = await service.get('/keys?count=true');
    const again = await service.request<KeyItem>('POST', `${API}/keys`, request);
    expect(again).toHaveStatus(201);
    expect(again.body).toEqual(first.body);
    const after = await service.get('/keys?count=true');
    expect(after.headers.get('total-count')).toBe(headers.get('total-count'));
  });

  test('POST fills in defaults', async () => {
    const body = await keyBody(service);
    const item = await service.create<KeyItem>('/keys', body);
    expect(item).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(item, KeyItemComputed),
    });
  });

  test('GET returns an item, and HEAD its headers', async () => {
    const item = await createKeyItem(service);
    const answer = await service.get(`/keys/${item.id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual(item);
    const upperCase = await service.get(`/keys/${item.id.toUpperCase()}`);
    expect(upperCase.body).toEqual(item);
    const head = await service.head(`/keys/${item.id}`);
    expect(head).toHaveStatus(200);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
  });

  test('PUT replaces an item, and resets absent members to their default or null', async () => {
    const body = another();
    const item = await service.create<KeyItem>('/keys', body);
    const other = await keyBody(service);
    const answer = await service.put<KeyItem>(`/keys/${item.id}`, other);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      ...UNSET,
      ...other,
      updated_at: A_TIME,
      ...computedOf(answer.body, KeyItemComputed),
    });
    expect(answer.body.updated_at).not.toBe(item.updated_at);
    expect((await service.get(`/keys/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(Object.entries(changed()))('PATCH changes %s only', async (member, value) => {
    const item = await service.create<KeyItem>('/keys', another());
    const answer = await service.patch<KeyItem>(`/keys/${item.id}`, { [member]: value });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: value,
      updated_at: A_TIME,
      ...computedOf(answer.body, KeyItemComputed),
    });
    expect((await service.get(`/keys/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(clearable(['length'], allowed))('PATCH clears %s with null', async (member) => {
    const item = await service.create<KeyItem>('/keys', another());
    const answer = await service.patch<KeyItem>(`/keys/${item.id}`, { [member]: null });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: null,
      updated_at: A_TIME,
      ...computedOf(answer.body, KeyItemComputed),
    });
  });

  test('answers If-None-Match with 304, and an outdated If-Match with 412', async () => {
    const body = await keyBody(service);
    const made = await service.post<KeyItem>('/keys', body);
    const item = made.body;
    const path = `${API}/keys/${item.id}`;
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
    const item = await createKeyItem(service);
    const path = `/keys/${item.id}`;
    const answer = await service.delete(path);
    expect(answer).toHaveStatus(204);
    expect(answer.body).toBeUndefined();
    expect(await service.get(path)).toBeError(410);
    expect(await service.head(path)).toHaveStatus(410);
    expect(await service.put(path, await keyBody(service))).toBeError(410);
    expect(await service.patch(path, {})).toBeError(410);
    expect(await service.delete(path)).toBeError(410);
    expect((await service.get('/keys')).body).not.toContainEqual(item);
  });

  test.each([NO_ID, 'no-id'])('answers 404 for the id %s', async (id) => {
    const path = `/keys/${id}`;
    expect(await service.get(path)).toBeError(404);
    expect(await service.head(path)).toHaveStatus(404);
    expect(await service.put(path, {})).toBeError(404);
    expect(await service.patch(path, {})).toBeError(404);
    expect(await service.delete(path)).toBeError(404);
  });

  test.each(
    limits(
      [
        ['length', 'the smallest', -9007199254740991],
        ['length', 'the largest', 9007199254740991],
      ],
      allowed,
    ),
  )('accepts %s: %s', async (member, _why, sent) => {
    const body = { ...(await keyBody(service)), [member]: sent };
    const item = await service.create<KeyItem>('/keys', body);
    expect(item).toHaveProperty(member, sent);
    expect((await service.get(`/keys/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, why: string, changes: object]>([
    ['length', 'a text', { length: '1' }],
    ['length', 'a fraction', { length: 1.5 }],
    ['length', 'true', { length: true }],
    ['length', 'beyond what a double holds', { length: 9007199254740992 }],
  ])('refuses %s: %s (422)', async (member, _why, changes) => {
    const body = { ...(await keyBody(service)), ...changes };
    expect(await service.post('/keys', body)).toBeError(422, member);
    const item = await createKeyItem(service);
    expect(await service.patch(`/keys/${item.id}`, changes)).toBeError(422, member);
    expect((await service.get(`/keys/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, value: unknown]>([
    ['id', NO_ID],
    ['created_at', '2026-01-31T12:00:00Z'],
    ['updated_at', '2026-01-31T12:00:00Z'],
    ['unheard_of', 1],
  ])('refuses the read-only or unknown member %s (422)', async (member, value) => {
    const body = { ...(await keyBody(service)), [member]: value };
    expect(await service.post('/keys', body)).toBeError(422, member);
    const item = await createKeyItem(service);
    const path = `/keys/${item.id}`;
    expect(await service.put(path, { [member]: value })).toBeError(422, member);
    expect(await service.patch(path, { [member]: value })).toBeError(422, member);
    expect((await service.get(path)).body).toEqual(item);
  });
});

describe('lists of keys', () => {
  const items: KeyItem[] = [];
  /** What items are compared by. */
  const keys = {
    length: (item: KeyItem) => item.length,
  };

  beforeAll(async () => {
    await service.clear();
    items.length = 0;
    const given = listed<KeyItemValues>(
      8,
      {
        length: [2, 1, null, 3, 4, 5, 2, 2],
      },
      allowed,
    );
    for (const members of given) items.push(await createKeyItem(service, members));
    // Computed members may depend on items that were created later.
    for (const [at, { id }] of items.entries()) {
      items[at] = (await service.get<KeyItem>(`/keys/${id}`)).body;
    }
  });

  test('return each item once, in order of creation', async () => {
    const ids = items.map(({ id }) => id);
    expect(await readForthAndBack(service, '/keys?limit=3')).toEqual({ forth: ids, back: ids });
    const answer = await service.get('/keys?count=true&limit=1');
    expect(answer.body).toEqual(items.slice(0, 1));
    expect(answer.headers.get('total-count')).toBe(String(items.length));
    for (const query of ['', '&count=false']) {
      const { headers } = await service.get(`/keys?limit=1${query}`);
      expect(headers.get('total-count')).toBeNull();
    }
  });

  test.each(['length'] as const)('sort by %s, ascending and descending', async (sort) => {
    const rising = sortBy(items, keys[sort]).map(({ id }) => id);
    const falling = rising.toReversed();
    const path = '/keys?limit=3&sort=';
    expect(await readForthAndBack(service, `${path}${sort}`)).toEqual({
      forth: rising,
      back: rising,
    });
    expect(await readForthAndBack(service, `${path}-${sort}`)).toEqual({
      forth: falling,
      back: falling,
    });
  });

  test.each<[member: keyof KeyItem, options: FilterOptions<KeyItem>]>([
    ['length', { order: keys.length }],
  ])('filter by %s', async (member, options) => {
    for (const [query, found] of filtersOf(items, member, options)) {
      const answer = await readAll(service, `/keys?${query}`);
      expect([query, answer]).toEqual([query, found]);
    }
  });

  test.each([
    ['length', '1.5'],
    ['length[null]', 'perhaps'],
    ['length[like]', 'a'],
  ])('refuse %s=%s (400)', async (parameter, value) => {
    const query = String(new URLSearchParams({ [parameter]: value }));
    expect(await service.get(`/keys?${query}`)).toBeError(400, parameter);
  });

  test('return only the members in fields', async () => {
    const some = items.map((item) => ({ id: item.id, length: item.length }));
    expect(await readAll(service, '/keys?fields=length')).toEqual(some);
    expect(await service.get('/keys?fields=unheard_of')).toBeError(400, 'fields');
  });

  test.each(['unheard_of=1', 'limit=1&limit=2', 'sort=unheard_of', 'limit=0', 'q=word'])(
    'refuse %s (400)',
    async (query) => {
      const [name = ''] = query.split('=');
      expect(await service.get(`/keys?${query}`)).toBeError(400, name);
    },
  );
});
