/** Operation: the log, metrics and load shedding. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { prettyFactory } from 'pino-pretty';
import { afterAll, describe, expect, test } from 'vitest';

import { migrate } from '../src/platform/database/migrate.ts';
import { requireSpace } from '../src/platform/database/pglite.ts';
import type { DatabaseUnavailable } from '../src/platform/database/unavailable.ts';
import { describeError, makeLog } from '../src/platform/log.ts';
import { openTestDatabase } from './support/database.ts';
import { basic, createUser, PASSWORD } from './support/items/users.ts';
import { NO_ID } from './support/expected.ts';
import { sendRaw } from './support/raw.ts';
import { ACCEPT, API, startService } from './support/service.ts';
import type { Item, TestService } from './support/service.ts';

interface Token extends Item {
  readonly token: string;
}

/** The lines of `GET /metrics`. */
async function metrics(service: TestService): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${service.port}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return (await answer.text()).split('\n');
}

/** The value of a metric without labels. */
const valueOf = (name: string, lines: readonly string[]): number =>
  Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]);

const database = await openTestDatabase();
afterAll(() => database.close());

describe('the log', async () => {
  const written: string[] = [];
  const write = (line: string): void => void written.push(line);
  const log = makeLog({ logLevel: 'trace' }, { write });
  const service = await startService({}, { log }, database);

  /** The log line of a request, which is written when its response has ended. */
  async function lineOf(requestId: string | null): Promise<Record<string, unknown>> {
    const lines = (): string[] => written.filter((line) => line.includes(requestId ?? '-'));
    await expect.poll(lines).not.toEqual([]);
    expect(lines()).toHaveLength(1);
    return JSON.parse(lines()[0] ?? '') as Record<string, unknown>;
  }

  test('has a line for each request', async () => {
    const answer = await service.get(`/users/${NO_ID}`);
    expect(answer).toBeError(404);
    const line = await lineOf(answer.headers.get('x-request-id'));
    expect(line).toMatchObject({
      level: 'info',
      request_id: answer.headers.get('x-request-id'),
      method: 'GET',
      path: `${API}/users/${NO_ID}`,
      status: 404,
      address: '127.0.0.1',
      msg: 'request',
    });
    expect(line['ms']).toBeTypeOf('number');
    expect(line['user']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('has no headers, queries or bodies', async () => {
    const answer = await service.post('/users?secret=in-the-query', {
      username: 'in-the-body',
      password: PASSWORD,
    });
    await lineOf(answer.headers.get('x-request-id'));
    const whole = written.join('');
    expect(whole).not.toMatch(/in-the-query|in-the-body|authorization|Bearer|Basic/i);
    expect(whole).not.toContain(PASSWORD);
    expect(whole).not.toContain(service.credential);
  });

  test('has a line for each security event, without secrets', async () => {
    written.length = 0;
    const { id, username } = await createUser(service, { roles: ['admin'] });
    const path = `/users/${id}`;
    const own = service.as(basic(username));
    const first = await own.create<Token>('/tokens', { name: 'in-the-body' });
    const second = await own.create<Token>('/tokens', {});
    await service.delete(`/tokens/${first.id}`);
    await service.patch(path, { roles: [] });
    await service.patch(path, { roles: [] });
    await own.patch(path, { password: 'another-password' });
    const wrong = service.as(basic(username, 'a-wrong-password'));
    for (let at = 0; at < 10; at++) await wrong.get('/tokens');
    await wrong.get('/tokens');
    await service.as('Bearer a-wrong-token').get('/tokens');

    const lines = written.map((line) => JSON.parse(line) as Record<string, unknown>);
    const events = lines.filter(({ msg }) => msg === 'security event');
    for (const line of events) {
      expect(line).toMatchObject({ level: 'warn', username, address: '127.0.0.1' });
      expect(line['request_id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    const logged = events.map(({ event, by, token, before, roles, limit }) => {
      return { event, by, token, before, roles, limit };
    });
    const [by, admin] = [username, 'administrator'];
    expect(logged).toEqual([
      { event: 'roles changed', by: admin, before: [], roles: ['admin'] },
      { event: 'token created', by, token: first.id },
      { event: 'token created', by, token: second.id },
      { event: 'token revoked', by: admin, token: first.id },
      { event: 'roles changed', by: admin, before: ['admin'], roles: [] },
      { event: 'password changed', by },
      { event: 'token revoked', by, token: second.id },
      ...Array.from({ length: 10 }, () => ({ event: 'login failed' })),
      { event: 'login refused', limit: 'address and username' },
    ]);
    const hashes = await service.database.query<{ password_hash: string }>(
      { text: 'select "password_hash" from "users" where "id" = $1' },
      [id],
    );
    const whole = written.join('');
    const secrets = [PASSWORD, 'another-password', 'a-wrong-password', 'a-wrong-token'];
    secrets.push(first.token, second.token, own.credential ?? '', hashes[0]?.password_hash ?? '');
    for (const secret of secrets) expect(whole).not.toContain(secret);
  });

  test('has internal errors, which are not sent to the client', async () => {
    await service.database.query({ text: 'alter table "tokens" rename "hash" to "elsewhere"' });
    const answer = await service.as(`Bearer ${'x'.repeat(43)}`).get('/users');
    await service.database.query({ text: 'alter table "tokens" rename "elsewhere" to "hash"' });
    expect(answer).toBeError(500);
    expect(JSON.stringify(answer.body)).not.toMatch(/hash|column|\.ts/);
    expect(await lineOf(answer.headers.get('x-request-id'))).toMatchObject({
      level: 'error',
      status: 500,
      err: { code: '42703', message: expect.stringContaining('hash') as string },
    });
  });

  test('has a line for a malformed request', async () => {
    const answer = await sendRaw(service.port, ['NONSENSE']);
    expect(answer).toBeError(400);
    const line = await lineOf(answer.headers.get('x-request-id'));
    expect(line).toMatchObject({ status: 400, msg: 'malformed request' });
  });

  test('has a line for an aborted request', async () => {
    const id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12';
    const socket = connect(service.port, '127.0.0.1');
    socket.write(
      `POST ${API}/users HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\nContent-Length: 9\r\n\r\n{`,
      () => setTimeout(() => socket.resetAndDestroy(), 50),
    );
    expect((await lineOf(id))['method']).toBe('POST');
  });

  test('is one JSON object per line for any input', async () => {
    for (const path of ['/a%0A%7B%22level%22:%22fatal%22%7D', `/${'long'.repeat(1000)}`]) {
      expect(await service.request('GET', path)).toBeError(404);
    }
    for (const line of written) {
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(line.length).toBeLessThan(5000);
      expect(JSON.parse(line)).toHaveProperty('level');
    }
  });

  test('has the code and table of database errors, but no values', () => {
    const taken = Object.assign(new Error('duplicate key value violates "users_username"'), {
      code: '23505',
      table: 'users',
      detail: 'Key (username)=(in-the-body) already exists.',
    });
    expect(describeError(taken)).toMatchObject({ code: '23505', table: 'users' });
    const wrong = Object.assign(new Error('invalid input syntax: "in-the-body"'), {
      code: '22P02',
    });
    expect(JSON.stringify([describeError(taken), describeError(wrong)])).not.toContain(
      'in-the-body',
    );
  });
});

test('escapes control characters in readable log lines', () => {
  let text = '';
  const readable = prettyFactory({ colorize: false });
  const log = makeLog({ logLevel: 'info' }, { write: (line) => (text += readable(line)) });
  log.info({ path: '/\u001B[2J', status: 404 }, 'request');
  log.error({ err: new Error('broken') }, 'request');
  expect(text).toContain('): request\n    path: "/\\u001b[2J"\n    status: 404\n');
  expect(text).toContain('"message": "broken",\n');
  expect(text).toMatch(/\n {10,16}at /);
});

test('is not ready during shutdown, but answers requests', async () => {
  const service = await startService({}, { isDraining: () => true }, database);
  expect(await service.request('GET', '/health/live')).toHaveStatus(200);
  const ready = await service.request('GET', '/health/ready');
  expect(ready).toBeError(503, 'stopping');
  expect(ready.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
  const answer = await service.get('/users');
  expect(answer).toHaveStatus(200);
  expect(answer.headers.get('connection')).toBe('close');
});

describe('metrics', async () => {
  const service = await startService({}, {}, database);

  test('label requests by method, route and status, but not by path', async () => {
    for (let at = 0; at < 3; at++) {
      await service.get(`/users/01890a5d-ac96-774b-bcce-b302099a805${at}`);
      await service.request('GET', `/nothing/${at}`);
    }
    const name = 'http_request_duration_seconds_count';
    const lines = await metrics(service);
    expect(lines).toContain(`${name}{method="GET",route="${API}/users/:id",status="404"} 3`);
    expect(lines).toContain(`${name}{method="GET",route="none",status="404"} 3`);
    expect(lines.join('\n')).not.toContain('01890a5d');
  });

  test('cover the process and the database', async () => {
    await service.get('/users');
    const lines = await metrics(service);
    expect(valueOf('database_connections_idle', lines)).toBeGreaterThan(0);
    expect(valueOf('database_waiting', lines)).toBe(0);
    expect(valueOf('http_requests_in_flight', lines)).toBe(1);
    expect(valueOf('http_requests_active', lines)).toBe(0);
    expect(valueOf('http_requests_arriving', lines)).toBe(0);
    expect(valueOf('process_resident_memory_bytes', lines)).toBeGreaterThan(0);
    expect(valueOf('nodejs_eventloop_lag_seconds', lines)).toBeGreaterThanOrEqual(0);
  });
});

describe('load shedding', async () => {
  let isOverloaded = false;
  const limits = { active: 4, arriving: 3, arrivingPerClient: 3 };
  const service = await startService({}, { isOverloaded: () => isOverloaded, limits }, database);
  const inFlight = (): number => service.app.inFlight();

  const expectBusy = (answer: Awaited<ReturnType<typeof service.get>>): void => {
    expect(answer).toBeError(503, 'busy');
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
  };

  test('refuses requests while the event loop is delayed, except health and metrics (503)', async () => {
    isOverloaded = true;
    expectBusy(await service.get('/users'));
    expectBusy(await service.request('GET', '/nothing'));
    expect(await service.request('GET', '/health/ready')).toHaveStatus(200);
    const lines = await metrics(service);
    expect(lines).toContain('http_requests_shed_total{reason="event loop"} 2');
    isOverloaded = false;
    expect(await service.get('/users')).toHaveStatus(200);
  });

  test('refuses requests beyond the limit (503), and answers the others', async () => {
    const release = await holdConnections();
    // Pipelined on one connection, and answered in order.
    const { statuses } = pipeline(service, 6);
    await expect.poll(inFlight).toBe(6);
    await release();
    expect(await statuses).toEqual([200, 200, 200, 200, 503, 503]);
    expect(await metrics(service)).toContain('http_requests_shed_total{reason="requests"} 2');
    expect(await service.get('/users')).toHaveStatus(200);
  });

  test('does not count requests of disconnected clients', async () => {
    const release = await holdConnections();
    const { statuses, socket } = pipeline(service, 4);
    await expect.poll(inFlight).toBe(4);
    socket.destroy();
    await expect.poll(inFlight).toBe(0);
    await release();
    expect(await statuses).toEqual([]);
    expect(await service.get('/users')).toHaveStatus(200);
  });

  test('does not count uploads of disconnected clients', async () => {
    // Three rounds exceed the limit, if disconnected clients still counted.
    for (let round = 0; round < 3; round++) {
      const release = await holdConnections();
      const sockets = Array.from({ length: limits.arriving }, () => postPart(service, 9));
      await expect.poll(inFlight).toBe(limits.arriving);
      for (const socket of sockets) socket.destroy();
      await expect.poll(inFlight).toBe(0);
      await release();
    }
    const lines = await metrics(service);
    expect(valueOf('http_requests_active', lines)).toBe(0);
    expect(valueOf('http_requests_arriving', lines)).toBe(0);
    const user = { username: 'after-them', password: PASSWORD };
    expect(await service.post('/users', user)).toHaveStatus(201);
  });

  test('limits the statements that wait for a connection (503)', async () => {
    const release = await holdConnections();
    const all = Array.from({ length: 400 }, () =>
      service.database.query({ text: 'select 1' }).then(
        () => 'done',
        (error: DatabaseUnavailable) => error.reason,
      ),
    );
    expectBusy(await service.get('/users'));
    await release();
    const outcomes = await Promise.all(all);
    // `holdConnections` has a waiting statement of its own.
    expect(outcomes.filter((outcome) => outcome === 'busy').length).toBeGreaterThanOrEqual(101);
    expect(new Set(outcomes)).toEqual(new Set(['done', 'busy']));
    expect(await service.get('/users')).toHaveStatus(200);
  });

  test('answers reads, and bodies that come with their headers, while uploads are at their limit (503)', async () => {
    const sockets = Array.from({ length: limits.arriving }, () => postPart(service, 9));
    await expect.poll(() => service.app.arriving()).toBe(limits.arriving);
    expect(await service.get('/users')).toHaveStatus(200);
    expect(
      await sendRaw(service.port, [...headOf(service, 2), 'Connection: close'], '{}'),
    ).toBeError(422);
    const refused = postPart(service, 9);
    const [bytes] = (await once(refused, 'data')) as [Buffer];
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 503 [^]*\r\nretry-after: 1\r\n/);
    refused.destroy();
    for (const socket of sockets) socket.destroy();
    const post = async (): Promise<number> => (await service.post('/users', {})).status;
    await expect.poll(post).toBe(422);
  });

  test('releases the connection of a transaction that times out', async () => {
    const endless = service.database.transaction(() => new Promise(() => {}), 50);
    await expect(endless).rejects.toMatchObject({ name: 'DatabaseUnavailable', reason: 'busy' });
    expect(await service.get('/users')).toHaveStatus(200);
    await expect.poll(() => service.database.connectionStats().used).toBe(0);
  });

  test('rolls back a failed transaction, and releases its connection', async () => {
    const failing = service.database.transaction(async (transaction) => {
      await transaction.query({ text: `delete from "tokens"` });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow(/^no$/);
    expect(await service.get('/users')).toHaveStatus(200);
  });
});

/** The answer of PostgreSQL 12 to the query for its version. */
const askVersion = async <Row>(): Promise<Row[]> => [{ number: '120022', version: '12.22' } as Row];

const refuse = (): Promise<never> => Promise.reject(new Error('unexpected call'));

test('refuses PostgreSQL 12 and older', async () => {
  const server = {
    isShared: true,
    query: askVersion,
    transaction: refuse,
    session: refuse,
    savepoint: refuse,
    afterCommit: () => {},
  };
  await expect(migrate(server)).rejects.toThrow(
    'PostgreSQL 13 or newer is needed, and this server is 12.22.',
  );
});

test('refuses a full disk', () => {
  expect(() => requireSpace('.', 0)).not.toThrow();
  expect(() => requireSpace('.', Number.MAX_SAFE_INTEGER)).toThrow(
    /^The disk is full: \. has \d+ MiB/,
  );
});

/** The head of a POST with a body of this many bytes. */
const headOf = (service: TestService, length: number): string[] => [
  `POST ${API}/users HTTP/1.1`,
  'Host: x',
  `Accept: ${ACCEPT}`,
  'Content-Type: application/json',
  `Authorization: ${service.credential}`,
  `Content-Length: ${length}`,
];

/** Sends a POST with only the first byte of its body. */
function postPart(service: TestService, length: number): Socket {
  const socket = connect(service.port, '127.0.0.1');
  socket.write(`${headOf(service, length).join('\r\n')}\r\n\r\n{`);
  return socket;
}

/** Sends pipelined requests on one connection. @returns the statuses of the responses. */
function pipeline(
  service: TestService,
  requests: number,
): { readonly socket: Socket; readonly statuses: Promise<number[]> } {
  const head = [
    `GET ${API}/users HTTP/1.1`,
    'Host: x',
    `Accept: ${ACCEPT}`,
    `Authorization: ${service.credential}`,
  ];
  const bytes = `${head.join('\r\n')}\r\n\r\n`;
  const last = `${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`;
  const socket = connect(service.port, '127.0.0.1');
  socket.write(bytes.repeat(requests - 1) + last);
  const statuses = new Promise<number[]>((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('close', () => {
      resolve([...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)));
    });
  });
  return { socket, statuses };
}

/** Locks the users, and occupies all connections of the pool. @returns a function that releases them. */
async function holdConnections(): Promise<() => Promise<void>> {
  let release: (() => void) | undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isLocked: (() => void) | undefined;
  const locked = new Promise<void>((resolve) => {
    isLocked = resolve;
  });
  const lock = database.transaction(async (transaction) => {
    await transaction.query({ text: 'lock table "users" in access exclusive mode' });
    isLocked?.();
    await released;
  });
  await locked;
  const held = [lock];
  while (database.connectionStats().waiting === 0) {
    // When all connections are in use, one transaction waits.
    held.push(database.transaction(() => released).catch(() => {}));
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
  return async () => {
    release?.();
    await Promise.all(held);
  };
}
