/** The conventions of the whole service: errors, HTTP, versions, media types, bodies, lists. */
import { beforeEach, describe, expect, test } from 'vitest';

import type { Author } from '../src/collections/authors/schema.ts';
import { authorBody, createAuthor } from './support/items/authors.ts';
import { searchWords } from '../src/platform/http/search-words.ts';
import { NO_ID } from './support/expected.ts';
import { linksOf } from './support/lists.ts';
import { sendRaw } from './support/raw.ts';
import { API, sharedService } from './support/service.ts';

const service = await sharedService();
const VENDOR = 'application/vnd.bookshop.v1+json';
const JSON_TYPE = 'application/json; charset=utf-8';
const PATH = '/authors';

beforeEach(() => service.clear());

/** Header lines of raw requests. */
const host = `Host: 127.0.0.1:${service.port}`;
const common = [host, 'Connection: close', `Authorization: ${service.credential}`];

/** A body that is nested to this depth. */
const nested = (levels: number): string =>
  `{"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

/** A body of this length with an unknown member. */
const bodyOf = (length: number): string => `{"unheard_of":"${'x'.repeat(length - 17)}"}`;

/** The request line and headers of a POST. */
const postLines = (query: string, type: string, length: number): string[] => [
  `POST ${API}${PATH}${query} HTTP/1.1`,
  ...common,
  `Content-Type: ${type}`,
  `Content-Length: ${length}`,
];

/** Sends a request with a malformed body. */
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
  ])('answers 404 for the unknown path %s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect(await service.request(method, path)).toBeError(404);
    }
    const head = await service.request('HEAD', path);
    expect(head).toHaveStatus(404);
    expect(head.body).toBeUndefined();
  });

  test('uses the X-Request-Id of the client if it is a UUID', async () => {
    const own = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11';
    const kept = await service.request('GET', '/nothing', { headers: { 'x-request-id': own } });
    expect(kept).toBeError(404);
    expect(kept.headers.get('x-request-id')).toBe(own);
    const other = await service.request('GET', '/nothing', { headers: { 'x-request-id': 'own' } });
    expect(other).toBeError(404);
    expect(other.headers.get('x-request-id')).not.toBe('own');
  });

  test('limits messages to 4,000 characters', async () => {
    const body = Object.fromEntries(
      Array.from({ length: 99 }, (_, at) => [`x${at}${'x'.repeat(90)}`, at]),
    );
    const answer = await service.post<{ message: string }>('/users', body);
    expect(answer).toBeError(422);
    expect(answer.body.message.length).toBeGreaterThan(3_900);
    expect(answer.body.message.length).toBeLessThanOrEqual(4_000);
  });

  test('gives each request its own id', async () => {
    const [one, other] = [
      await service.request('GET', '/health/live'),
      await service.request('GET', '/health/live'),
    ];
    expect(one.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(one.headers.get('x-request-id')).not.toBe(other.headers.get('x-request-id'));
  });
});

test('searches compare runs of letters and digits, case-insensitively, with accents', () => {
  expect(searchWords('Straße 7B, CAFÉ')).toEqual(searchWords('STRASSE -- 7b; café'));
  expect(searchWords('Straße 7B, CAFÉ')).toEqual(['strasse', '7b', 'café']);
  expect(searchWords('café')).not.toEqual(searchWords('cafe'));
});

describe('HTTP', () => {
  test.each<[what: string, status: number, lines: string[]]>([
    ['a malformed request line', 400, ['NONSENSE']],
    ['an unknown method', 400, ['FETCH /health/live HTTP/1.1', host]],
    ['a header without a colon', 400, ['GET /health/live HTTP/1.1', host, 'Nonsense']],
    ['a request without Host', 400, ['GET /health/live HTTP/1.1', 'Connection: close']],
    [
      'too large headers',
      431,
      ['GET /health/live HTTP/1.1', host, `X-Long: ${'x'.repeat(20_000)}`],
    ],
    ['an unknown expectation', 417, ['GET /health/live HTTP/1.1', ...common, 'Expect: miracles']],
    [
      'Content-Length with Transfer-Encoding',
      400,
      ['POST /health/live HTTP/1.1', host, 'Content-Length: 1', 'Transfer-Encoding: chunked'],
    ],
    ['an invalid percent-encoding in the path', 404, ['GET /%zz HTTP/1.1', ...common]],
    ['an unknown HTTP version', 400, ['GET /health/live HTTP/3.0', host]],
  ])('answers %s with %i and the error payload', async (_what, status, lines) => {
    expect(await sendRaw(service.port, lines)).toBeError(status);
  });

  test('uses the reason phrase as the status of the payload', async () => {
    const answer = await sendRaw(service.port, ['GET /nothing HTTP/1.1', ...common]);
    expect(answer).toBeError(404);
    expect(answer.body).toHaveProperty('status', answer.reason);
  });

  test('accepts HTTP/1.0 without Host', async () => {
    const answer = await sendRaw(service.port, ['GET /health/live HTTP/1.0']);
    expect(answer).toHaveStatus(200);
  });

  test('accepts an absolute URL as the request target', async () => {
    const line = 'GET http://example.org/health/live HTTP/1.1';
    expect(await sendRaw(service.port, [line, ...common])).toHaveStatus(200);
  });

  test('accepts Expect: 100-continue', async () => {
    const lines = ['GET /health/live HTTP/1.1', ...common, 'Expect: 100-continue'];
    expect(await sendRaw(service.port, lines)).toHaveStatus(200);
  });

  test.each(['TRACE', 'CONNECT'])('refuses %s (405)', async (method) => {
    const target = method === 'CONNECT' ? '127.0.0.1:80' : '/health/live';
    expect(await sendRaw(service.port, [`${method} ${target} HTTP/1.1`, ...common])).toBeError(405);
  });
});

describe('health', () => {
  test('answers live and ready', async () => {
    expect(await service.request('GET', '/health/live')).toHaveStatus(200);
    expect(await service.request('GET', '/health/ready')).toHaveStatus(200);
    expect(await service.request('HEAD', '/health/ready')).toHaveStatus(200);
    expect(await service.request('GET', '/health/ready?verbose=1')).toBeError(400, 'verbose');
  });

  test('refuses other methods (405)', async () => {
    const answer = await service.request('POST', '/health/live');
    expect(answer).toBeError(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});

describe('versions', () => {
  test.each([1])('serves version %i by path', async (version) => {
    const answer = await service.request('GET', `/api/v${version}${PATH}`, {
      headers: { accept: '*/*' },
    });
    expect(answer).toHaveStatus(200);
    expect(answer.headers.get('content-type')).toBe(JSON_TYPE);
    expect(answer.headers.get('link')).toContain(`</api/v${version}${PATH}`);
  });

  test.each(['/api/v2', '/api/v0', '/api/v01', '/api/V1', '/api/v'])(
    'answers 404 below %s',
    async (base) => {
      expect(await service.request('GET', base + PATH)).toBeError(404);
    },
  );
  test.each([1])('serves version %i by Accept', async (version) => {
    const accept = `application/vnd.bookshop.v${version}+json`;
    const answer = await service.request('GET', `/api${PATH}`, { headers: { accept } });
    expect(answer).toHaveStatus(200);
    expect(answer.headers.get('content-type')).toBe(accept);
    expect(answer.headers.get('vary')).toMatch(/\baccept\b/i);
    expect(answer.headers.get('link')).toContain(`</api${PATH}`);
  });

  test.each([
    '*/*',
    'application/*',
    'application/json',
    'text/html',
    'application/vnd.another-bookshop.v1+json',
    'application/vnd.bookshop+json',
    `${VENDOR};q=0`,
  ])('answers 400 for Accept: %s, which names no version', async (accept) => {
    const answer = await service.request('GET', `/api${PATH}`, { headers: { accept } });
    expect(answer).toBeError(400, VENDOR);
  });

  test('answers 406 if Accept names only versions that are not served', async () => {
    const accept = 'application/vnd.bookshop.v2+json';
    expect(await service.request('GET', `/api${PATH}`, { headers: { accept } })).toBeError(406);
    const both = `${accept}, ${VENDOR};q=0.1`;
    expect(await service.request('GET', `/api${PATH}`, { headers: { accept: both } })).toHaveStatus(
      200,
    );
  });

  test('names the version in Location as the request did', async () => {
    const answer = await service.request<Author>('POST', `/api${PATH}`, {
      headers: { accept: VENDOR },
      body: await authorBody(service),
    });
    expect(answer).toHaveStatus(201);
    expect(answer.headers.get('content-type')).toBe(VENDOR);
    expect(answer.headers.get('location')).toBe(`/api/authors/${answer.body.id}`);
  });
});

describe('media types', () => {
  test.each([
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['application/json', JSON_TYPE],
    ['APPLICATION/JSON', JSON_TYPE],
    ['application/json; charset=utf-8', JSON_TYPE],
    ['application/json; charset=utf8', JSON_TYPE],
    ['application/json; charset=iso-8859-1', JSON_TYPE],
    ['application/json; profile="https://example.com/a,b"; q=0.5', JSON_TYPE],
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', JSON_TYPE],
    [`application/json;q=.1, ${VENDOR};q=.2`, VENDOR],
    [`${VENDOR}; charset=utf8`, VENDOR],
    ['text/html, application/json;q=0.1', JSON_TYPE],
    [VENDOR, VENDOR],
    [`application/json, ${VENDOR}`, VENDOR],
    [`application/json;q=0.9, ${VENDOR};q=0.8`, JSON_TYPE],
    [`application/json;q=0.8, ${VENDOR};q=0.9`, VENDOR],
    ['application/json;q=0, */*', VENDOR],
    [`${VENDOR};q=0, */*`, JSON_TYPE],
    ['nonsense, application/json', JSON_TYPE],
    [`application/json;q=0.5, ${VENDOR};q=0.5`, VENDOR],
    ['application/*;q=0.5, */*;q=0.9', JSON_TYPE],
    [`application/json;q=0.1, application/json;q=0.9, ${VENDOR};q=0.5`, JSON_TYPE],
    [`application/json;Q=0.1, ${VENDOR};Q=0.2`, VENDOR],
    [`application/json;q=2, ${VENDOR};q=0.1`, VENDOR],
    [`application/json;q=0.1234, ${VENDOR};q=0.1`, VENDOR],
  ])('answers Accept: %s with %s', async (accept, type) => {
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
    'application/vnd.bookshop.v2+json',
    'application/vnd.another-bookshop.v1+json',
    `${VENDOR}; charset=iso-8859-1`,
    'application/json;q=.0',
    'text/html; note="a, application/json, b"',
    'nonsense',
  ])('refuses Accept: %s (406)', async (accept) => {
    expect(await service.request('GET', API + PATH, { headers: { accept } })).toBeError(406);
  });

  test('answers JSON without Accept', async () => {
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
    'application/json; charset=utf8',
    'Application/JSON',
    VENDOR,
  ])('accepts bodies of type %s', async (type) => {
    const body = await authorBody(service);
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
  ])('refuses bodies of type %s (415)', async (type) => {
    const answer = await service.request('POST', API + PATH, {
      headers: { 'content-type': type },
      body: {},
    });
    expect(answer).toBeError(415);
    expect(answer.headers.get('accept')).toBe(`application/json, ${VENDOR}`);
  });

  test('PATCH accepts application/merge-patch+json', async () => {
    const item = await createAuthor(service);
    const path = `${API}${PATH}/${item.id}`;
    const patch = (type: string) =>
      service.request('PATCH', path, { headers: { 'content-type': type }, body: {} });
    expect(await patch('application/merge-patch+json')).toHaveStatus(200);
    const refused = await patch('application/json-patch+json');
    expect(refused).toBeError(415);
    expect(refused.headers.get('accept-patch')).toContain('application/merge-patch+json');
  });

  test('refuses bodies with Content-Encoding (415)', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect(await service.request('POST', API + PATH, { headers, body: {} })).toBeError(415);
  });
});

describe('bodies', () => {
  test.each<[what: string, body: string | Uint8Array]>([
    ['empty', ''],
    ['blank', ' '],
    ['incomplete', '{"a":'],
    ['not JSON', '{a: 1}'],
    ['more than one value', '{} {}'],
    ['with a byte order mark', '\ufeff{}'],
    ['not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
    ['with a duplicate member', '{"a":1,"a":1}'],
    ['with a duplicate member, once escaped', '{"a":1,"\\u0061":1}'],
    ['with a nested duplicate member', '{"a":[{"b":1,"b":2}]}'],
    ['with the member __proto__', '{"__proto__":{}}'],
    ['with a nested member __proto__', '{"a":{"__proto__":1}}'],
    ['65 levels deep', nested(65)],
    ['an array', '[]'],
    ['a string', '"text"'],
    ['null', 'null'],
  ])('refuses a body that is %s (400)', async (_what, body) => {
    expect(await service.request('POST', API + PATH, { body })).toBeError(400);
    const item = await createAuthor(service);
    expect(await service.request('PUT', `${API}${PATH}/${item.id}`, { body })).toBeError(400);
    expect(await service.request('PATCH', `${API}${PATH}/${item.id}`, { body })).toBeError(400);
  });

  test('reads a body that is 64 levels deep', async () => {
    expect(await service.request('POST', API + PATH, { body: nested(64) })).toBeError(422, 'deep');
  });

  test('accepts bodies up to 1 MiB (413)', async () => {
    const type = 'application/json';
    for (const [length, status] of [
      [1_048_576, 422],
      [1_048_577, 413],
    ] as const) {
      const answer = await sendRaw(service.port, postLines('', type, length), bodyOf(length));
      expect(answer).toBeError(status);
    }
  });

  test('ignores method overrides in headers, and refuses those in parameters', async () => {
    const item = await createAuthor(service);
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
  test('OPTIONS answers Allow without looking at the version or the item', async () => {
    const headers = { accept: 'text/html' };
    const list = await service.request('OPTIONS', API + PATH, { headers });
    expect(list).toHaveStatus(204);
    expect(list.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    const item = await service.request('OPTIONS', `${API}${PATH}/${NO_ID}`, { headers });
    expect(item).toHaveStatus(204);
    expect(item.headers.get('allow')).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('refuses %s on a list (405)', async (method) => {
    const answer = await service.request(method, API + PATH);
    expect(answer).toBeError(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('refuses POST on an item (405)', async () => {
    const answer = await service.post(`${PATH}/${NO_ID}`, {});
    expect(answer).toBeError(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
  });

  test('answers 404 for trailing or double slashes and upper case', async () => {
    const item = await createAuthor(service);
    for (const path of [`${PATH}/`, `${PATH}/${item.id}/`, `/${PATH}`, PATH.toUpperCase()]) {
      expect(await service.get(path)).toBeError(404);
    }
  });

  test.each(['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'answers 404 to %s with a trailing slash, before it looks at the credential',
    async (method) => {
      const answer = await service.as(undefined).request(method, `${API}${PATH}/`);
      expect(answer).toHaveStatus(404);
      expect(answer.headers.get('allow')).toBeNull();
    },
  );

  test('refuses unknown parameters (400)', async () => {
    const item = await createAuthor(service);
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
    'refuses the malformed query %s (400)',
    async (query) => {
      const lines = [`GET ${API}${PATH}?${query} HTTP/1.1`, ...common];
      expect(await sendRaw(service.port, lines)).toBeError(400);
    },
  );
});

describe('lists', () => {
  test('accepts a limit from 1 to 100', async () => {
    expect(await service.get(`${PATH}?limit=100`)).toHaveStatus(200);
    for (const limit of ['0', '101', '-1', '1.5', '01', 'many', '', '1e1']) {
      expect(await service.get(`${PATH}?limit=${limit}`)).toBeError(400, 'limit');
    }
  });

  test('returns 20 items without a limit', async () => {
    for (let made = 0; made <= 20; made++) await createAuthor(service);
    expect((await service.get<unknown[]>(PATH)).body).toHaveLength(20);
  });

  test('links to the first, previous and next page, with the other parameters', async () => {
    for (let made = 0; made < 3; made++) await createAuthor(service);
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

  test('reads fields that are sent several times as one list', async () => {
    const { id } = await createAuthor(service);
    const query = '?fields=id&limit=1&fields=id';
    const page = await service.get(`${PATH}${query}`);
    expect(page).toHaveStatus(200);
    expect(page.body).toEqual([{ id }]);
    expect(linksOf(page).first).toBe(`${API}${PATH}?fields=id&fields=id&limit=1`);
    expect(await service.get(`${PATH}?fields=id&fields=`)).toBeError(400, 'fields');
  });

  test('refuses a query that would make the links exceed 16 KB of headers (414)', async () => {
    for (let made = 0; made < 3; made++) await createAuthor(service);
    const { next = '' } = linksOf(await service.get(`${PATH}?limit=1`));
    const ask = (names: number) =>
      service.request('GET', `${next}&fields=${'id,'.repeat(names)}id`);
    for (const names of [1, 300, 600, 900]) {
      // Node's `fetch` would refuse headers of more than 16 KB.
      expect(Object.keys(linksOf(await ask(names)))).toEqual(['first', 'prev', 'next']);
    }
    // With 950 names the parameters would fit, but not the links with cursors.
    for (const names of [950, 960, 2_000, 5_000]) expect(await ask(names)).toBeError(414, 'query');
    // The length is checked before the cursor.
    const refused = await service.get(`${PATH}?cursor=none&fields=${'id,'.repeat(2_000)}id`);
    expect(refused).toBeError(414, 'query');
  });

  test('pages are stable when items are added or removed', async () => {
    const one = await createAuthor(service);
    const two = await createAuthor(service);
    const { next = '' } = linksOf(await service.get(`${PATH}?limit=1`));
    await service.delete(`${PATH}/${one.id}`);
    const three = await createAuthor(service);
    const page = await service.request('GET', next);
    expect(page.body).toEqual([two]);
    // Nothing is left before it.
    expect(Object.keys(linksOf(page))).toEqual(['first', 'next']);
    expect((await service.request('GET', linksOf(page).next ?? '')).body).toEqual([three]);
  });

  test('refuses altered cursors and cursors of other lists (400)', async () => {
    await createAuthor(service);
    await createAuthor(service);
    const { next = '' } = linksOf(await service.get(`${PATH}?limit=1`));
    const cursor = new URLSearchParams(next.split('?')[1]).get('cursor') ?? '';
    expect(await service.get(`${PATH}?cursor=${cursor}`)).toHaveStatus(200);
    const middle = Math.floor(cursor.length / 2);
    const altered =
      cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1);
    for (const wrong of [altered, cursor.slice(1), `${cursor}A`, `${cursor}%3D`, 'nonsense', '']) {
      expect(await service.get(`${PATH}?cursor=${wrong}`)).toBeError(400, 'cursor');
    }
    expect(await service.get(`${PATH}?sort=name&cursor=${cursor}`)).toBeError(400, 'cursor');
    expect(await service.get(`${PATH}?q=word&cursor=${cursor}`)).toBeError(400, 'cursor');
  });

  test('HEAD answers the headers of GET', async () => {
    await createAuthor(service);
    const get = await service.get(`${PATH}?count=true`);
    const head = await service.head(`${PATH}?count=true`);
    expect(head.body).toBeUndefined();
    for (const name of ['content-type', 'content-length', 'link', 'total-count', 'vary']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect(get.headers.get('total-count')).toBe('1');
  });
});

describe('the order of errors', () => {
  const text = { 'content-type': 'text/plain' };
  const html = { accept: 'text/html' };

  test('answers an unknown path (404) before 405, 400 and 406', async () => {
    expect(await send('PUT', '/api/nothing', { ...text, ...html })).toBeError(404);
  });

  test('answers an unsupported method (405) before 400 and 406', async () => {
    expect(await send('PUT', `/api${PATH}`, { ...text, ...html })).toBeError(405);
    expect(await send('PUT', API + PATH, { ...text, ...html })).toBeError(405);
  });

  test('answers an unacceptable media type (406) before 404', async () => {
    expect(await send('PUT', `${API}${PATH}/${NO_ID}`, { ...text, ...html })).toBeError(406);
  });

  test('answers a missing or removed item (404, 410) before 415', async () => {
    expect(await send('PUT', `${API}${PATH}/${NO_ID}?unheard_of=1`, text)).toBeError(404);
    const item = await createAuthor(service);
    await service.delete(`${PATH}/${item.id}`);
    expect(await send('PUT', `${API}${PATH}/${item.id}?unheard_of=1`, text)).toBeError(410);
  });

  test('answers 404 and 410 before 412, and 412 before 415', async () => {
    const item = await createAuthor(service);
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

  test('answers 415 before 413, and 413 before the query (400)', async () => {
    const query = '?unheard_of=1';
    const isText = postLines(query, 'text/plain', 2_000_000);
    expect(await sendRaw(service.port, isText)).toBeError(415);
    const isLarge = postLines(query, 'application/json', 2_000_000);
    expect(await sendRaw(service.port, isLarge)).toBeError(413);
  });

  test('answers an unknown parameter (400) before a malformed body', async () => {
    expect(await send('POST', `${API}${PATH}?unheard_of=1`)).toBeError(400, 'unheard_of');
  });
});
