/** Requests of `verify` to a service, here one that answers what a test wants. */
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, onTestFinished, test } from 'vitest';

import { serviceReader } from '../../../src/verification/service-client.ts';
import type { ReadService } from '../../../src/verification/service-client.ts';

const SHOP = { name: 'shop', versions: [1, 2], versioning: ['path', 'accept'] } as const;

/** Starts a service; @returns what reads it, and the requests that it got. */
async function serve(
  listener: RequestListener,
  service: Parameters<typeof serviceReader>[0] = SHOP,
  signal = new AbortController().signal,
): Promise<{ readonly read: ReadService; readonly requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { read: serviceReader(service, { origin, token: 'secret', signal }), requests };
}

test('reads the current version, as the holder of a token', async () => {
  const { read, requests } = await serve((_request, response) => response.end('[{"id":"1"}]'));
  expect(await read('books?limit=2')).toEqual({
    status: 200,
    outcome: 'answers 200',
    body: [{ id: '1' }],
    next: undefined,
  });
  expect(requests[0]).toMatchObject({
    url: '/api/v2/books?limit=2',
    headers: { authorization: 'Bearer secret', accept: 'application/vnd.shop.v2+json' },
  });
});

test('names the version in Accept if paths have none', async () => {
  const service = { ...SHOP, versioning: ['accept'] } as const;
  const { read, requests } = await serve((_request, response) => response.end('[]'), service);
  await read('books');
  expect(requests[0]).toMatchObject({
    url: '/api/books',
    headers: { accept: 'application/vnd.shop.v2+json' },
  });
});

test('follows the link to the next page, and to no other host', async () => {
  const { read, requests } = await serve((_request, response) => {
    const links = [
      '</api/v2/books>; rel="first"',
      '<http://elsewhere.example/api/v2/books?cursor=x>; rel="next"',
    ];
    response.writeHead(200, { link: links.join(', ') }).end('[]');
  });
  const { next } = await read('books');
  expect(next).toBe('http://elsewhere.example/api/v2/books?cursor=x');
  await read(String(next));
  expect(requests[1]?.url).toBe('/api/v2/books?cursor=x');
});

test('asks a busy service again', async () => {
  let count = 0;
  const { read } = await serve((_request, response) => {
    response.writeHead([503, 429][count++] ?? 200).end('{}');
  });
  expect(await read('books/1')).toMatchObject({ status: 200 });
  expect(count).toBe(3);
});

test.each<[string, string, RequestListener, object]>([
  [
    'an error',
    'books',
    (_request, response) => response.writeHead(500).end('{"status":500}'),
    { status: 500, outcome: 'answers 500', body: { status: 500 } },
  ],
  [
    'what is no JSON',
    'books',
    (_request, response) => response.end('<p>'),
    { status: 200, body: undefined },
  ],
  [
    'a redirection, which it does not follow',
    'books',
    (_request, response) => response.writeHead(302, { location: '/' }).end(),
    { status: 302, outcome: 'answers 302' },
  ],
  [
    'a connection that ends',
    'books',
    (request) => request.socket.destroy(),
    { status: undefined, outcome: 'fails (UND_ERR_SOCKET)', body: undefined },
  ],
  [
    'a link that is no URL',
    'http://[bad',
    (_request, response) => response.end('[]'),
    { status: undefined, outcome: 'fails (Invalid URL)' },
  ],
])('tells %s', async (_what, path, listener, expected) => {
  const { read } = await serve(listener);
  expect(await read(path)).toMatchObject(expected);
});

test('an interruption ends a request', async () => {
  const interruption = new AbortController();
  const { read } = await serve(() => interruption.abort(), SHOP, interruption.signal);
  await expect(read('books')).rejects.toThrow('aborted');
});
