/** Idempotency-Key: what is asked for twice is created once. */

import { beforeEach, describe, expect, test, vi } from 'vitest';

import { buildApp } from '../src/app.ts';
import type { Person } from '../src/collections/people/schema.ts';
import { readConfig } from '../src/config.ts';
import { forgetAnswers } from '../src/database/answers.ts';
import { personBody, createPerson } from './fixtures/people.ts';
import { userBody } from './fixtures/users.ts';
import { makeCaller } from './support/callers.ts';
import { sendRaw } from './support/raw.ts';
import { API, startService, TestService } from './support/service.ts';
import type { Item } from './support/service.ts';
import { setRoles } from './support/users.ts';

const service = await startService();
const VENDOR = 'application/vnd.library.v3+json';
const PATH = `${API}/people`;

beforeEach(() => service.clear());

/** Sends a POST with a key. */
const post = (key: string, body: unknown, asked = service, path = PATH) =>
  asked.request<Person>('POST', path, { headers: { 'idempotency-key': key }, body });

const count = async (): Promise<string | null> =>
  (await service.get('/people?count=true')).headers.get('total-count');

/** Makes all answers that are kept older. */
const age = (interval: string): Promise<unknown[]> =>
  service.database.query({ text: 'update "_answers" set "created_at" = now() - $1::interval' }, [
    interval,
  ]);

/** How many answers are kept. */
const kept = async (): Promise<number> =>
  (await service.database.query({ text: 'select 1 from "_answers"' })).length;

test('the same again is answered as the first time', async () => {
  const body = await personBody(service);
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

test('it is so in another process, and when the item is not there any more', async () => {
  const body = await personBody(service);
  const first = await post('once', body);
  expect(await service.delete(`/people/${first.body.id}`)).toHaveStatus(204);
  const app = await buildApp(readConfig({ LOG_LEVEL: 'silent' }), service.database);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const other = new TestService(app, service.database, service.credential);
  const again = await post('once', body, other);
  await app.close();
  expect(again).toHaveStatus(201);
  expect(again.body).toEqual(first.body);
});

test('what a body means is compared, and not how it is written', async () => {
  const body = await personBody(service);
  const first = await post('once', JSON.stringify(body));
  expect(first).toHaveStatus(201);
  const members = Object.fromEntries(Object.entries(body).toReversed());
  const again = await post('once', JSON.stringify(members, undefined, 2));
  expect(again).toHaveStatus(201);
  expect(again.body).toEqual(first.body);
});

test('something else with the same key is refused', async () => {
  const body = await personBody(service);
  expect(await post('once', body)).toHaveStatus(201);
  const other = { ...body, unheard_of: 1 };
  const answer = await post('once', other);
  expect(answer).toBeError(422, 'Idempotency-Key');
  expect(await post('another', other)).toBeError(422, 'unheard_of');
  expect(await count()).toBe('1');
});

test.each(['!', 'x'.repeat(255), '"quoted"', 'a,b', '~'])('%s is a key', async (key) => {
  expect(await post(key, await personBody(service))).toHaveStatus(201);
});

test.each(['', 'x'.repeat(256), 'a b', 'a\tb', 'é'])('%j is no key', async (key) => {
  expect(await post(key, await personBody(service))).toBeError(400, 'Idempotency-Key');
  expect(await count()).toBe('0');
});

test('two keys are none', async () => {
  const body = JSON.stringify(await personBody(service));
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

test('a key is looked at after the type of a body, the query, and the form of a body', async () => {
  const body = await personBody(service);
  expect(await post('once', body)).toHaveStatus(201);
  const headers = { 'idempotency-key': 'once', 'content-type': 'text/plain' };
  expect(await service.request('POST', PATH, { headers, body: '{' })).toBeError(415);
  expect(await post('once', body, service, `${PATH}?unheard_of=1`)).toBeError(400, 'unheard_of');
  expect(await post('once', '{')).toBeError(400);
});

test('what was refused is not kept', async () => {
  const body = await personBody(service);
  expect(await post('once', { ...body, unheard_of: 1 })).toBeError(422, 'unheard_of');
  expect(await post('once', { ...body, unheard_of: 1 })).toBeError(422, 'unheard_of');
  expect(await post('once', body)).toHaveStatus(201);
});

test('each user has keys of their own, and so has each path', async () => {
  const other = await makeCaller(service, 'somebody else', ['admin']);
  const first = await post('once', await personBody(service));
  const second = await post('once', await personBody(service), other.service);
  expect(second).toHaveStatus(201);
  expect(second.body.id).not.toBe(first.body.id);
  expect(await post('once', userBody(), service, `${API}/users`)).toHaveStatus(201);
  expect(await count()).toBe('2');
});

test('one item comes of many at once', async () => {
  const body = await personBody(service);
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('once', body)));
  const made = answers.filter(({ status }) => status === 201);
  const underWay = answers.filter(({ status }) => status === 409);
  expect(made.length + underWay.length).toBe(20);
  expect(made.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1);
  expect(new Set(made.map(({ body: { id } }) => id)).size).toBe(1);
  expect(await count()).toBe('1');
});

test('the way that a version is named does not matter to a key', async () => {
  const body = await personBody(service);
  const headers = { 'idempotency-key': 'once', accept: VENDOR };
  const byPath = await post('once', body);
  const byAccept = await service.request<Person>('POST', '/api/people', { headers, body });
  expect(byAccept).toHaveStatus(201);
  expect(byAccept.body).toEqual(byPath.body);
  expect(byAccept.headers.get('content-type')).toBe(VENDOR);
  expect(byAccept.headers.get('location')).toBe(`/api/people/${byPath.body.id}`);
  expect(await count()).toBe('1');
});

test('in another version it is another request', async () => {
  const body = await personBody(service);
  expect(await post('once', body)).toHaveStatus(201);
  const headers = { 'idempotency-key': 'once' };
  const path = PATH.replace(API, '/api/v2');
  const answer = await service.request('POST', path, { headers, body });
  expect(answer).toBeError(422, 'Idempotency-Key');
  expect(await count()).toBe('1');
});

describe('time', () => {
  test('a key is good for a day, and free after it', async () => {
    const body = await personBody(service);
    const first = await post('once', body);
    await age('23 hours 59 minutes');
    expect((await post('once', body)).body.id).toBe(first.body.id);
    await age('24 hours');
    const other = await personBody(service);
    const second = await post('once', other);
    expect(second).toHaveStatus(201);
    expect(second.body.id).not.toBe(first.body.id);
    expect((await post('once', other)).body.id).toBe(second.body.id);
  });

  test('then its answer is forgotten', async () => {
    await post('old', await personBody(service));
    await age('24 hours');
    await post('young', await personBody(service));
    expect(await kept()).toBe(2);
    await forgetAnswers(service.database);
    expect(await kept()).toBe(1);
  });

  test('a process sees to that every ten minutes', async () => {
    await post('old', await personBody(service));
    await age('24 hours');
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const app = await buildApp(readConfig({ LOG_LEVEL: 'silent' }), service.database);
    vi.advanceTimersByTime(10 * 60_000);
    await expect.poll(kept, { timeout: 10_000 }).toBe(0);
    await app.close();
    vi.useRealTimers();
  });
});

describe('users', () => {
  test('whoever may not create any more is not answered either', async () => {
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

  test('nothing that is kept holds a password, or a key to try one out with', async () => {
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

  test('a token is shown once: a key is not possible', async () => {
    const answer = await post('once', {}, service, `${API}/tokens`);
    expect(answer).toBeError(400, 'Idempotency-Key');
  });
});

test('a change is the same however often it is sent: a key does not matter', async () => {
  const item = await createPerson(service);
  const headers = { 'idempotency-key': 'no key at all' };
  const path = `${PATH}/${item.id}`;
  expect(await service.request('PATCH', path, { headers, body: {} })).toHaveStatus(200);
  expect(await service.request<Item>('GET', path, { headers })).toHaveStatus(200);
});
