/** What webhooks may be sent to, and single attempts to send something. */
import { createSocket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { readConfig } from '../src/config.ts';
import { outcomeOf } from '../src/platform/webhooks/deliver.ts';
import {
  isPublicAddress,
  resolveAddresses,
  urlProblem,
} from '../src/platform/webhooks/receiver-url.ts';
import type { Resolve } from '../src/platform/webhooks/receiver-url.ts';
import { send } from '../src/platform/webhooks/send.ts';
import { startReceiver } from './support/receiver.ts';
import type { Receiver } from './support/receiver.ts';

const PUBLIC: LookupAddress = { address: '93.184.215.14', family: 4 };
const LOCAL: LookupAddress = { address: '127.0.0.1', family: 4 };
const PRIVATE = { allowPrivate: false };
const ALLOWED = { allowPrivate: true };
const REQUEST = { headers: {}, body: '{}' };
const never = new AbortController().signal;

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

/** A name lookup with a result for each call. */
const resolving =
  (...results: LookupAddress[][]): Resolve =>
  async () =>
    results.shift() ?? [];

/** The URL of the receiver under another host name. */
const urlAt = (host: string): string => receiver.url.replace('127.0.0.1', host);

describe('requests to private networks', () => {
  test.each([
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['172.16.0.1', false],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::1', false],
    ['::', false],
    ['fe80::1%eth0', false],
    ['fd00::1', false],
    ['ff02::1', false],
    ['fec0::1', false],
    ['4000::1', false],
    ['::127.0.0.1', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:10.0.0.1', false],
    ['64:ff9b::7f00:1', false],
    ['64:ff9b:1::1', false],
    ['2002:7f00:1::', false],
    ['2001:db8::1', false],
    ['example.org', false],
    ['93.184.215.14', true],
    ['::ffff:93.184.215.14', true],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
  ])('%s is public: %s', (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic);
  });

  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.0.0.1./',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
  ])('%s is refused when it is registered, and when it is sent to', async (url) => {
    expect(urlProblem(url, { ...PRIVATE, requireHttps: false })).toMatch('private network');
    const answer = await send({ ...REQUEST, url }, PRIVATE, never);
    expect(answer).toMatchObject({
      status: null,
      error: expect.stringContaining('private network'),
    });
  });

  test.each(['http://localhost/', 'http://LOCALHOST./', 'http://a.localhost/'])(
    '%s, which always stands for the own machine, is refused',
    (url) => {
      const rules = { allowPrivate: false, requireHttps: false };
      expect(urlProblem(url, rules)).toMatch('private network');
      expect(urlProblem(url, { ...rules, allowPrivate: true })).toBeUndefined();
    },
  );

  test.each([
    'http:///x',
    'http:example.org',
    'https://a:b@example.org/',
    'https://example.org/#a',
  ])('%s is refused', (url) =>
    expect(urlProblem(url, { allowPrivate: true, requireHttps: false })).toMatch(/^must /),
  );

  test('https is required in production', () => {
    const { webhooks: rules } = readConfig({ NODE_ENV: 'production' });
    expect(urlProblem('http://example.org/', rules)).toMatch('https');
    expect(urlProblem('https://example.org/', rules)).toBeUndefined();
  });

  test('a host whose address changes gets nothing', async () => {
    const url = urlAt('rebinding.test');
    const resolve = resolving([PUBLIC], [LOCAL]);
    // The connection goes to the address that was looked up, and nowhere else.
    await send({ ...REQUEST, url }, PRIVATE, never, { resolve, timeout: 200 });
    const { error } = await send({ ...REQUEST, url }, PRIVATE, never, { resolve });
    expect(error).toMatch('rebinding.test is in a private network');
    expect(receiver.received).toEqual([]);
    const allowed = await send({ ...REQUEST, url: receiver.url }, ALLOWED, never);
    expect(allowed).toMatchObject({ status: 204, error: null });
  });

  test('the private one of several addresses gets nothing', async () => {
    const resolve = resolving([LOCAL, PUBLIC, LOCAL]);
    const url = urlAt('several.test');
    await send({ ...REQUEST, url }, PRIVATE, never, { resolve, timeout: 500 });
    expect(receiver.received).toEqual([]);
  });
});

/** The types of DNS records with an IPv4 and an IPv6 address. */
const [A, AAAA] = [1, 28];

describe('a name server', () => {
  test.each([
    [A, '93.184.215.14', 4, [93, 184, 215, 14]],
    [AAAA, '2606:4700::1', 6, [0x26, 0x06, 0x47, ...Array<number>(12).fill(0), 1]],
  ])(
    'that has only records of type %i finds their address',
    async (type, address, family, bytes) => {
      const server = createSocket('udp4');
      server.on('message', (query, { port }) => {
        const end = query.indexOf(0, 12) + 5;
        const hasAnswer = query.readUInt16BE(end - 4) === type ? 1 : 0;
        const head = [0x81, 0x80, 0, 1, 0, hasAnswer, 0, 0, 0, 0];
        const record = [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes];
        const question = query.subarray(12, end);
        const answer = hasAnswer === 1 ? record : [];
        server.send(Buffer.from([...query.subarray(0, 2), ...head, ...question, ...answer]), port);
      });
      await new Promise<void>((bound) => void server.bind(0, '127.0.0.1', bound));
      onTestFinished(() => void server.close());
      const found = await resolveAddresses('one.test', [`127.0.0.1:${server.address().port}`]);
      expect(found).toEqual([{ address, family }]);
    },
  );

  test('that does not answer fails the attempt, and holds up nothing else', async () => {
    const silent = createSocket('udp4');
    await new Promise<void>((bound) => void silent.bind(0, '127.0.0.1', bound));
    onTestFinished(() => void silent.close());
    const resolve: Resolve = (host) =>
      resolveAddresses(host, [`127.0.0.1:${silent.address().port}`]);
    // More than the process has threads for lookups.
    const attempts = Array.from({ length: 8 }, () =>
      send({ ...REQUEST, url: urlAt('silent.test') }, PRIVATE, never, { resolve, timeout: 500 }),
    );
    let ended = 0;
    for (const attempt of attempts) void attempt.then(() => ended++);
    await lookup('localhost');
    expect(ended).toBe(0);
    for (const { error } of await Promise.all(attempts)) {
      expect(error).toBe('The receiver did not answer within 0.5 seconds.');
    }
  });

  test('that does not know the host fails the attempt', async () => {
    const closed = createSocket('udp4');
    await new Promise<void>((bound) => void closed.bind(0, '127.0.0.1', bound));
    const server = `127.0.0.1:${closed.address().port}`;
    await new Promise<void>((done) => void closed.close(done));
    await expect(resolveAddresses('unknown.test', [server])).rejects.toThrow(
      'no address of unknown.test was found (ECONNREFUSED)',
    );
  });
});

describe('an attempt', () => {
  test('reads the beginning of a large answer, and no longer than its timeout', async () => {
    const request = { url: receiver.url, headers: {}, body: '{}' };
    receiver.answer = () => ({ status: 500, body: `\0\u0007${'𝄞'.repeat(1_000_000)}` });
    const large = await send(request, ALLOWED, never);
    expect(large.status).toBe(500);
    expect(large.error?.length).toBeLessThan(1_000);
    expect(large.error).toMatch(/^The receiver answered 500 Internal Server Error\. {1,2}𝄞+.?$/u);
    receiver.answer = () => new Promise(() => {});
    const stuck = await send(request, ALLOWED, never, { timeout: 50 });
    expect(stuck).toEqual({
      status: null,
      error: 'The receiver did not answer within 0.05 seconds.',
    });
    await receiver.stop();
    expect(await send(request, ALLOWED, never)).toMatchObject({
      status: null,
      error: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test.each([
    ['120', 120],
    [new Date(Date.now() + 3_600_000).toUTCString(), 3_600],
    ['soon', -1],
  ])('reads Retry-After: %s', async (value, seconds) => {
    receiver.answer = () => ({ status: 503, headers: { 'retry-after': value } });
    const { retryAfter = -1 } = await send({ ...REQUEST, url: receiver.url }, ALLOWED, never);
    expect(Math.abs(retryAfter - seconds)).toBeLessThan(60);
  });

  test.each([
    { status: 500, attempt: 1, seconds: [10, 11] },
    { status: 500, attempt: 1, retryAfter: 50, seconds: [10, 11] },
    { status: 429, attempt: 1, retryAfter: 50, seconds: [50, 50] },
    { status: 503, attempt: 1, retryAfter: 1e9, seconds: [86_400, 86_400] },
    { status: 503, attempt: 2, retryAfter: 1, seconds: [100, 110] },
    { status: null, attempt: 2, seconds: [100, 110] },
  ])('is repeated after its delay, or when a busy receiver asks for it: %o', (failed) => {
    const { status, attempt, retryAfter, seconds } = failed;
    const outcome = outcomeOf({ status, error: 'no', retryAfter }, { attempt }, '', [10, 100]);
    const delay = outcome.kind === 'retried' ? outcome.delay : -1;
    expect(delay).toBeGreaterThanOrEqual(seconds[0] ?? 0);
    expect(delay).toBeLessThanOrEqual(seconds[1] ?? 0);
  });

  test.each([
    { until: 10_999, kind: 'failed' },
    { until: 12_001, kind: 'retried' },
  ])('is the last one when its event is too old for the next: %o', ({ until, kind }) => {
    const at = new Date(1_000).toISOString();
    const outcome = outcomeOf({ status: 500, error: 'no' }, { attempt: 1 }, at, [10], until);
    expect(outcome).toMatchObject({ kind });
  });

  test('is the last one when no retries are left', () => {
    const failed = outcomeOf({ status: 500, error: 'no' }, { attempt: 3 }, '', [10, 100]);
    expect(failed).toMatchObject({ kind: 'failed' });
  });
});

test('an attempt does not wait for the end of an endless answer', async () => {
  const server = createServer((socket) => {
    const more = setInterval(() => socket.write('x'.repeat(1_000)), 1);
    socket.on('error', () => {}).on('close', () => clearInterval(more));
    socket.write('HTTP/1.1 500 No\r\n\r\n');
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const began = Date.now();
  const { error } = await send({ url, ...REQUEST }, ALLOWED, never, { timeout: 10_000 });
  expect(error).toMatch(/^The receiver answered 500 No\. x{500}$/);
  expect(Date.now() - began).toBeLessThan(5_000);
});

test.each([
  [
    'switches protocols',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'the receiver switched protocols (101)',
  ],
  ['closes the connection', '', ''],
  ['answers no HTTP', '\0\0\0\0', ''],
])('an attempt at a receiver that %s fails', async (_what, answer, reason) => {
  const server = createServer((socket) => socket.on('error', () => {}).end(answer));
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { status, error } = await send({ url, ...REQUEST }, ALLOWED, never);
  expect(status).toBeNull();
  expect(error).toMatch(/^The request failed: /);
  expect(error).toContain(reason);
});
