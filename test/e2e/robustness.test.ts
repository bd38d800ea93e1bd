/** A running service through what happens to services: rude clients, signals, a database away. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { beforeAll, describe, expect, inject, test } from 'vitest';

import { AUTHORIZATION, makeDatabase, makeBuiltProject, start } from './support/project.ts';
import type { Running } from './support/project.ts';
import { startPostgres } from './support/setup.ts';

let project = '';

beforeAll(async () => {
  project = await makeBuiltProject('robust', 'examples/bookshop.yaml');
});

/** A connection that sends these bytes and is then left as it is. */
function hold(service: Running, bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(service.port, '127.0.0.1', () => {
      socket.write(bytes, () => resolve(socket));
    });
    socket.on('error', reject);
  });
}

const post = (service: Running, name: string): Promise<Response> =>
  fetch(`${service.origin}/api/v1/authors`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: AUTHORIZATION },
    body: JSON.stringify({ name }),
  });

const names = async (service: Running): Promise<string[]> => {
  const answer = await fetch(`${service.origin}/api/v1/authors?limit=100`);
  return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
};

test('clients that reset a connection while they are answered end nothing', async () => {
  const service = await start(project, { DATA_DIR: 'memory' });
  for (let round = 0; round < 200; round++) {
    const socket = await hold(service, 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n');
    socket.resetAndDestroy();
  }
  expect((await post(service, 'still there')).status).toBe(201);
  expect(await service.stop()).toBe(0);
});

/** What is counted while it is under way. */
const GAUGES: ReadonlySet<string> = new Set([
  'http_requests_active',
  'http_requests_arriving',
  'http_requests_in_flight',
  'database_connections_used',
  'database_waiting',
]);

test('5,000 clients that disconnect at random points leave nothing counted', async () => {
  const service = await start(project, { DATABASE_URL: await makeDatabase('disconnected') });
  const body = JSON.stringify({ name: 'gone' });
  const bytes =
    `POST /api/v1/authors HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  // A generator with a seed: what fails can be repeated.
  let seed = 20_261_122;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const disconnect = async (): Promise<void> => {
    // Half of them send the whole head, and perhaps the body.
    const head = bytes.length - body.length;
    const sent = random(2) === 0 ? random(head) : head + random(body.length + 1);
    const socket = await hold(service, bytes.slice(0, sent));
    await sleep(random(8));
    if (random(2) === 0) socket.resetAndDestroy();
    else socket.destroy();
  };
  for (let round = 0; round < 100; round++) {
    await Promise.all(Array.from({ length: 50 }, disconnect));
  }
  const gauges = async (): Promise<Record<string, number>> => {
    const lines = (await (await fetch(`${service.origin}/metrics`)).text()).split('\n');
    const found = lines.map((line) => line.split(' '));
    return Object.fromEntries(
      found
        .filter(([name = '']) => GAUGES.has(name))
        .map(([name = '', value]) => [name, Number(value)]),
    );
  };
  await expect.poll(gauges).toEqual({
    http_requests_active: 0,
    http_requests_arriving: 0,
    // The one that asks for the figures.
    http_requests_in_flight: 1,
    database_connections_used: 0,
    database_waiting: 0,
  });
  expect((await post(service, 'after them')).status).toBe(201);
  expect(await service.stop()).toBe(0);
});

test('SIGTERM lets what is in flight finish, and waits for nobody else', async () => {
  const service = await start(project, { DATA_DIR: 'memory' });
  const idle = await hold(service, '');
  const half = await hold(service, 'GET /health/li');
  const broken = await hold(service, 'nonsense\r\n\r\n');
  const body = JSON.stringify({ name: 'in flight' });
  const flying = await hold(
    service,
    `POST /api/v1/authors HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n` +
      'Content-Type: application/json\r\n' +
      `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  let answer = '';
  flying.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  const answered = once(flying, 'close');
  const begun = Date.now();
  const stopped = service.stop();
  await sleep(300);
  flying.write(body.slice(5));
  expect(await stopped).toBe(0);
  expect(Date.now() - begun).toBeLessThan(8000);
  await answered;
  expect(answer).toMatch(/^HTTP\/1.1 201 Created\r\n[^]*connection: close/i);
  for (const socket of [idle, half, broken, flying]) socket.destroy();
});

test('a port that is taken stops the start with one line that says what to do', async () => {
  const service = await start(project, { DATA_DIR: 'memory' });
  const { status, stderr } = spawnSync(process.execPath, ['dist/server.js'], {
    cwd: project,
    env: { ...process.env, DATA_DIR: 'memory', HOST: '127.0.0.1', PORT: String(service.port) },
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `The service did not start. listen EADDRINUSE: address already in use 127.0.0.1:${service.port}. Stop the process that listens there, or set PORT.\n`,
  });
  expect(await service.stop()).toBe(0);
});

describe('PGlite in a folder', () => {
  test('is for one process at a time, and survives kill -9', async () => {
    const folder = path.join(inject('workshop'), 'data');
    const service = await start(project, { DATA_DIR: folder });
    expect((await post(service, 'kept')).status).toBe(201);
    const second = spawnSync(process.execPath, ['dist/server.js'], {
      cwd: project,
      env: { ...process.env, DATA_DIR: folder, PORT: '0' },
      encoding: 'utf8',
    });
    expect(second.status).toBe(1);
    expect(second.stderr).toMatch(
      /^The service did not start\. The database folder .* is in use by process \d+\. Stop that process, or name another folder in DATA_DIR\.\n$/,
    );
    expect(await service.stop('SIGKILL')).toBeNull();
    const again = await start(project, { DATA_DIR: folder });
    expect(await names(again)).toEqual(['kept']);
    expect(await again.stop()).toBe(0);
  });
});

describe('PostgreSQL', () => {
  test('may go away and come back: 503 meanwhile, and no restart', async () => {
    const server = await startPostgres(path.join(inject('workshop'), 'away'));
    const service = await start(project, { DATABASE_URL: `${server.url}/postgres` });
    expect((await post(service, 'before')).status).toBe(201);
    await server.stop();
    const away = await post(service, 'while it is away');
    expect(away.status).toBe(503);
    expect(away.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await away.json()).toEqual({
      status: 'Service Unavailable',
      message: 'The database is unreachable: try again in a second.',
      request_id: away.headers.get('x-request-id'),
    });
    expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
    expect((await fetch(`${service.origin}/health/ready`)).status).toBe(503);
    await server.start();
    expect((await post(service, 'after')).status).toBe(201);
    expect(await names(service)).toEqual(['before', 'after']);
    expect(await service.stop()).toBe(0);
    await server.stop();
  });

  test('is migrated once by processes that start together, and shared by them', async () => {
    const DATABASE_URL = await makeDatabase('shared');
    const [one, other] = await Promise.all([
      start(project, { DATABASE_URL, LOG_LEVEL: 'info' }),
      start(project, { DATABASE_URL, LOG_LEVEL: 'info' }),
    ]);
    for (const name of ['a', 'b', 'c']) expect((await post(one, name)).status).toBe(201);
    const page = await fetch(`${one.origin}/api/v1/authors?limit=1`);
    const next = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    // A cursor of one process is good in the other, and after a restart.
    expect(await one.stop()).toBe(0);
    const answer = await fetch(other.origin + next);
    expect(((await answer.json()) as { name: string }[]).map(({ name }) => name)).toEqual(['b']);
    expect(await other.stop()).toBe(0);
    const applied = [one, other].filter((service) =>
      service.output().includes('migration applied'),
    );
    expect(applied).toHaveLength(1);
  });

  test('loses no change of writers who change one item at the same time', async () => {
    const service = await start(project, { DATABASE_URL: await makeDatabase('writers') });
    const { id } = (await (await post(service, 'nobody')).json()) as { id: string };
    const patch = (body: object): Promise<Response> =>
      fetch(`${service.origin}/api/v1/authors/${id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', authorization: AUTHORIZATION },
        body: JSON.stringify(body),
      });
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([
        patch({ name: `name ${round}` }),
        patch({ born_on: `20${round}0-01-01` }),
        patch({ biography: `life ${round}` }),
        patch({ website: `https://example.org/${round}` }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const item = await (await fetch(`${service.origin}/api/v1/authors/${id}`)).json();
      expect(item).toMatchObject({
        name: `name ${round}`,
        born_on: `20${round}0-01-01`,
        biography: `life ${round}`,
        website: `https://example.org/${round}`,
      });
    }
    expect(await service.stop()).toBe(0);
  });
});

test.each([
  [{ PORT: 'x' }, 'Wrong configuration: PORT must be an integer from 0 to 65535.'],
  [
    { DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud', MIGRATE: 'yes', PUBLIC_URL: 'example.org' },
    'Wrong configuration: DATABASE_URL must be a connection string such as ' +
      'postgresql://user@host:5432/name; MIGRATE must be true, all or false; PUBLIC_URL must be an ' +
      'origin such as https://example.org; LOG_LEVEL must be one of fatal, error, warn, info, ' +
      'debug, trace, silent.',
  ],
])('a wrong configuration %j stops the start with one line', (env, message) => {
  const { status, stderr } = spawnSync(process.execPath, ['dist/server.js'], {
    cwd: project,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toBe(`The service did not start. ${message}\n`);
});
