/** The endpoints of keys. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { KeyItem, KeyItemValues } from '../../src/collections/keys/schema.ts';
import { createKeyItem, keyBody } from '../fixtures/keys.ts';
import { A_TIME, AN_ID, NO_ID } from '../support/expected.ts';
import { readAll, readForthAndBack, sortBy } from '../support/lists.ts';
import type { Key } from '../support/lists.ts';
import { API, startService } from '../support/service.ts';

const service = await startService();

/** A body with all members that clients can set. */
async function fullKeyItem() {
  return {
    length: 1,
  };
}

describe('keys', () => {
  beforeEach(() => service.clear());

  test('POST creates an item (201)', async () => {
    const body = await fullKeyItem();
    const answer = await service.post<KeyItem>('/keys', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      id: AN_ID,
      length: 1,
      created_at: A_TIME,
      updated_at: A_TIME,
    });
    expect(answer.headers.get('location')).toBe(`${API}/keys/${answer.body.id}`);
  });

  test('POST with an Idempotency-Key creates one item when it is repeated', async () => {
    const request = { headers: { 'idempotency-key': 'once' }, body: await fullKeyItem() };
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
    expect(await createKeyItem(service)).toMatchObject({
      length: null,
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
    const item = await service.create<KeyItem>('/keys', await fullKeyItem());
    const answer = await service.put<KeyItem>(`/keys/${item.id}`, {});
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      length: null,
      updated_at: A_TIME,
    });
    expect(answer.body.updated_at).not.toBe(item.updated_at);
    expect((await service.get(`/keys/${item.id}`)).body).toEqual(answer.body);
  });

  test.each<[member: string, sent: unknown, answered: unknown]>([['length', 2, 2]])(
    'PATCH changes %s only',
    async (member, sent, answered) => {
      const item = await service.create<KeyItem>('/keys', await fullKeyItem());
      const answer = await service.patch(`/keys/${item.id}`, { [member]: sent });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({ ...item, [member]: answered, updated_at: A_TIME });
      expect((await service.get(`/keys/${item.id}`)).body).toEqual(answer.body);
    },
  );

  test.each(['length'])('PATCH clears %s with null', async (member) => {
    const item = await service.create<KeyItem>('/keys', await fullKeyItem());
    const answer = await service.patch(`/keys/${item.id}`, { [member]: null });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({ ...item, [member]: null, updated_at: A_TIME });
  });

  test('answers If-None-Match with 304, and an outdated If-Match with 412', async () => {
    const made = await service.post<KeyItem>('/keys', await keyBody(service));
    const item = made.body;
    const path = `${API}/keys/${item.id}`;
    const first = made.headers.get('etag') ?? '';
    expect(first).toMatch(/^"[^"]+"$/);
    expect((await service.request('GET', path)).headers.get('etag')).toBe(first);
    const has = { headers: { 'if-none-match': first } };
    expect(await service.request('GET', path, has)).toHaveStatus(304);

    const changed = await service.request('PATCH', path, {
      headers: { 'if-match': first },
      body: {},
    });
    expect(changed).toHaveStatus(200);
    const second = changed.headers.get('etag') ?? '';
    expect(second).not.toBe(first);
    const read = await service.request('GET', path, has);
    expect(read.body).toEqual(changed.body);
    expect(read.headers.get('etag')).toBe(second);
    const outdated = { headers: { 'if-match': first }, body: await keyBody(service) };
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect(await service.request(method, path, outdated)).toBeError(412);
    }
    expect((await service.request('GET', path)).body).toEqual(changed.body);

    const replaced = await service.request('PUT', path, {
      headers: { 'if-match': second },
      body: {},
    });
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

  test.each<[member: string, why: string, sent: unknown]>([
    ['length', 'the smallest', -9007199254740991],
    ['length', 'the largest', 9007199254740991],
  ])('accepts %s: %s', async (member, _why, sent) => {
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
  ])('refuses %s, which is read-only (422)', async (member, value) => {
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

  beforeAll(async () => {
    await service.clear();
    items.length = 0;
    const given: Partial<KeyItemValues>[] = [
      { length: 2 },
      { length: 1 },
      { length: null },
      { length: 3 },
      { length: 4 },
      { length: 5 },
      { length: 2 },
      { length: 2 },
    ];
    for (const members of given) items.push(await createKeyItem(service, members));
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

  test.each<[sort: string, key: (item: KeyItem) => Key]>([['length', (item) => item.length]])(
    'sort by %s, ascending and descending',
    async (sort, key) => {
      const rising = sortBy(items, key).map(({ id }) => id);
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
    },
  );

  test.each<[parameter: string, value: string, matches: (item: KeyItem) => boolean]>([
    ['length', '3', (item) => item.length === 3],
    ['length[ne]', '3', (item) => item.length !== 3],
    ['length[in]', '3,1', (item) => item.length === 3 || item.length === 1],
    ['length[gt]', '3', (item) => item.length !== null && item.length > 3],
    ['length[gte]', '3', (item) => item.length !== null && item.length >= 3],
    ['length[lt]', '3', (item) => item.length !== null && item.length < 3],
    ['length[lte]', '3', (item) => item.length !== null && item.length <= 3],
    ['length[null]', 'true', (item) => item.length === null],
    ['length[null]', 'false', (item) => item.length !== null],
  ])('filter by %s=%s', async (parameter, value, matches) => {
    const query = String(new URLSearchParams({ [parameter]: value }));
    expect(await readAll(service, `/keys?${query}`)).toEqual(items.filter(matches));
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
