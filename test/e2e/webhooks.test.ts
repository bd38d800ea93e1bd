/** Webhooks of an emitted service: what receivers get while receivers and processes fail. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { AUTHORIZATION, makeDatabase, makeBuiltProject, runSql, start } from './support/project.ts';
import type { Running } from './support/project.ts';

const SETTINGS = {
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_RETRY_DELAYS: Array<string>(20).fill('1').join(','),
};

interface Verifier {
  verify: (text: string, headers: IncomingHttpHeaders) => unknown;
}

let project = '';
/** The library that receivers verify signatures with. */
let Webhook: new (secret: string) => Verifier;

beforeAll(async () => {
  project = await makeBuiltProject('webhooks', 'test/e2e/definitions/events.yaml');
  const require = createRequire(join(project, 'package.json'));
  ({ Webhook } = require('standardwebhooks') as { Webhook: typeof Webhook });
});

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly id: string };
}

interface WebhookItem {
  readonly id: string;
  readonly secret: string;
  readonly status: string;
  readonly disabled_reason: string | null;
}

interface Delivery {
  readonly id: string;
  readonly status: string;
  readonly attempts: readonly { readonly status: number | null; readonly error: string | null }[];
}

/** A receiver that can be killed, and comes back at the same port. */
class Receiver {
  readonly received: {
    readonly event: Event;
    readonly headers: IncomingHttpHeaders;
    readonly text: string;
  }[] = [];
  status = 204;
  /** Milliseconds before an answer. */
  delay = 0;
  /** Requests that are not answered yet, by item. */
  readonly open = new Map<string, number>();
  /** Whether two events of one item were there at the same time. */
  hasOverlap = false;
  port = 0;
  #server: Server | undefined;

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        const event = JSON.parse(text) as Event;
        const { id } = event.data;
        if (this.open.has(id)) this.hasOverlap = true;
        this.open.set(id, (this.open.get(id) ?? 0) + 1);
        setTimeout(() => {
          this.open.delete(id);
          // What was not answered does not count as received.
          if (!response.writable || response.destroyed) return;
          this.received.push({ event, headers: request.headers, text });
          response.writeHead(this.status).end();
        }, this.delay);
      });
    });
    await new Promise<void>((done) => void server.listen(this.port, '127.0.0.1', done));
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async kill(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((done) => this.#server?.close(done));
    this.open.clear();
  }

  /** The events without repetitions. */
  events(): Event[] {
    return [...new Map(this.received.map(({ event }) => [event.id, event])).values()];
  }
}

async function startReceiver(): Promise<Receiver> {
  const receiver = new Receiver();
  await receiver.start();
  onTestFinished(() => receiver.kill());
  return receiver;
}

/** Sends a request; undefined if the service does not answer. */
async function send(
  service: Running | undefined,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: unknown } | undefined> {
  try {
    const answer = await fetch(`${service?.origin}/api/v2${path}`, {
      method,
      headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  } catch {
    await sleep(50);
    return undefined;
  }
}

/** The body of a request that must succeed. */
async function ask<Body>(
  service: Running,
  method: string,
  path: string,
  body?: object,
): Promise<Body> {
  const answer = await send(service, method, path, body);
  if (answer === undefined || answer.status >= 300)
    throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.body as Body;
}

const register = (service: Running, { port }: Receiver, body: object = {}): Promise<WebhookItem> =>
  ask(service, 'POST', '/webhooks', { url: `http://127.0.0.1:${port}/`, ...body });

/** Creates a part and changes it. */
async function write(service: () => Running | undefined, changes: number): Promise<void> {
  const made = await send(service(), 'POST', '/parts', { name: 'bolt' });
  if (made?.status !== 201) return;
  for (let stock = 1; stock <= changes; stock++) {
    await send(service(), 'PATCH', `/parts/${(made.body as { id: string }).id}`, { stock });
  }
}

/** All events, from the database, in the order of their positions. */
async function readEvents(service: Running): Promise<Event[]> {
  const events: Event[] = [];
  for (let path = '/events?limit=100'; ;) {
    const answer = await fetch(`${service.origin}/api/v2${path}`, {
      headers: { authorization: AUTHORIZATION },
    });
    const page = (await answer.json()) as Event[];
    if (page.length === 0) return events;
    events.push(...page);
    const next = /<([^<>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
    path = next.replace(/^\/api\/v2/, '');
  }
}

/** The ids of events by item, in their order. */
const byItem = (events: readonly Event[]): Readonly<Record<string, string[]>> => {
  const ids: Record<string, string[]> = {};
  for (const { id, data } of events) (ids[data.id] ??= []).push(id);
  return ids;
};

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(50);
}

/** Waits until a receiver has all events, and checks their order and signatures. */
async function expectAll(
  service: Running,
  receiver: Receiver,
  { secret }: WebhookItem,
): Promise<void> {
  const events = await readEvents(service);
  await until(() => receiver.events().length >= events.length);
  expect(byItem(receiver.events())).toEqual(byItem(events));
  expect(receiver.hasOverlap).toBe(false);
  const verifier = new Webhook(secret);
  for (const { event, headers, text } of receiver.received) {
    expect(verifier.verify(text, headers)).toEqual(event);
    expect(headers['webhook-id']).toBe(event.id);
  }
}

describe.each(['PGlite', 'PostgreSQL'])('on %s', (database) => {
  const isServer = database === 'PostgreSQL';
  const settings = async (name: string): Promise<Record<string, string>> => ({
    ...SETTINGS,
    ...(isServer
      ? { DATABASE_URL: await makeDatabase(`webhooks_${name}`) }
      : { DATA_DIR: join(project, `.data-${name}`) }),
  });

  test('a receiver that dies and comes back gets all events, those of an item in order', async () => {
    const env = await settings('receiver');
    // Several processes, where the database can have them, deliver each event once.
    const services = [await start(project, env), ...(isServer ? [await start(project, env)] : [])];
    const [service] = services as [Running];
    const receiver = await startReceiver();
    receiver.delay = 5;
    const webhook = await register(service, receiver);
    const quick = await startReceiver();
    const other = await register(service, quick);
    const writers = Array.from({ length: 8 }, (_, n) =>
      write(() => services[n % services.length], 10),
    );
    await until(() => receiver.received.length > 5);
    await receiver.kill();
    await Promise.all(writers);
    // The other receiver is not delayed.
    await expectAll(service, quick, other);
    expect(quick.received).toHaveLength(88);
    await receiver.start();
    await expectAll(service, receiver, webhook);
  });

  test('a service that is killed loses no event, and keeps the order', async () => {
    const env = await settings('killed');
    let service: Running | undefined = await start(project, env);
    const receiver = await startReceiver();
    receiver.delay = 30;
    const webhook = await register(service, receiver);
    for (let kills = 0; kills < 2; kills++) {
      const had = receiver.received.length;
      const writers = Array.from({ length: 6 }, () => write(() => service, 5));
      await until(() => receiver.received.length > had + 3);
      const killed: Running | undefined = service;
      service = undefined;
      await killed?.stop('SIGKILL');
      await Promise.all(writers);
      receiver.open.clear();
      service = await start(project, env);
    }
    await expectAll(service, receiver, webhook);
    // Only what was on its way when the process was killed is repeated.
    expect(receiver.received.length - receiver.events().length).toBeLessThanOrEqual(2 * 4);
  });
});

test('a webhook is disabled after failures, and failed deliveries can be made again', async () => {
  const env = {
    DATABASE_URL: await makeDatabase('webhooks_disabled'),
    ...SETTINGS,
    WEBHOOK_DISABLE_AFTER: '2',
  };
  const service = await start(project, env);
  const receiver = await startReceiver();
  receiver.status = 500;
  const { id } = await register(service, receiver, { events: ['part.created'] });
  await write(() => service, 2);
  const read = (): Promise<WebhookItem> => ask(service, 'GET', `/webhooks/${id}`);
  await until(async () => (await read()).status === 'disabled');
  expect((await read()).disabled_reason).toMatch(/The receiver answered 500/);
  const [delivery] = await ask<Delivery[]>(service, 'GET', `/webhooks/${id}/deliveries`);
  expect(delivery?.status).toBe('failed');
  expect(delivery?.attempts.length).toBeGreaterThan(1);

  const failed = receiver.received.length;
  await write(() => service, 0);
  await sleep(1_500);
  expect(receiver.received).toHaveLength(failed);

  receiver.status = 200;
  await ask(service, 'PATCH', `/webhooks/${id}`, { status: 'active' });
  const path = `/webhooks/${id}/deliveries/${delivery?.id}`;
  await ask(service, 'POST', `${path}/redeliveries`);
  await until(async () => (await ask<Delivery>(service, 'GET', path)).status === 'succeeded');
  expect(receiver.received).toHaveLength(failed + 1);
  expect(receiver.events()).toHaveLength(1);

  const metrics = await (await fetch(`${service.origin}/metrics`)).text();
  expect(metrics).toMatch(/^webhook_deliveries\{status="pending"\} 0$/m);
  expect(metrics).toMatch(/^webhook_deliveries\{status="failed"\} 0$/m);

  await ask(service, 'DELETE', `/webhooks/${id}`);
  const url = env.DATABASE_URL;
  expect(
    await runSql(url, 'select from "_deliveries" union all select from "_webhook_secrets"'),
  ).toEqual([]);
});

test('a worker that is stopped gives back what is on its way, and another one delivers it', async () => {
  const env = { DATABASE_URL: await makeDatabase('webhooks_worker'), ...SETTINGS };
  const service = await start(project, { ...env, WORKERS: '0' });
  const receiver = await startReceiver();
  receiver.delay = 60_000;
  const webhook = await register(service, receiver);
  await write(() => service, 1);
  await sleep(1_500);
  expect(receiver.open.size).toBe(0);

  const startWorker = () => {
    const child = spawn(process.execPath, [join(project, 'dist/worker.js')], {
      cwd: project,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        SHUTDOWN_DELAY: '0',
        SHUTDOWN_GRACE: '2',
        ...env,
      },
      stdio: 'ignore',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const first = startWorker();
  await until(() => receiver.open.size === 1);
  const ended = new Promise((resolve) => first.on('exit', resolve));
  first.kill('SIGTERM');
  expect(await ended).toBe(0);
  const [delivery] = await ask<Delivery[]>(service, 'GET', `/webhooks/${webhook.id}/deliveries`);
  // It does not count as an attempt, and need not wait for the end of a lease.
  expect(delivery).toMatchObject({ status: 'pending', attempts: [] });
  receiver.delay = 0;
  receiver.open.clear();
  startWorker();
  await expectAll(service, receiver, webhook);
});

test('nothing is sent to private networks, and http is refused, unless it is allowed', async () => {
  const env = { DATABASE_URL: await makeDatabase('webhooks_private') };
  const service = await start(project, env);
  const receiver = await startReceiver();
  for (const url of [
    `http://localhost:${receiver.port}/`,
    `https://127.0.0.1:${receiver.port}/`,
    'https://[::1]/',
    'https://0x7f000001/',
    'https://169.254.169.254/latest/meta-data/',
  ]) {
    expect(await send(service, 'POST', '/webhooks', { url })).toMatchObject({ status: 422 });
  }
  expect(await service.stop()).toBe(0);
  // A webhook from when it was allowed.
  const former = await start(project, { ...env, WEBHOOK_ALLOW_PRIVATE: 'true', WORKERS: '0' });
  const url = `http://127.0.0.1:${receiver.port}/`;
  const { id } = await ask<WebhookItem>(former, 'POST', '/webhooks', { url });
  await write(() => former, 0);
  expect(await former.stop()).toBe(0);
  const again = await start(project, env);
  await until(async () => {
    const [delivery] = await ask<Delivery[]>(again, 'GET', `/webhooks/${id}/deliveries`);
    return delivery?.attempts[0]?.error?.includes('private network') === true;
  });
  expect(receiver.received).toEqual([]);
});
