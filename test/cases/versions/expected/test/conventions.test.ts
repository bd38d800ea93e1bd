/** What holds for the whole service, whatever the collection: errors, versions, formats, HTTP. */
import { beforeEach, describe, expect, test } from 'vitest';

import type { Person } from '../src/collections/people/schema.ts';
import { personBody, createPerson } from './fixtures/people.ts';
import { NO_ID } from './support/expected.ts';
import { linksOf } from './support/lists.ts';
import { sendRaw } from './support/raw.ts';
import { API, startService } from './support/service.ts';

const service = await startService();
const VENDOR = 'application/vnd.library.v3+json';
const JSON_TYPE = 'application/json; charset=utf-8';
const PATH = '/people';

beforeEach(() => service.clear());

/** The lines of a request that are always there. */
const host = `Host: 127.0.0.1:${service.port}`;
const always = [host, 'Connection: close', `Authorization: ${service.credential}`];

/** A body of objects and arrays in each other. */
const nested = (levels: number): string =>
  `{"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

/** A body of so many bytes that no collection takes. */
const bodyOf = (length: number): string => `{"unheard_of":"${'x'.repeat(length - 17)}"}`;

/** The head of a POST whose body is told apart. */
const postLines = (query: string, type: string, length: number): string[] => [
  `POST ${API}${PATH}${query} HTTP/1.1`,
  ...always,
  `Content-Type: ${type}`,
  `Content-Length: ${length}`,
];

/** Sends a body that is cut off, and whatever else is wrong. */
const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  service.request(method, path, { headers, body: '{' });

describe('errors', () => {
  test.each([
    '/',
    '/nothing',
    '/api',
    '/api/nothing',
    `${API}/nothing`,
    `${API}${PATH}/${NO_ID}/nothing`,
  ])('there is nothing at %s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect(await service.request(method, path)).toBeError(404);
    }
    const head = await service.request('HEAD', path);
    expect(head).toHaveStatus(404);
    expect(head.body).toBeUndefined();
  });

  test('an X-Request-Id of the client is kept if it is a UUID', async () => {
    const own = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11';
    const kept = await service.request('GET', '/nothing', { headers: { 'x-request-id': own } });
    expect(kept).toBeError(404);
    expect(kept.headers.get('x-request-id')).toBe(own);
    const other = await service.request('GET', '/nothing', { headers: { 'x-request-id': 'own' } });
    expect(other).toBeError(404);
    expect(other.headers.get('x-request-id')).not.toBe('own');
  });

  test('each request has an identifier of its own', async () => {
    const [one, other] = [
      await service.request('GET', '/health/live'),
      await service.request('GET', '/health/live'),
    ];
    expect(one.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(one.headers.get('x-request-id')).not.toBe(other.headers.get('x-request-id'));
  });
});

describe('HTTP itself', () => {
  test.each<[what: string, status: number, lines: string[]]>([
    ['a malformed request line', 400, ['NONSENSE']],
    ['an unknown method', 400, ['FETCH /health/live HTTP/1.1', host]],
    ['a header without a colon', 400, ['GET /health/live HTTP/1.1', host, 'Nonsense']],
    ['no Host', 400, ['GET /health/live HTTP/1.1', 'Connection: close']],
    [
      'headers too large',
      431,
      ['GET /health/live HTTP/1.1', host, `X-Long: ${'x'.repeat(20_000)}`],
    ],
    ['another expectation', 417, ['GET /health/live HTTP/1.1', ...always, 'Expect: miracles']],
    [
      'a length and chunks',
      400,
      ['POST /health/live HTTP/1.1', host, 'Content-Length: 1', 'Transfer-Encoding: chunked'],
    ],
    ['a broken escape in the path', 404, ['GET /%zz HTTP/1.1', ...always]],
    ['another version of HTTP', 400, ['GET /health/live HTTP/3.0', host]],
  ])('%s is answered with the payload of all errors', async (_what, status, lines) => {
    expect(await sendRaw(service.port, lines)).toBeError(status);
  });

  test('the reason in the status line is the status of the payload', async () => {
    const answer = await sendRaw(service.port, ['GET /nothing HTTP/1.1', ...always]);
    expect(answer).toBeError(404);
    expect(answer.body).toHaveProperty('status', answer.reason);
  });

  test('HTTP/1.0 needs no Host', async () => {
    const answer = await sendRaw(service.port, ['GET /health/live HTTP/1.0']);
    expect(answer).toHaveStatus(200);
  });

  test('a whole URL may stand in the place of the path', async () => {
    const line = 'GET http://example.org/health/live HTTP/1.1';
    expect(await sendRaw(service.port, [line, ...always])).toHaveStatus(200);
  });

  test('a client may expect 100-continue', async () => {
    const lines = ['GET /health/live HTTP/1.1', ...always, 'Expect: 100-continue'];
    expect(await sendRaw(service.port, lines)).toHaveStatus(200);
  });

  test.each(['TRACE', 'CONNECT'])('%s is not possible', async (method) => {
    const target = method === 'CONNECT' ? '127.0.0.1:80' : '/health/live';
    expect(await sendRaw(service.port, [`${method} ${target} HTTP/1.1`, ...always])).toBeError(405);
  });
});

describe('health', () => {
  test('the process lives, and is ready', async () => {
    expect(await service.request('GET', '/health/live')).toHaveStatus(200);
    expect(await service.request('GET', '/health/ready')).toHaveStatus(200);
    expect(await service.request('HEAD', '/health/ready')).toHaveStatus(200);
    expect(await service.request('GET', '/health/ready?verbose=1')).toBeError(400, 'verbose');
  });

  test('nothing else can be done to it', async () => {
    const answer = await service.request('POST', '/health/live');
    expect(answer).toBeError(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});

describe('versions', () => {
  test.each([
    [1, '/writers'],
    [2, '/people'],
    [3, '/people'],
  ])('version %i is in the path', async (version, path) => {
    const answer = await service.request('GET', `/api/v${version}${path}`, {
      headers: { accept: '*/*' },
    });
    expect(answer).toHaveStatus(200);
    expect(answer.headers.get('content-type')).toBe(JSON_TYPE);
    expect(answer.headers.get('link')).toContain(`</api/v${version}${path}`);
  });

  test.each(['/api/v4', '/api/v0', '/api/v01', '/api/V3', '/api/v'])(
    'there is no version at %s',
    async (base) => {
      expect(await service.request('GET', base + PATH)).toBeError(404);
    },
  );
  test.each([
    [1, '/writers'],
    [2, '/people'],
    [3, '/people'],
  ])('version %i is in Accept', async (version, path) => {
    const accept = `application/vnd.library.v${version}+json`;
    const answer = await service.request('GET', `/api${path}`, { headers: { accept } });
    expect(answer).toHaveStatus(200);
    expect(answer.headers.get('content-type')).toBe(accept);
    expect(answer.headers.get('vary')).toMatch(/\baccept\b/i);
    expect(answer.headers.get('link')).toContain(`</api${path}`);
  });

  test.each([
    '*/*',
    'application/*',
    'application/json',
    'text/html',
    'application/vnd.another-library.v3+json',
    'application/vnd.library+json',
    `${VENDOR};q=0`,
  ])('Accept: %s names no version', async (accept) => {
    const answer = await service.request('GET', `/api${PATH}`, { headers: { accept } });
    expect(answer).toBeError(400, VENDOR);
  });

  test('Accept may name a version that is not served', async () => {
    const accept = 'application/vnd.library.v4+json';
    expect(await service.request('GET', `/api${PATH}`, { headers: { accept } })).toBeError(406);
    const both = `${accept}, ${VENDOR};q=0.1`;
    expect(await service.request('GET', `/api${PATH}`, { headers: { accept: both } })).toHaveStatus(
      200,
    );
  });

  test('of several versions the most wanted is answered, then the highest', async () => {
    const older = 'application/vnd.library.v2+json';
    for (const [accept, type] of [
      [`${older}, ${VENDOR}`, VENDOR],
      [`${older};q=0.9, ${VENDOR};q=0.8`, older],
    ] as const) {
      const answer = await service.request('GET', '/api/users', { headers: { accept } });
      expect(answer.headers.get('content-type')).toBe(type);
    }
  });

  test('links keep the way that the request named the version', async () => {
    const answer = await service.request<Person>('POST', `/api${PATH}`, {
      headers: { accept: VENDOR },
      body: await personBody(service),
    });
    expect(answer).toHaveStatus(201);
    expect(answer.headers.get('content-type')).toBe(VENDOR);
    expect(answer.headers.get('location')).toBe(`/api/people/${answer.body.id}`);
  });
});

describe('formats', () => {
  test.each([
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['application/json', JSON_TYPE],
    ['APPLICATION/JSON', JSON_TYPE],
    ['application/json; charset=utf-8', JSON_TYPE],
    ['text/html, application/json;q=0.1', JSON_TYPE],
    [VENDOR, VENDOR],
    [`application/json, ${VENDOR}`, VENDOR],
    [`application/json;q=0.9, ${VENDOR};q=0.8`, JSON_TYPE],
    [`application/json;q=0.8, ${VENDOR};q=0.9`, VENDOR],
    ['application/json;q=0, */*', VENDOR],
    [`${VENDOR};q=0, */*`, JSON_TYPE],
    ['nonsense, application/json', JSON_TYPE],
  ])('Accept: %s is answered as %s', async (accept, type) => {
    const answer = await service.request('GET', API + PATH, { headers: { accept } });
    expect(answer).toHaveStatus(200);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('vary')).toMatch(/\baccept\b/i);
  });

  test.each([
    'text/html',
    'application/xml, text/*',
    'application/json;q=0',
    '*/*;q=0',
    'application/vnd.library.v4+json',
    'application/vnd.another-library.v3+json',
    'nonsense',
  ])('Accept: %s cannot be answered', async (accept) => {
    expect(await service.request('GET', API + PATH, { headers: { accept } })).toBeError(406);
  });

  test('no Accept at all is answered as JSON', async () => {
    const answer = await sendRaw(service.port, [
      `GET ${API}${PATH} HTTP/1.0`,
      `Authorization: ${service.credential}`,
    ]);
    expect(answer).toHaveStatus(200);
    expect(answer.headers.get('content-type')).toBe(JSON_TYPE);
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
    VENDOR,
  ])('a body may be %s', async (type) => {
    const body = await personBody(service);
    const answer = await service.request('POST', API + PATH, {
      headers: { 'content-type': type },
      body,
    });
    expect(answer).toHaveStatus(201);
  });

  test.each([
    'text/plain',
    'application/xml',
    'application/json; charset=iso-8859-1',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'nonsense',
  ])('a body may not be %s', async (type) => {
    const answer = await service.request('POST', API + PATH, {
      headers: { 'content-type': type },
      body: {},
    });
    expect(answer).toBeError(415);
    expect(answer.headers.get('accept')).toBe(`application/json, ${VENDOR}`);
  });

  test('PATCH takes a merge patch by its own name', async () => {
    const item = await createPerson(service);
    const path = `${API}${PATH}/${item.id}`;
    const patch = (type: string) =>
      service.request('PATCH', path, { headers: { 'content-type': type }, body: {} });
    expect(await patch('application/merge-patch+json')).toHaveStatus(200);
    const refused = await patch('application/json-patch+json');
    expect(refused).toBeError(415);
    expect(refused.headers.get('accept-patch')).toContain('application/merge-patch+json');
  });

  test('a body may not be encoded', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect(await service.request('POST', API + PATH, { headers, body: {} })).toBeError(415);
  });
});

describe('bodies', () => {
  test.each<[what: string, body: string | Uint8Array]>([
    ['empty', ''],
    ['blank', ' '],
    ['cut off', '{"a":'],
    ['not JSON', '{a: 1}'],
    ['more than one value', '{} {}'],
    ['with a byte order mark', '\ufeff{}'],
    ['not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
    ['with a member twice', '{"a":1,"a":1}'],
    ['with a member twice, once escaped', '{"a":1,"\\u0061":1}'],
    ['with a member twice further down', '{"a":[{"b":1,"b":2}]}'],
    ['with the member __proto__', '{"__proto__":{}}'],
    ['with the member __proto__ further down', '{"a":{"__proto__":1}}'],
    ['65 levels deep', nested(65)],
    ['an array', '[]'],
    ['a text', '"text"'],
    ['null', 'null'],
  ])('one that is %s is no payload', async (_what, body) => {
    expect(await service.request('POST', API + PATH, { body })).toBeError(400);
    const item = await createPerson(service);
    expect(await service.request('PUT', `${API}${PATH}/${item.id}`, { body })).toBeError(400);
    expect(await service.request('PATCH', `${API}${PATH}/${item.id}`, { body })).toBeError(400);
  });

  test('one that is 64 levels deep is read', async () => {
    expect(await service.request('POST', API + PATH, { body: nested(64) })).toBeError(422, 'deep');
  });

  test('one may have a mebibyte, and no more', async () => {
    const type = 'application/json';
    for (const [length, status] of [
      [1_048_576, 422],
      [1_048_577, 413],
    ] as const) {
      const answer = await sendRaw(service.port, postLines('', type, length), bodyOf(length));
      expect(answer).toBeError(status);
    }
  });

  test('a GET may not change anything by a body or a parameter', async () => {
    const item = await createPerson(service);
    for (const query of ['_method=DELETE', 'method=delete', 'delete=true', 'action=delete']) {
      const [name = ''] = query.split('=');
      expect(await service.get(`${PATH}/${item.id}?${query}`)).toBeError(400, name);
    }
    const headers = { 'x-http-method-override': 'DELETE' };
    expect(await service.request('GET', `${API}${PATH}/${item.id}`, { headers })).toHaveStatus(200);
    expect(await service.get(`${PATH}/${item.id}`)).toHaveStatus(200);
  });
});

describe('methods and paths', () => {
  test('OPTIONS tells what a path allows, without a version and without an item', async () => {
    const headers = { accept: 'text/html' };
    const list = await service.request('OPTIONS', API + PATH, { headers });
    expect(list).toHaveStatus(204);
    expect(list.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    const item = await service.request('OPTIONS', `${API}${PATH}/${NO_ID}`, { headers });
    expect(item).toHaveStatus(204);
    expect(item.headers.get('allow')).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s is not for a list', async (method) => {
    const answer = await service.request(method, API + PATH);
    expect(answer).toBeError(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('POST is not for an item', async () => {
    const answer = await service.post(`${PATH}/${NO_ID}`, {});
    expect(answer).toBeError(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
  });

  test('a path has one spelling', async () => {
    const item = await createPerson(service);
    for (const path of [`${PATH}/`, `${PATH}/${item.id}/`, `/${PATH}`, PATH.toUpperCase()]) {
      expect(await service.get(path)).toBeError(404);
    }
  });

  test('an operation takes no parameter that it does not know', async () => {
    const item = await createPerson(service);
    const path = `${PATH}/${item.id}?unheard_of=1`;
    expect(await service.post(`${PATH}?unheard_of=1`, {})).toBeError(400, 'unheard_of');
    expect(await service.get(path)).toBeError(400, 'unheard_of');
    expect(await service.head(path)).toHaveStatus(400);
    expect(await service.put(path, {})).toBeError(400, 'unheard_of');
    expect(await service.patch(path, {})).toBeError(400, 'unheard_of');
    expect(await service.delete(path)).toBeError(400, 'unheard_of');
    expect(await service.get(`${PATH}/${item.id}`)).toHaveStatus(200);
  });

  test.each(['%zz=1', 'limit=%ff', 'limit=%00'])(
    'the query %s is not well encoded',
    async (query) => {
      const lines = [`GET ${API}${PATH}?${query} HTTP/1.1`, ...always];
      expect(await sendRaw(service.port, lines)).toBeError(400);
    },
  );
});

describe('lists', () => {
  test('the limit is from 1 to 100', async () => {
    expect(await service.get(`${PATH}?limit=100`)).toHaveStatus(200);
    for (const limit of ['0', '101', '-1', '1.5', '01', 'many', '', '1e1']) {
      expect(await service.get(`${PATH}?limit=${limit}`)).toBeError(400, 'limit');
    }
  });

  test('links lead from page to page, and keep the other parameters', async () => {
    for (let made = 0; made < 3; made++) await createPerson(service);
    const first = await service.get(`${PATH}?limit=1&fields=id`);
    expect(Object.keys(linksOf(first))).toEqual(['first', 'next']);
    const second = await service.request('GET', linksOf(first).next ?? '');
    expect(linksOf(second).first).toBe(`${API}${PATH}?limit=1&fields=id`);
    expect(Object.keys(linksOf(second))).toEqual(['first', 'prev', 'next']);
    const third = await service.request('GET', linksOf(second).next ?? '');
    expect(Object.keys(linksOf(third))).toEqual(['first', 'prev']);
    const back = await service.request('GET', linksOf(third).prev ?? '');
    expect(back.body).toEqual(second.body);
  });

  test('an item that is removed or added meanwhile moves no other', async () => {
    const one = await createPerson(service);
    const two = await createPerson(service);
    const { next = '' } = linksOf(await service.get(`${PATH}?limit=1`));
    await service.delete(`${PATH}/${one.id}`);
    const three = await createPerson(service);
    const page = await service.request('GET', next);
    expect(page.body).toEqual([two]);
    expect((await service.request('GET', linksOf(page).next ?? '')).body).toEqual([three]);
  });

  test('a cursor is good for its own list alone', async () => {
    await createPerson(service);
    await createPerson(service);
    const { next = '' } = linksOf(await service.get(`${PATH}?limit=1`));
    const cursor = new URLSearchParams(next.split('?')[1]).get('cursor') ?? '';
    expect(await service.get(`${PATH}?cursor=${cursor}`)).toHaveStatus(200);
    const middle = Math.floor(cursor.length / 2);
    const altered =
      cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1);
    for (const wrong of [altered, cursor.slice(1), `${cursor}A`, 'nonsense', '']) {
      expect(await service.get(`${PATH}?cursor=${wrong}`)).toBeError(400, 'cursor');
    }
    expect(await service.get(`${PATH}?sort=name&cursor=${cursor}`)).toBeError(400, 'cursor');
  });

  test('HEAD has the headers of GET', async () => {
    await createPerson(service);
    const get = await service.get(`${PATH}?count=true`);
    const head = await service.head(`${PATH}?count=true`);
    expect(head.body).toBeUndefined();
    for (const name of ['content-type', 'content-length', 'link', 'total-count', 'vary']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect(get.headers.get('total-count')).toBe('1');
  });
});

describe('where several errors apply, one comes first', () => {
  const text = { 'content-type': 'text/plain' };
  const html = { accept: 'text/html' };

  test('a path that is unknown, before a method, a version and a format', async () => {
    expect(await send('PUT', '/api/nothing', { ...text, ...html })).toBeError(404);
  });

  test('a method that is not possible, before a version and a format', async () => {
    expect(await send('PUT', `/api${PATH}`, { ...text, ...html })).toBeError(405);
    expect(await send('PUT', API + PATH, { ...text, ...html })).toBeError(405);
  });

  test('a format that is not served, before an item that is not there', async () => {
    expect(await send('PUT', `${API}${PATH}/${NO_ID}`, { ...text, ...html })).toBeError(406);
  });

  test('an item that is not there, before the type of a body', async () => {
    expect(await send('PUT', `${API}${PATH}/${NO_ID}?unheard_of=1`, text)).toBeError(404);
    const item = await createPerson(service);
    await service.delete(`${PATH}/${item.id}`);
    expect(await send('PUT', `${API}${PATH}/${item.id}?unheard_of=1`, text)).toBeError(410);
  });

  test('an item that is not there, before its state, and that before the type of a body', async () => {
    const item = await createPerson(service);
    const path = `${API}${PATH}/${item.id}?unheard_of=1`;
    const outdated = { ...text, 'if-match': '"another"' };
    expect(await send('PUT', `${API}${PATH}/${NO_ID}`, outdated)).toBeError(404);
    for (const method of ['PUT', 'PATCH']) {
      expect(await send(method, path, outdated)).toBeError(412);
      expect(await send(method, path, { ...outdated, 'if-match': 'nonsense' })).toBeError(415);
    }
    expect(await send('DELETE', path, outdated)).toBeError(412);
    await service.delete(`${PATH}/${item.id}`);
    expect(await send('PATCH', path, outdated)).toBeError(410);
  });

  test('the type of a body, before its size, and that before the query', async () => {
    const query = '?unheard_of=1';
    const isText = postLines(query, 'text/plain', 2_000_000);
    expect(await sendRaw(service.port, isText)).toBeError(415);
    const isLarge = postLines(query, 'application/json', 2_000_000);
    expect(await sendRaw(service.port, isLarge)).toBeError(413);
  });

  test('the query, before the body', async () => {
    expect(await send('POST', `${API}${PATH}?unheard_of=1`)).toBeError(400, 'unheard_of');
  });
});
