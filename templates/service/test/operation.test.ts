/** What whoever runs the service relies on: its log, its figures, and how it bears too much. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { describe, expect, test } from 'vitest';

import type { OpenDatabase } from '../src/database/database.ts';
import { migrate } from '../src/database/migrate.ts';
import { requireRoom } from '../src/database/room.ts';
import type { DatabaseUnavailable } from '../src/database/unavailable.ts';
import { describeError, makeLog } from '../src/log.ts';
import { PASSWORD } from './fixtures/users.ts';
import { NO_ID } from './support/expected.ts';
import { sendRaw } from './support/raw.ts';
import { ACCEPT, API, startService } from './support/service.ts';
import type { TestService } from './support/service.ts';

/** The figures as they are told, one a line. */
async function figures(service: TestService): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${service.port}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return (await answer.text()).split('\n');
}

/** The value of a figure that is told without labels. */
const valueOf = (name: string, lines: readonly string[]): number =>
  Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]);

describe('the log', async () => {
  const written: string[] = [];
  const write = (line: string): void => void written.push(line);
  const log = makeLog({ logLevel: 'trace' }, { write });
  const service = await startService({}, { log });

  /** The one line of a request, which is written when its connection is done with it. */
  async function lineOf(requestId: string | null): Promise<Record<string, unknown>> {
    const found = (): string[] => written.filter((line) => line.includes(requestId ?? '-'));
    await expect.poll(found).not.toEqual([]);
    expect(found()).toHaveLength(1);
    return JSON.parse(found()[0] ?? '') as Record<string, unknown>;
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
      msg: 'request',
    });
    expect(line['ms']).toBeTypeOf('number');
    expect(line['user']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('has nothing of headers, queries and bodies', async () => {
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

  test('has the error of what failed here, and the client has not', async () => {
    await service.database.query({ text: 'alter table "tokens" rename to "elsewhere"' });
    const answer = await service.as(`Bearer ${'x'.repeat(43)}`).get('/users');
    await service.database.query({ text: 'alter table "elsewhere" rename to "tokens"' });
    expect(answer).toBeError(500);
    expect(JSON.stringify(answer.body)).not.toMatch(/tokens|relation|\.ts/);
    expect(await lineOf(answer.headers.get('x-request-id'))).toMatchObject({
      level: 'error',
      status: 500,
      err: { code: '42P01', message: expect.stringContaining('tokens') as string },
    });
  });

  test('has a line for what never became a request', async () => {
    const answer = await sendRaw(service.port, ['NONSENSE']);
    expect(answer).toBeError(400);
    const line = await lineOf(answer.headers.get('x-request-id'));
    expect(line).toMatchObject({ status: 400, msg: 'malformed request' });
  });

  test('has a line for a request whose client breaks off', async () => {
    const id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12';
    const socket = connect(service.port, '127.0.0.1');
    socket.write(
      `POST ${API}/users HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\nContent-Length: 9\r\n\r\n{`,
      () => setTimeout(() => socket.resetAndDestroy(), 50),
    );
    expect((await lineOf(id))['method']).toBe('POST');
  });

  test('is one object a line, whatever clients send', async () => {
    for (const path of ['/a%0A%7B%22level%22:%22fatal%22%7D', `/${'long'.repeat(1000)}`]) {
      expect(await service.request('GET', path)).toBeError(404);
    }
    for (const line of written) {
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(line.length).toBeLessThan(5000);
      expect(JSON.parse(line)).toHaveProperty('level');
    }
  });

  test('has of a database error what is about the schema, and no value', () => {
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

describe('the figures', async () => {
  const service = await startService();

  test('are by method, route and status, and do not grow with the paths', async () => {
    for (let at = 0; at < 3; at++) {
      await service.get(`/users/01890a5d-ac96-774b-bcce-b302099a805${at}`);
      await service.request('GET', `/nothing/${at}`);
    }
    const name = 'http_request_duration_seconds_count';
    const lines = await figures(service);
    expect(lines).toContain(`${name}{method="GET",route="${API}/users/:id",status="404"} 3`);
    expect(lines).toContain(`${name}{method="GET",route="none",status="404"} 3`);
    expect(lines.join('\n')).not.toContain('01890a5d');
  });

  test('tell of the process and of the database', async () => {
    await service.get('/users');
    const lines = await figures(service);
    expect(valueOf('database_connections_idle', lines)).toBeGreaterThan(0);
    expect(valueOf('database_waiting', lines)).toBe(0);
    expect(valueOf('http_requests_in_flight', lines)).toBe(1);
    expect(valueOf('process_resident_memory_bytes', lines)).toBeGreaterThan(0);
    expect(valueOf('nodejs_eventloop_lag_seconds', lines)).toBeGreaterThanOrEqual(0);
  });
});

describe('too much', async () => {
  let isLate = false;
  const limits = { active: 4, arriving: 3 };
  const service = await startService({}, { isLate: () => isLate, limits });
  const inFlight = (): number => service.app.inFlight();

  const expectBusy = (answer: Awaited<ReturnType<typeof service.get>>): void => {
    expect(answer).toBeError(503, 'busy');
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
  };

  test('a process that cannot follow refuses, but for health and figures', async () => {
    isLate = true;
    expectBusy(await service.get('/users'));
    expectBusy(await service.request('GET', '/nothing'));
    expect(await service.request('GET', '/health/ready')).toHaveStatus(200);
    const lines = await figures(service);
    expect(lines).toContain('http_requests_shed_total{reason="event loop"} 2');
    isLate = false;
    expect(await service.get('/users')).toHaveStatus(200);
  });

  test('requests beyond those that are worked on are refused, and the others answered', async () => {
    const release = await holdConnections(service.database);
    // They come on one connection, and are answered there in their order.
    const { statuses } = pipeline(service, 6);
    await expect.poll(inFlight).toBe(6);
    await release();
    expect(await statuses).toEqual([200, 200, 200, 200, 503, 503]);
    expect(await figures(service)).toContain('http_requests_shed_total{reason="requests"} 2');
    expect(await service.get('/users')).toHaveStatus(200);
  });

  test('requests whose client is gone take no place', async () => {
    const release = await holdConnections(service.database);
    const { statuses, socket } = pipeline(service, 4);
    await expect.poll(inFlight).toBe(4);
    socket.destroy();
    await expect.poll(inFlight).toBe(0);
    await release();
    expect(await statuses).toEqual([]);
    expect(await service.get('/users')).toHaveStatus(200);
  });

  test('of statements that wait for a connection so many do', async () => {
    const release = await holdConnections(service.database);
    const all = Array.from({ length: 400 }, () =>
      service.database.query({ text: 'select 1' }).then(
        () => 'done',
        (error: DatabaseUnavailable) => error.reason,
      ),
    );
    expectBusy(await service.get('/users'));
    await release();
    const ends = await Promise.all(all);
    // One that holds the connections waited before them.
    expect(ends.filter((end) => end === 'busy').length).toBeGreaterThanOrEqual(101);
    expect(new Set(ends)).toEqual(new Set(['done', 'busy']));
    expect(await service.get('/users')).toHaveStatus(200);
  });

  test('who sends slowly keeps nobody from reading', async () => {
    const sockets: Socket[] = [];
    const head = [
      `POST ${API}/users HTTP/1.1`,
      'Host: x',
      `Accept: ${ACCEPT}`,
      'Content-Type: application/json',
      `Authorization: ${service.credential}`,
      'Content-Length: 9',
    ];
    for (let at = 0; at < limits.arriving; at++) {
      const socket = connect(service.port, '127.0.0.1');
      socket.write(`${head.join('\r\n')}\r\n\r\n{`);
      sockets.push(socket);
    }
    const refused = async (): Promise<number> => (await service.post('/users', {})).status;
    await expect.poll(refused).toBe(503);
    expect(await service.get('/users')).toHaveStatus(200);
    expectBusy(await service.post('/users', {}));
    for (const socket of sockets) socket.destroy();
    const post = async (): Promise<number> => (await service.post('/users', {})).status;
    await expect.poll(post).toBe(422);
  });

  test('a transaction that takes too long gives its connection back', async () => {
    const endless = service.database.transaction(() => new Promise(() => {}), 50);
    await expect(endless).rejects.toMatchObject({ name: 'DatabaseUnavailable', reason: 'busy' });
    expect(await service.get('/users')).toHaveStatus(200);
    await expect.poll(() => service.database.figures().used).toBe(0);
  });

  test('work that fails leaves nothing, and its connection is used again', async () => {
    const failing = service.database.transaction(async (transaction) => {
      await transaction.query({ text: `delete from "tokens"` });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow(/^no$/);
    expect(await service.get('/users')).toHaveStatus(200);
  });
});

/** What a server says of itself. */
const askVersion = async <Row>(): Promise<Row[]> => [{ number: '120022', version: '12.22' } as Row];

const refuse = (): Promise<never> => Promise.reject(new Error('it was used'));

test('a server that is too old is refused', async () => {
  const server = { query: askVersion, insert: refuse, transaction: refuse, part: refuse };
  await expect(migrate(server)).rejects.toThrow(
    'PostgreSQL 13 or newer is needed, and this server is 12.22.',
  );
});

test('a disk without room for the database is told of', () => {
  expect(() => requireRoom('.', 0)).not.toThrow();
  expect(() => requireRoom('.', Number.MAX_SAFE_INTEGER)).toThrow(
    /^The disk is full: \. has \d+ MiB/,
  );
});

/** Sends so many requests at once on one connection; gives the statuses of the answers. */
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

/** Takes all connections of a pool; gives what lets them go. */
async function holdConnections(database: OpenDatabase): Promise<() => Promise<void>> {
  let release: (() => void) | undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held: Promise<void>[] = [];
  while (database.figures().waiting === 0) {
    // One of them waits in vain.
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
