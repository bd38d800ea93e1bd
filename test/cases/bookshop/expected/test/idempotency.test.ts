/** The header Idempotency-Key: repeated POST requests create one item. */
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { buildApp } from '../src/app.ts';
import type { Author } from '../src/collections/authors/schema.ts';
import { readConfig } from '../src/config.ts';
import { deleteExpiredAnswers } from '../src/platform/database/idempotency-store.ts';
import { authorBody, createAuthor } from './support/items/authors.ts';
import { basic, createUser, userBody } from './support/items/users.ts';
import { makeCaller } from './support/callers.ts';
import { sendRaw } from './support/raw.ts';
import { API, sharedService, TestService } from './support/service.ts';
import type { Item } from './support/service.ts';
import { setRoles } from './support/users.ts';

const service = await sharedService();
const VENDOR = 'application/vnd.bookshop.v1+json';
const PATH = `${API}/authors`;

beforeEach(() => service.clear());

/** Sends a POST with a key. */
const post = (key: string, body: unknown, client = service, path = PATH) =>
  client.request<Author>('POST', path, { headers: { 'idempotency-key': key }, body });

const count = async (): Promise<string | null> =>
  (await service.get('/authors?count=true')).headers.get('total-count');

/** Makes all stored responses older. */
const age = (interval: string): Promise<unknown[]> =>
  service.database.query({ text: 'update "_answers" set "created_at" = now() - $1::interval' }, [
    interval,
  ]);

/** The number of stored responses. */
const storedResponses = async (): Promise<number> =>
  (await service.database.query({ text: 'select 1 from "_answers"' })).length;

test('replays the first response to a repeated request', async () => {
  const body = await authorBody(service);
  const first = await post('once', body);
  expect(first).toHaveStatus(201);
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  const again = await post('once', body);
  expect(again).toHaveStatus(201);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.body).toEqual(first.body);
  for (const name of ['location', 'etag', 'content-type', 'content-length']) {
    expect(again.headers.get(name)).toBe(first.headers.get(name));
  }
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  expect(await count()).toBe('1');
});

test('replays in another process, and after the item was removed', async () => {
  const body = await authorBody(service);
  const first = await post('once', body);
  expect(await service.delete(`/authors/${first.body.id}`)).toHaveStatus(204);
  const app = await buildApp(readConfig({ LOG_LEVEL: 'silent' }), service.database);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const other = new TestService(app, service.database, service.credential);
  const again = await post('once', body, other);
  await app.close();
  expect(again).toHaveStatus(201);
  expect(again.body).toEqual(first.body);
});

test('compares bodies as JSON values', async () => {
  const body = await authorBody(service);
  const first = await post('once', JSON.stringify(body));
  expect(first).toHaveStatus(201);
  const members = Object.fromEntries(Object.entries(body).toReversed());
  const again = await post('once', JSON.stringify(members, undefined, 2));
  expect(again).toHaveStatus(201);
  expect(again.body).toEqual(first.body);
});

test('refuses a key with another body (422)', async () => {
  const body = await authorBody(service);
  expect(await post('once', body)).toHaveStatus(201);
  const other = { ...body, unheard_of: 1 };
  const answer = await post('once', other);
  expect(answer).toBeError(422, 'Idempotency-Key');
  expect(await post('another', other)).toBeError(422, 'unheard_of');
  expect(await count()).toBe('1');
});

test.each(['!', 'x'.repeat(255), '"quoted"', 'a,b', '~'])('accepts the key %s', async (key) => {
  expect(await post(key, await authorBody(service))).toHaveStatus(201);
});

test.each(['', 'x'.repeat(256), 'a b', 'a\tb', 'é'])('refuses the key %j (400)', async (key) => {
  expect(await post(key, await authorBody(service))).toBeError(400, 'Idempotency-Key');
  expect(await count()).toBe('0');
});

test('refuses repeated headers (400)', async () => {
  const body = JSON.stringify(await authorBody(service));
  const answer = await sendRaw(
    service.port,
    [
      `POST ${PATH} HTTP/1.1`,
      `Host: 127.0.0.1:${service.port}`,
      'Connection: close',
      `Accept: ${VENDOR}`,
      `Authorization: ${service.credential}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Idempotency-Key: one',
      'Idempotency-Key: one',
    ],
    body,
  );
  expect(answer).toBeError(400, 'Idempotency-Key');
});

test('answers 415 and 400 before it looks at the key', async () => {
  const body = await authorBody(service);
  expect(await post('once', body)).toHaveStatus(201);
  const headers = { 'idempotency-key': 'once', 'content-type': 'text/plain' };
  expect(await service.request('POST', PATH, { headers, body: '{' })).toBeError(415);
  expect(await post('once', body, service, `${PATH}?unheard_of=1`)).toBeError(400, 'unheard_of');
  expect(await post('once', '{')).toBeError(400);
});

test('does not store refusals', async () => {
  const body = await authorBody(service);
  expect(await post('once', { ...body, unheard_of: 1 })).toBeError(422, 'unheard_of');
  expect(await post('once', { ...body, unheard_of: 1 })).toBeError(422, 'unheard_of');
  expect(await post('once', body)).toHaveStatus(201);
});

test('separates keys by user and path', async () => {
  const other = await makeCaller(service, 'another user', ['admin']);
  const first = await post('once', await authorBody(service));
  const second = await post('once', await authorBody(service), other.service);
  expect(second).toHaveStatus(201);
  expect(second.body.id).not.toBe(first.body.id);
  expect(await post('once', userBody(), service, `${API}/users`)).toHaveStatus(201);
  expect(await count()).toBe('2');
});

test('creates one item for concurrent requests', async () => {
  const body = await authorBody(service);
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('once', body)));
  const made = answers.filter(({ status }) => status === 201);
  const conflicts = answers.filter(({ status }) => status === 409);
  expect(made.length + conflicts.length).toBe(20);
  expect(made.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1);
  expect(new Set(made.map(({ body: { id } }) => id)).size).toBe(1);
  expect(await count()).toBe('1');
});

test('shares keys between paths and Accept', async () => {
  const body = await authorBody(service);
  const headers = { 'idempotency-key': 'once', accept: VENDOR };
  const byPath = await post('once', body);
  const byAccept = await service.request<Author>('POST', '/api/authors', { headers, body });
  expect(byAccept).toHaveStatus(201);
  expect(byAccept.body).toEqual(byPath.body);
  expect(byAccept.headers.get('content-type')).toBe(VENDOR);
  expect(byAccept.headers.get('location')).toBe(`/api/authors/${byPath.body.id}`);
  expect(await count()).toBe('1');
});

describe('expiry', () => {
  test('keys are valid for 24 hours, and free afterwards', async () => {
    const body = await authorBody(service);
    const first = await post('once', body);
    await age('23 hours 59 minutes');
    expect((await post('once', body)).body.id).toBe(first.body.id);
    await age('24 hours');
    const other = await authorBody(service);
    const second = await post('once', other);
    expect(second).toHaveStatus(201);
    expect(second.body.id).not.toBe(first.body.id);
    expect((await post('once', other)).body.id).toBe(second.body.id);
  });

  test('expired responses are deleted', async () => {
    await post('old', await authorBody(service));
    await age('24 hours');
    await post('young', await authorBody(service));
    expect(await storedResponses()).toBe(2);
    await deleteExpiredAnswers(service.database);
    expect(await storedResponses()).toBe(1);
  });

  test('each process deletes them every ten minutes', async () => {
    await post('old', await authorBody(service));
    await age('24 hours');
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const app = await buildApp(readConfig({ LOG_LEVEL: 'silent' }), service.database);
    vi.advanceTimersByTime(10 * 60_000);
    await expect.poll(storedResponses, { timeout: 10_000 }).toBe(0);
    await app.close();
    vi.useRealTimers();
  });
});

describe('users', () => {
  test('replays nothing to users who lost the permission (403) or were removed (401)', async () => {
    const caller = await makeCaller(service, 'for a while', ['admin']);
    const body = userBody();
    const create = () => post('once', body, caller.service, `${API}/users`);
    expect(await create()).toHaveStatus(201);
    expect(await create()).toHaveStatus(201);
    await setRoles(service.database, caller.id, []);
    expect(await create()).toBeError(403);
    await service.delete(`/users/${caller.id}`);
    expect(await create()).toBeError(401);
  });

  test('stores neither passwords nor keys', async () => {
    const body = userBody({ password: 'a very secret password' });
    const answer = await post('a-key-of-mine', body, service, `${API}/users`);
    expect(answer).toHaveStatus(201);
    const rows = await service.database.query<{ row: string }>({
      text: `select "_answers"::text as "row" from "_answers"`,
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).toContain(answer.body.id);
    expect(rows[0]?.row).not.toContain('secret');
    expect(rows[0]?.row).not.toContain('a-key-of-mine');
  });

  test('refuses keys on POST /tokens (400)', async () => {
    const { username } = await createUser(service);
    const answer = await post('once', {}, service.as(basic(username)), `${API}/tokens`);
    expect(answer).toBeError(400, 'Idempotency-Key');
  });
});

test('ignores keys on GET and PATCH', async () => {
  const item = await createAuthor(service);
  const headers = { 'idempotency-key': 'no key at all' };
  const path = `${PATH}/${item.id}`;
  expect(await service.request('PATCH', path, { headers, body: {} })).toHaveStatus(200);
  expect(await service.request<Item>('GET', path, { headers })).toHaveStatus(200);
});
