/** The endpoints of to strings. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { ToString, ToStringValues } from '../../src/collections/to-strings/schema.ts';
import { ToStringComputed } from '../../src/collections/to-strings/schema.ts';
import { allowed, another, changed } from '../fixtures/to-strings.ts';
import { A_TIME, AN_ID, computedOf, NO_ID } from '../support/expected.ts';
import { createConstructor } from '../support/items/constructors.ts';
import { createToString, toStringBody } from '../support/items/to-strings.ts';
import { listed, readAll, readForthAndBack, sortBy } from '../support/lists.ts';
import { API, startService } from '../support/service.ts';
import { clearable, limits } from '../support/values.ts';

const service = await startService();

/** What a to string has of members that nobody sent. */
const UNSET = {
  constructor: null,
  item_id: null,
};

/** A body with all members. */
const fullToString = async () => ({
  ...another(),
  constructor_id: (await createConstructor(service)).id,
  item_id: (await createConstructor(service)).id,
});

describe('to strings', () => {
  beforeEach(() => service.clear());

  test('POST creates an item (201)', async () => {
    const body = await fullToString();
    const answer = await service.post<ToString>('/to-strings', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(answer.body, ToStringComputed),
    });
    expect(answer.headers.get('location')).toBe(`${API}/to-strings/${answer.body.id}`);
  });

  test('POST with an Idempotency-Key creates one item when it is repeated', async () => {
    const request = { headers: { 'idempotency-key': 'once' }, body: await fullToString() };
    const first = await service.request<ToString>('POST', `${API}/to-strings`, request);
    expect(first).toHaveStatus(201);
    const { headers } = await service.get('/to-strings?count=true');
    const again = await service.request<ToString>('POST', `${API}/to-strings`, request);
    expect(again).toHaveStatus(201);
    expect(again.body).toEqual(first.body);
    const after = await service.get('/to-strings?count=true');
    expect(after.headers.get('total-count')).toBe(headers.get('total-count'));
  });

  test('POST fills in defaults', async () => {
    const body = await toStringBody(service);
    const item = await service.create<ToString>('/to-strings', body);
    expect(item).toEqual({
      ...UNSET,
      ...body,
      id: AN_ID,
      created_at: A_TIME,
      updated_at: A_TIME,
      ...computedOf(item, ToStringComputed),
    });
  });

  test('GET returns an item, and HEAD its headers', async () => {
    const item = await createToString(service);
    const answer = await service.get(`/to-strings/${item.id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual(item);
    const upperCase = await service.get(`/to-strings/${item.id.toUpperCase()}`);
    expect(upperCase.body).toEqual(item);
    const head = await service.head(`/to-strings/${item.id}`);
    expect(head).toHaveStatus(200);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
  });

  test('PUT replaces an item, and resets absent members to their default or null', async () => {
    const body = await fullToString();
    const item = await service.create<ToString>('/to-strings', body);
    const other = await toStringBody(service, { constructor_id: body.constructor_id });
    const answer = await service.put<ToString>(`/to-strings/${item.id}`, other);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      ...UNSET,
      ...other,
      updated_at: A_TIME,
      ...computedOf(answer.body, ToStringComputed),
    });
    expect(answer.body.updated_at).not.toBe(item.updated_at);
    expect((await service.get(`/to-strings/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(Object.entries(changed()))('PATCH changes %s only', async (member, value) => {
    const item = await service.create<ToString>('/to-strings', await fullToString());
    const answer = await service.patch<ToString>(`/to-strings/${item.id}`, { [member]: value });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      ...item,
      [member]: value,
      updated_at: A_TIME,
      ...computedOf(answer.body, ToStringComputed),
    });
    expect((await service.get(`/to-strings/${item.id}`)).body).toEqual(answer.body);
  });

  test.each(clearable(['constructor', 'item_id'], allowed))(
    'PATCH clears %s with null',
    async (member) => {
      const item = await service.create<ToString>('/to-strings', await fullToString());
      const answer = await service.patch<ToString>(`/to-strings/${item.id}`, { [member]: null });
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual({
        ...item,
        [member]: null,
        updated_at: A_TIME,
        ...computedOf(answer.body, ToStringComputed),
      });
    },
  );

  test('answers If-None-Match with 304, and an outdated If-Match with 412', async () => {
    const body = await toStringBody(service);
    const made = await service.post<ToString>('/to-strings', body);
    const item = made.body;
    const path = `${API}/to-strings/${item.id}`;
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
    const item = await createToString(service);
    const path = `/to-strings/${item.id}`;
    const answer = await service.delete(path);
    expect(answer).toHaveStatus(204);
    expect(answer.body).toBeUndefined();
    expect(await service.get(path)).toBeError(410);
    expect(await service.head(path)).toHaveStatus(410);
    expect(await service.put(path, await toStringBody(service))).toBeError(410);
    expect(await service.patch(path, {})).toBeError(410);
    expect(await service.delete(path)).toBeError(410);
    expect((await service.get('/to-strings')).body).not.toContainEqual(item);
  });

  test.each([NO_ID, 'no-id'])('answers 404 for the id %s', async (id) => {
    const path = `/to-strings/${id}`;
    expect(await service.get(path)).toBeError(404);
    expect(await service.head(path)).toHaveStatus(404);
    expect(await service.put(path, {})).toBeError(404);
    expect(await service.patch(path, {})).toBeError(404);
    expect(await service.delete(path)).toBeError(404);
  });

  test.each(['constructor_id'])('POST requires %s (422)', async (member) => {
    const { [member]: _left, ...body }: Record<string, unknown> = await fullToString();
    expect(await service.post('/to-strings', body)).toBeError(422, member);
  });

  test('PUT requires the same members (422)', async () => {
    const item = await createToString(service);
    expect(await service.put(`/to-strings/${item.id}`, {})).toBeError(422, 'constructor_id');
  });

  test.each(
    limits(
      [
        ['constructor', 'the shortest', ''],
        ['constructor', 'with blanks around', ' a '],
        ['constructor', 'with quotes and backslashes', '\'"\\%_'],
      ],
      allowed,
    ),
  )('accepts %s: %s', async (member, _why, sent) => {
    const body = { ...(await toStringBody(service)), [member]: sent };
    const item = await service.create<ToString>('/to-strings', body);
    expect(item).toHaveProperty(member, sent);
    expect((await service.get(`/to-strings/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, why: string, changes: object]>([
    ['constructor', 'a number', { constructor: 5 }],
    ['constructor', 'with a NUL character', { constructor: 'Constructor 1\u0000' }],
    ['constructor', 'with half of a surrogate pair', { constructor: 'Constructor 1\ud800' }],
    ['constructor_id', 'no UUID', { constructor_id: 'nobody' }],
    ['constructor_id', 'a number', { constructor_id: 5 }],
    ['constructor_id', 'null', { constructor_id: null }],
    ['item_id', 'no UUID', { item_id: 'nobody' }],
    ['item_id', 'a number', { item_id: 5 }],
  ])('refuses %s: %s (422)', async (member, _why, changes) => {
    const body = { ...(await toStringBody(service)), ...changes };
    expect(await service.post('/to-strings', body)).toBeError(422, member);
    const item = await createToString(service);
    expect(await service.patch(`/to-strings/${item.id}`, changes)).toBeError(422, member);
    expect((await service.get(`/to-strings/${item.id}`)).body).toEqual(item);
  });

  test.each<[member: string, value: unknown]>([
    ['id', NO_ID],
    ['created_at', '2026-01-31T12:00:00Z'],
    ['updated_at', '2026-01-31T12:00:00Z'],
    ['unheard_of', 1],
  ])('refuses the read-only or unknown member %s (422)', async (member, value) => {
    const body = { ...(await toStringBody(service)), [member]: value };
    expect(await service.post('/to-strings', body)).toBeError(422, member);
    const item = await createToString(service);
    const path = `/to-strings/${item.id}`;
    expect(await service.put(path, { [member]: value })).toBeError(422, member);
    expect(await service.patch(path, { [member]: value })).toBeError(422, member);
    expect((await service.get(path)).body).toEqual(item);
  });

  test('refuses constructor_id of a constructor that does not exist (422)', async () => {
    const removed = await createConstructor(service);
    await service.delete(`/constructors/${removed.id}`);
    for (const id of [NO_ID, removed.id]) {
      const body = { ...(await toStringBody(service)), constructor_id: id };
      expect(await service.post('/to-strings', body)).toBeError(422, 'constructor_id');
      const keyed = { headers: { 'idempotency-key': 'once' }, body };
      const refused = await service.request('POST', `${API}/to-strings`, keyed);
      expect(refused).toBeError(422, 'constructor_id');
      const item = await createToString(service);
      const answer = await service.patch(`/to-strings/${item.id}`, { constructor_id: id });
      expect(answer).toBeError(422, 'constructor_id');
    }
  });

  test('refuses to remove a constructor that constructor_id refers to (409)', async () => {
    const constructor = await createConstructor(service);
    const item = await createToString(service, { constructor_id: constructor.id });
    expect(await service.delete(`/constructors/${constructor.id}`)).toBeError(409);
    expect(await service.get(`/constructors/${constructor.id}`)).toHaveStatus(200);
    expect(await service.delete(`/to-strings/${item.id}`)).toHaveStatus(204);
    expect(await service.delete(`/constructors/${constructor.id}`)).toHaveStatus(204);
  });

  test('refuses item_id of a constructor that does not exist (422)', async () => {
    const removed = await createConstructor(service);
    await service.delete(`/constructors/${removed.id}`);
    for (const id of [NO_ID, removed.id]) {
      const body = { ...(await toStringBody(service)), item_id: id };
      expect(await service.post('/to-strings', body)).toBeError(422, 'item_id');
      const keyed = { headers: { 'idempotency-key': 'once' }, body };
      const refused = await service.request('POST', `${API}/to-strings`, keyed);
      expect(refused).toBeError(422, 'item_id');
      const item = await createToString(service);
      const answer = await service.patch(`/to-strings/${item.id}`, { item_id: id });
      expect(answer).toBeError(422, 'item_id');
    }
  });

  test('the removal of a constructor clears item_id', async () => {
    const itemItem = await createConstructor(service);
    const item = await createToString(service, { item_id: itemItem.id });
    expect(await service.delete(`/constructors/${itemItem.id}`)).toHaveStatus(204);
    const answer = await service.get<ToString>(`/to-strings/${item.id}`);
    expect(answer.body).toEqual({
      ...item,
      item_id: null,
      updated_at: A_TIME,
      ...computedOf(answer.body, ToStringComputed),
    });
  });

  test('lists and creates items at /constructors/{id}/value-ofs', async () => {
    const constructor = await createConstructor(service);
    const path = `/constructors/${constructor.id}/value-ofs`;
    const { constructor_id: _parent, ...body } = await toStringBody(service, {
      constructor_id: constructor.id,
    });
    const answer = await service.post<ToString>(path, body);
    expect(answer).toHaveStatus(201);
    const item = answer.body;
    expect(answer.headers.get('location')).toBe(`${API}/to-strings/${item.id}`);
    expect(item.constructor_id).toBe(constructor.id);
    const own = await toStringBody(service, { constructor_id: constructor.id });
    const second = await service.create<ToString>(path, own);
    await createToString(service);
    const first = await service.get(`/to-strings/${item.id}`);
    const other = await service.get(`/to-strings/${second.id}`);
    expect((await service.get(path)).body).toEqual([first.body, other.body]);
    expect((await service.get(`${path}?limit=1`)).headers.get('link')).toContain(
      `<${API}${path}?limit=1&cursor=`,
    );
    expect(await service.head(path)).toHaveStatus(200);

    const named = await toStringBody(service, { constructor_id: NO_ID });
    expect(await service.post(path, named)).toBeError(422, 'constructor_id');
    expect(await service.put(path, {})).toBeError(405);
  });

  test('separates each Idempotency-Key by parent at /constructors/{id}/value-ofs', async () => {
    for (const { id } of [await createConstructor(service), await createConstructor(service)]) {
      const { constructor_id: _parent, ...body } = await toStringBody(service, {
        constructor_id: id,
      });
      const keyed = { headers: { 'idempotency-key': 'once' }, body };
      const answer = await service.request('POST', `${API}/constructors/${id}/value-ofs`, keyed);
      expect(answer).toHaveStatus(201);
    }
  });

  test('lists and creates items at /constructors/{id}/items', async () => {
    const itemItem = await createConstructor(service);
    const path = `/constructors/${itemItem.id}/items`;
    const { item_id: _parent, ...body } = await toStringBody(service, { item_id: itemItem.id });
    const answer = await service.post<ToString>(path, body);
    expect(answer).toHaveStatus(201);
    const item = answer.body;
    expect(answer.headers.get('location')).toBe(`${API}/to-strings/${item.id}`);
    expect(item.item_id).toBe(itemItem.id);
    const own = await toStringBody(service, { item_id: itemItem.id });
    const second = await service.create<ToString>(path, own);
    await createToString(service);
    const first = await service.get(`/to-strings/${item.id}`);
    const other = await service.get(`/to-strings/${second.id}`);
    expect((await service.get(path)).body).toEqual([first.body, other.body]);
    expect((await service.get(`${path}?limit=1`)).headers.get('link')).toContain(
      `<${API}${path}?limit=1&cursor=`,
    );
    expect(await service.head(path)).toHaveStatus(200);

    const named = await toStringBody(service, { item_id: NO_ID });
    expect(await service.post(path, named)).toBeError(422, 'item_id');
    expect(await service.put(path, {})).toBeError(405);
  });

  test('separates each Idempotency-Key by parent at /constructors/{id}/items', async () => {
    for (const { id } of [await createConstructor(service), await createConstructor(service)]) {
      const { item_id: _parent, ...body } = await toStringBody(service, { item_id: id });
      const keyed = { headers: { 'idempotency-key': 'once' }, body };
      const answer = await service.request('POST', `${API}/constructors/${id}/items`, keyed);
      expect(answer).toHaveStatus(201);
    }
  });
});

describe('lists of to strings', () => {
  const items: ToString[] = [];
  /** What items are compared by. */
  const keys = {
    constructor: (item: ToString) => item.constructor,
  };

  beforeAll(async () => {
    await service.clear();
    items.length = 0;
    const given = listed<ToStringValues>(
      8,
      {
        constructor: [
          'quiet',
          'Quiet River',
          null,
          'say "yes", twice',
          'Élan Straße 7',
          'ｚ wide',
          '😀 beyond',
          'quiet',
        ],
      },
      allowed,
    );
    for (const members of given) items.push(await createToString(service, members));
    // Computed members may depend on items that were created later.
    for (const [at, { id }] of items.entries()) {
      items[at] = (await service.get<ToString>(`/to-strings/${id}`)).body;
    }
  });

  test('return each item once, in order of creation', async () => {
    const ids = items.map(({ id }) => id);
    expect(await readForthAndBack(service, '/to-strings?limit=3')).toEqual({
      forth: ids,
      back: ids,
    });
    const answer = await service.get('/to-strings?count=true&limit=1');
    expect(answer.body).toEqual(items.slice(0, 1));
    expect(answer.headers.get('total-count')).toBe(String(items.length));
    for (const query of ['', '&count=false']) {
      const { headers } = await service.get(`/to-strings?limit=1${query}`);
      expect(headers.get('total-count')).toBeNull();
    }
  });

  test.each(['constructor'] as const)('sort by %s, ascending and descending', async (sort) => {
    const rising = sortBy(items, keys[sort]).map(({ id }) => id);
    const falling = rising.toReversed();
    const path = '/to-strings?limit=3&sort=';
    expect(await readForthAndBack(service, `${path}${sort}`)).toEqual({
      forth: rising,
      back: rising,
    });
    expect(await readForthAndBack(service, `${path}-${sort}`)).toEqual({
      forth: falling,
      back: falling,
    });
  });

  test('return only the members in fields', async () => {
    const some = items.map((item) => ({
      id: item.id,
      constructor: item.constructor,
      constructor_id: item.constructor_id,
    }));
    expect(await readAll(service, '/to-strings?fields=constructor,constructor_id')).toEqual(some);
    expect(await service.get('/to-strings?fields=unheard_of')).toBeError(400, 'fields');
  });

  test.each(['unheard_of=1', 'limit=1&limit=2', 'sort=unheard_of', 'limit=0', 'q=word'])(
    'refuse %s (400)',
    async (query) => {
      const [name = ''] = query.split('=');
      expect(await service.get(`/to-strings?${query}`)).toBeError(400, name);
    },
  );
});
