/** Preconditions: ETag, If-Match and If-None-Match. */
import { beforeEach, expect, test } from 'vitest';

import { buildApp } from '../src/app.ts';
import { deleteAuthor, findAuthor, updateAuthor } from '../src/collections/authors/repository.ts';
import { readConfig } from '../src/config.ts';
import { revisionOf } from '../src/platform/http/preconditions.ts';
import { createAuthor } from './support/items/authors.ts';
import { API, sharedService, TestService } from './support/service.ts';

const service = await sharedService();

beforeEach(() => service.clear());

/** Creates an item. @returns its path and ETag. */
async function makeOne() {
  const item = await createAuthor(service);
  const path = `${API}/authors/${item.id}`;
  const { headers } = await service.request('GET', path);
  return { path, tag: headers.get('etag') ?? '' };
}

test('304 has the ETag and no body', async () => {
  const { path, tag } = await makeOne();
  for (const method of ['GET', 'HEAD']) {
    const answer = await service.request(method, path, { headers: { 'if-none-match': tag } });
    expect(answer).toHaveStatus(304);
    expect(answer.body).toBeUndefined();
    expect(answer.headers.get('etag')).toBe(tag);
    expect(answer.headers.get('vary')).toMatch(/\baccept\b/i);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('content-type')).toBeNull();
  }
  const head = await service.request('HEAD', path);
  expect(head.headers.get('etag')).toBe(tag);
});

test.each<[ifNoneMatch: (tag: string) => string, status: number]>([
  [(tag) => tag, 304],
  [(tag) => `W/${tag}`, 304],
  [(tag) => `"another", W/"",, ${tag}`, 304],
  [() => '*', 304],
  [() => '"another"', 200],
  [(tag) => tag.slice(1, -1), 200],
  [(tag) => tag.replace('"v', '"V'), 200],
])('GET answers If-None-Match: %s with %i', async (ifNoneMatch, status) => {
  const { path, tag } = await makeOne();
  const headers = { 'if-none-match': ifNoneMatch(tag) };
  expect(await service.request('GET', path, { headers })).toHaveStatus(status);
});

test('ignores If-Modified-Since and If-Unmodified-Since', async () => {
  const { path } = await makeOne();
  const headers = {
    'if-modified-since': 'Fri, 31 Dec 9999 23:59:59 GMT',
    'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT',
  };
  const read = await service.request('GET', path, { headers });
  expect(read).toHaveStatus(200);
  expect(read.headers.get('last-modified')).toBeNull();
  expect(await service.request('PATCH', path, { headers, body: {} })).toHaveStatus(200);
});

test.each<[ifMatch: (tag: string) => string]>([
  [(tag) => tag],
  [(tag) => `"another" , ,${tag},`],
  [() => '*'],
])('PATCH accepts If-Match: %s', async (ifMatch) => {
  const { path, tag } = await makeOne();
  const headers = { 'if-match': ifMatch(tag) };
  expect(await service.request('PATCH', path, { headers, body: {} })).toHaveStatus(200);
});

test.each<[ifMatch: (tag: string) => string, status: number]>([
  [(tag) => `W/${tag}`, 412],
  [() => '"another"', 412],
  [() => '"*"', 412],
  [() => '""', 412],
  [() => ',', 412],
  [(tag) => tag.slice(1, -1), 400],
  [(tag) => `*, ${tag}`, 400],
  [(tag) => `${tag} ${tag}`, 400],
  [(tag) => tag.slice(0, -1), 400],
  [(tag) => `w/${tag}`, 400],
  [() => '"a b"', 400],
])('PATCH, PUT and DELETE answer If-Match: %s with %i', async (ifMatch, status) => {
  const { path, tag } = await makeOne();
  const headers = { 'if-match': ifMatch(tag) };
  expect(await service.request('PATCH', path, { headers, body: {} })).toBeError(status);
  expect(await service.request('PUT', path, { headers, body: {} })).toBeError(status);
  expect(await service.request('DELETE', path, { headers })).toBeError(status);
  expect((await service.request('GET', path)).headers.get('etag')).toBe(tag);
});

test('GET answers If-Match too', async () => {
  const { path, tag } = await makeOne();
  const get = (ifMatch: string) =>
    service.request('GET', path, { headers: { 'if-match': ifMatch, 'if-none-match': '"x"' } });
  expect(await get(tag)).toHaveStatus(200);
  expect(await get('"another"')).toBeError(412);
  expect(await get('another')).toBeError(400);
});

test.each<[ifNoneMatch: (tag: string) => string, status: number]>([
  [() => '*', 412],
  [(tag) => tag, 412],
  [(tag) => `W/${tag}`, 412],
  [() => 'another', 400],
  [() => '"another"', 200],
])('PATCH answers If-None-Match: %s with %i', async (ifNoneMatch, status) => {
  const { path, tag } = await makeOne();
  const headers = { 'if-none-match': ifNoneMatch(tag), 'if-match': '*' };
  expect(await service.request('PATCH', path, { headers, body: {} })).toHaveStatus(status);
  const now = await service.request('GET', path);
  expect(now.headers.get('etag') === tag).toBe(status !== 200);
  const again = { 'if-none-match': '"another"', 'if-match': '*' };
  expect(await service.request('DELETE', path, { headers: again })).toHaveStatus(204);
});

test('refuses an outdated revision in the statement itself (412)', async () => {
  const item = await createAuthor(service);
  const path = `/authors/${item.id}`;
  const { id } = item;
  const revision = revisionOf(await findAuthor(service.database, id));
  expect(await service.patch(path, {})).toHaveStatus(200);
  const outdated = { statusCode: 412 };
  const replaced = updateAuthor(service.database, id, revision, (stored) => stored);
  await expect(replaced).rejects.toMatchObject(outdated);
  const removed = deleteAuthor(service.database, id, revision);
  await expect(removed).rejects.toMatchObject(outdated);
  expect(await service.get(path)).toHaveStatus(200);
});

test('of concurrent changes with one ETag, exactly one succeeds', async () => {
  const { path, tag } = await makeOne();
  const changes = Array.from({ length: 20 }, (_, n) =>
    service.request(n % 2 === 0 ? 'PATCH' : 'DELETE', path, {
      headers: { 'if-match': tag },
      ...(n % 2 === 0 && { body: {} }),
    }),
  );
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  const refused = statuses.filter((status) => status === 412 || status === 410);
  expect(refused).toHaveLength(19);
  expect(statuses.filter((status) => status < 300)).toHaveLength(1);
});

test('ETags change with a migration', async () => {
  const { path, tag } = await makeOne();
  const { database, credential } = service;
  await database.query({
    text: `update "_migrations" set "hash" = 'another ' || "hash"`,
  });
  const app = await buildApp(readConfig({ LOG_LEVEL: 'silent' }), database);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const migrated = new TestService(app, database, credential);
  const has = { headers: { 'if-none-match': tag } };
  expect(await migrated.request('GET', path, has)).toHaveStatus(200);
  await app.close();
  await database.query({
    text: `update "_migrations" set "hash" = replace("hash", 'another ', '')`,
  });
  expect(await service.request('GET', path, has)).toHaveStatus(304);
});
