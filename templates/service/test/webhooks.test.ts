/** Webhooks: who may have which, and what they are sent. */
import { createHmac, randomUUID } from 'node:crypto';

import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { events } from '../src/collections/events.ts';
import { deleteOldEvents } from '../src/platform/events/event-store.ts';
import { endRun, giveBackRuns, takeDeliveries } from '../src/platform/webhooks/delivery-store.ts';
import type { Outcome, Run } from '../src/platform/webhooks/delivery-store.ts';
import { signedHeaders } from '../src/platform/webhooks/secrets.ts';
import { eventTypes } from '../src/platform/webhooks/event-types.ts';
import { CURRENT_VERSION } from '../src/platform/http/versions.ts';
import { A_TIME, AN_ID, NO_ID } from './support/expected.ts';
import { basic, createUser } from './support/items/users.ts';
import { readForthAndBack } from './support/lists.ts';
import { startReceiver } from './support/receiver.ts';
import type { ReceivedRequest, Receiver } from './support/receiver.ts';
import { API, startService } from './support/service.ts';
import type { Item } from './support/service.ts';

interface Webhook extends Item {
  readonly secret: string;
  readonly status: string;
  readonly disabled_reason: string | null;
}

interface Delivery extends Item {
  readonly event_id: string;
  readonly status: string;
  readonly attempts: readonly { status: number | null; error: string | null }[];
  readonly next_attempt_at: string | null;
}

/** Retries come at once. */
const SETTINGS = { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_DELAYS: '0,0,0' };
const service = await startService(SETTINGS);
/** A service that delivers nothing: tests take its deliveries themselves. */
const idle = await startService({ ...SETTINGS, WORKERS: '0' });
const offered = eventTypes(events).filter(({ version }) => version === CURRENT_VERSION);
const { stored: type = '', name = '' } = offered[0] ?? {};

let receiver: Receiver;
beforeEach(async () => {
  await service.clear();
  await idle.clear();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const create = (body: object = {}): Promise<Webhook> =>
  service.create<Webhook>('/webhooks', { url: receiver.url, ...body });

/** Writes an event as a change of an item does. @returns its id. */
async function happen(
  item: string = randomUUID(),
  forms: object = { 1: { is: 'data' } },
  { database } = service,
): Promise<string> {
  const id = randomUUID();
  await database.query(
    {
      text: 'insert into "events" ("event_id", "type", "item_id", "data") values ($1, $2, $3, $4)',
    },
    [id, type, item, JSON.stringify(forms)],
  );
  return id;
}

const deliveriesOf = async ({ id }: Item, query = ''): Promise<readonly Delivery[]> =>
  (await service.get<Delivery[]>(`/webhooks/${id}/deliveries${query}`)).body;

/** Waits until the delivery of an event has ended. */
async function ended(webhook: Item, event: string): Promise<Delivery> {
  let last: Delivery | undefined;
  await expect
    .poll(async () => ([last] = await deliveriesOf(webhook, `?event_id=${event}`))[0]?.status)
    .toMatch(/^(?:succeeded|failed)$/);
  return last as Delivery;
}

const statusOf = async ({ id }: Item): Promise<Webhook> =>
  (await service.get<Webhook>(`/webhooks/${id}`)).body;

/** Lets replaced secrets become older. */
const pass = (hours: number): Promise<unknown[]> =>
  service.database.query(
    { text: `update "_webhook_secrets" set "expires_at" = "expires_at" - $1 * interval '1 h'` },
    [hours],
  );

describe('an administrator', () => {
  test('creates a webhook, whose secret is shown once', async () => {
    const answer = await service.post<Webhook>('/webhooks', { url: receiver.url });
    expect(answer).toHaveStatus(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { secret, ...shown } = answer.body;
    expect(shown).toEqual({
      id: AN_ID,
      url: receiver.url,
      events: null,
      version: CURRENT_VERSION,
      status: 'active',
      description: null,
      disabled_reason: null,
      disabled_at: null,
      created_at: A_TIME,
      updated_at: A_TIME,
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await service.get(`/webhooks/${shown.id}`)).toMatchObject({ body: shown });
    expect((await service.get<Webhook[]>('/webhooks')).body).toEqual([shown]);
    // The secret would be stored with the answer.
    const repeatable = { headers: { 'idempotency-key': 'once' }, body: { url: receiver.url } };
    expect(await service.request('POST', `${API}/webhooks`, repeatable)).toBeError(400);
  });

  test('changes and deletes it (412, 410)', async () => {
    const { id } = await create();
    const read = await service.get(`/webhooks/${id}`);
    const headers = { 'if-match': read.headers.get('etag') ?? '' };
    const path = `${API}/webhooks/${id}`;
    const body = { description: 'changed' };
    expect(await service.request('PATCH', path, { headers, body })).toHaveStatus(200);
    expect(await service.request('PATCH', path, { headers, body })).toHaveStatus(412);
    const put = await service.put(`/webhooks/${id}`, { url: receiver.url, events: [name] });
    expect(put).toMatchObject({ status: 200, body: { events: [name], description: null } });
    expect(await service.delete(`/webhooks/${id}`)).toHaveStatus(204);
    expect(await service.get(`/webhooks/${id}`)).toHaveStatus(410);
    expect(await service.get(`/webhooks/${id}/deliveries`)).toHaveStatus(410);
    expect(await service.get(`/webhooks/${NO_ID}`)).toHaveStatus(404);
  });

  test.each([
    ['an unknown type of events', { events: ['unicorn.created'] }],
    ['no type of events', { events: [] }],
    ['a version that does not exist', { version: CURRENT_VERSION + 1 }],
    ['another scheme', { url: 'ftp://example.org/' }],
    ['a password in the URL', { url: 'https://ada:secret@example.org/' }],
    ['a fragment in the URL', { url: 'https://example.org/#events' }],
    ['a member that the service sets', { disabled_reason: 'no' }],
  ])('cannot have one with %s (422)', async (_case, body) => {
    const answer = await service.post('/webhooks', { url: receiver.url, ...body });
    expect(answer).toHaveStatus(422);
  });

  test('pages through the list', async () => {
    const ids = [await create(), await create(), await create()].map(({ id }) => id);
    const { forth, back } = await readForthAndBack(service, '/webhooks?limit=2&sort=created_at');
    expect(forth).toEqual(ids);
    expect(back).toEqual(ids);
  });
});

test('other users may do nothing (401, 403)', async () => {
  const { id } = await create();
  const { username } = await createUser(service);
  for (const path of ['/webhooks', `/webhooks/${id}`, `/webhooks/${id}/deliveries`]) {
    expect(await service.as(undefined).get(path)).toHaveStatus(401);
    expect(await service.as(basic(username)).get(path)).toHaveStatus(403);
  }
  const own = service.as(basic(username));
  expect(await own.post('/webhooks', { url: receiver.url })).toHaveStatus(403);
  expect(await own.post(`/webhooks/${id}/secrets`, undefined)).toHaveStatus(403);
});

describe('a delivery', () => {
  test('is signed, and has the id, type, time and data of the event', async () => {
    const webhook = await create();
    const id = await happen(randomUUID(), { 1: { id: 'Ä 𝄞', not_a_member: 1 } });
    expect(await ended(webhook, id)).toMatchObject({
      status: 'succeeded',
      attempts: [{ status: 204, error: null }],
      next_attempt_at: null,
    });
    const { headers, text } = receiver.received[0] as ReceivedRequest;
    expect(new Verifier(webhook.secret).verify(text, headers)).toEqual({
      id,
      type: name,
      timestamp: A_TIME,
      // Without what items do not show.
      data: { id: 'Ä 𝄞' },
    });
    const key = Buffer.from(webhook.secret.replace('whsec_', ''), 'base64');
    const signed = `${id}.${headers['webhook-timestamp']}.${text}`;
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-signature': `v1,${signature}`,
    });
  });

  test('is made for the chosen types of events alone, in the form of the version', async () => {
    const all = eventTypes(events).filter(({ stored }) => stored === type);
    const webhooks = await Promise.all(all.map(({ version }) => create({ version })));
    const other = offered.find((one) => one.name !== name);
    const some = await create({ events: [other?.name] });
    const forms = all.map(({ version }) => [version, { id: `of version ${version}` }]);
    const id = await happen(randomUUID(), Object.fromEntries(forms));
    await Promise.all(webhooks.map((webhook) => ended(webhook, id)));
    const sent = receiver.received.map(({ event }) => event);
    expect(sent).toHaveLength(all.length);
    for (const { version, name: shown } of all) {
      const data = { id: `of version ${version}` };
      expect(sent).toContainEqual({ id, type: shown, timestamp: A_TIME, data });
    }
    expect(await deliveriesOf(some)).toEqual([]);
  });

  test('is not made for changes from before the webhook', async () => {
    await happen();
    const webhook = await create();
    const event = await happen();
    await ended(webhook, event);
    expect((await deliveriesOf(webhook)).map((one) => one.event_id)).toEqual([event]);
  });

  test('is repeated with the same id, before later events of the item and not of others', async () => {
    const item = randomUUID();
    const other = randomUUID();
    let failures = 2;
    receiver.answer = ({ event }) => {
      const fails = event.id === first && failures-- > 0;
      return { status: fails ? 500 : 200, body: 'the reason' };
    };
    const webhook = await create();
    const first = await happen(item);
    const second = await happen(item);
    const third = await happen(item);
    await ended(webhook, await happen(other));
    await ended(webhook, third);
    const ids = receiver.received.map(({ event }) => event.id);
    expect(ids.filter((id) => [first, second, third].includes(id))).toEqual([
      first,
      first,
      first,
      second,
      third,
    ]);
    expect(await ended(webhook, first)).toMatchObject({
      status: 'succeeded',
      attempts: [
        { status: 500, error: 'The receiver answered 500 Internal Server Error. the reason' },
        { status: 500 },
        { status: 200, error: null },
      ],
    });
  });

  test('is given up after the last retry, and the next event of the item goes out', async () => {
    const item = randomUUID();
    receiver.answer = ({ event }) => ({ status: event.id === first ? 302 : 200 });
    const webhook = await create();
    const first = await happen(item);
    const second = await happen(item);
    expect(await ended(webhook, second)).toMatchObject({ status: 'succeeded' });
    const failed = await ended(webhook, first);
    expect(failed).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(failed.attempts).toHaveLength(4);
  });

  test('can be made again, with the same id', async () => {
    const webhook = await create();
    const id = await happen();
    const delivery = await ended(webhook, id);
    const path = `/webhooks/${webhook.id}/deliveries/${delivery.id}`;
    const answer = await service.post(`${path}/redeliveries`, undefined);
    expect(answer).toHaveStatus(202);
    expect(answer.headers.get('location')).toBe(API + path);
    await expect.poll(() => receiver.received.map(({ event }) => event.id)).toEqual([id, id]);
    await expect
      .poll(async () => (await service.get<Delivery>(path)).body)
      .toMatchObject({ status: 'succeeded', attempts: [{ status: 204 }, { status: 204 }] });
    const { id: other } = await create();
    for (const missing of [
      `/webhooks/${webhook.id}/deliveries/${NO_ID}`,
      `/webhooks/${other}/deliveries/${delivery.id}`,
    ]) {
      expect(await service.get(missing)).toBeError(404);
      expect(await service.post(`${missing}/redeliveries`, undefined)).toBeError(404);
    }
    await service.patch(`/webhooks/${webhook.id}`, { status: 'disabled' });
    expect(await service.post(`${path}/redeliveries`, undefined)).toHaveStatus(409);
  });

  test('does not wait for a receiver that is slow', async () => {
    const slow = await create();
    receiver.answer = () => new Promise(() => {});
    const quick = await startReceiver();
    onTestFinished(() => quick.stop());
    const other = await create({ url: quick.url });
    let last = '';
    for (let n = 0; n < 20; n++) last = await happen();
    await expect.poll(() => quick.received.length).toBe(20);
    expect(receiver.received).toHaveLength(4);
    expect(await ended(other, last)).toMatchObject({ status: 'succeeded' });
    expect(await deliveriesOf(slow, '?status=pending&count=true')).toHaveLength(20);
  });
});

describe('a webhook', () => {
  test('is disabled by 410 Gone, gets nothing, and can be enabled again', async () => {
    receiver.answer = () => ({ status: 410 });
    const webhook = await create();
    const refused = await happen();
    await expect.poll(async () => (await statusOf(webhook)).status).toBe('disabled');
    expect(await statusOf(webhook)).toMatchObject({
      disabled_reason: 'The receiver answered 410 Gone.',
      disabled_at: A_TIME,
    });
    expect(await ended(webhook, refused)).toMatchObject({
      status: 'failed',
      attempts: [{ status: 410 }],
    });
    receiver.answer = () => ({ status: 200 });
    const missed = await happen();
    const enabled = await service.patch(`/webhooks/${webhook.id}`, { status: 'active' });
    expect(enabled).toMatchObject({ body: { disabled_reason: null, disabled_at: null } });
    expect(await ended(webhook, await happen())).toMatchObject({ status: 'succeeded' });
    expect(await deliveriesOf(webhook, `?event_id=${missed}`)).toEqual([]);
  });

  test('that is disabled by an administrator gets nothing more', async () => {
    receiver.answer = () => ({ status: 500 });
    const webhook = await create();
    await service.patch(`/webhooks/${webhook.id}`, { status: 'disabled' });
    const witness = await create();
    await happen();
    await expect.poll(async () => (await deliveriesOf(witness)).length).toBe(1);
    expect(await deliveriesOf(webhook)).toEqual([]);
    expect(await statusOf(webhook)).toMatchObject({
      disabled_reason: 'An administrator disabled it.',
    });
  });

  test('signs with the last two secrets, and with the older one of them for 24 hours', async () => {
    const webhook = await create();
    const rotate = () => service.post<Webhook>(`/webhooks/${webhook.id}/secrets`, undefined);
    const second = await rotate();
    expect(second).toHaveStatus(201);
    const third = await rotate();
    expect(new Set([webhook, second.body, third.body].map(({ secret }) => secret)).size).toBe(3);
    await pass(23);
    const id = await happen();
    await ended(webhook, id);
    const { headers, text } = receiver.received[0] as ReceivedRequest;
    for (const { secret } of [second.body, third.body]) {
      expect(new Verifier(secret).verify(text, headers)).toMatchObject({ id });
    }
    expect(() => new Verifier(webhook.secret).verify(text, headers)).toThrow('signature');
    await pass(1);
    await ended(webhook, await happen());
    expect(receiver.received[1]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
  });
});

describe('the queue', () => {
  const FAILED = { at: new Date().toISOString(), status: 500, error: 'no' };
  const SUCCEEDED = { at: new Date().toISOString(), status: 204, error: null };
  const { database } = idle;

  const register = (): Promise<Webhook> => idle.create('/webhooks', { url: receiver.url });
  const write = (item?: string): Promise<string> => happen(item, undefined, idle);
  const read = async (webhook: Item): Promise<readonly Delivery[]> =>
    (await idle.get<Delivery[]>(`/webhooks/${webhook.id}/deliveries?sort=created_at`)).body;

  /** Takes as many deliveries as there are, or fewer. */
  const take = async (limit = 50): Promise<Run[]> =>
    (await takeDeliveries(database, eventTypes(events), limit)).runs;
  const end = (run: Run | undefined, outcome: Outcome): Promise<unknown> =>
    endRun(database, run as Run, outcome, 1_000);
  const passLease = (seconds: number): Promise<unknown[]> =>
    database.query(
      { text: `update "_deliveries" set "lease_until" = "lease_until" - $1 * interval '1 s'` },
      [seconds],
    );

  /** Makes all events older, and removes old ones. @returns how many are kept. */
  async function keep(): Promise<number> {
    const age = `update "events" set "created_at" = "created_at" - interval '31 days'`;
    await database.query({ text: age });
    await deleteOldEvents(database, 30);
    return (await database.query({ text: 'select 1 from "events"' })).length;
  }

  test('attempts a delivery of a dead process again after 30 seconds, and ignores its late result', async () => {
    const webhook = await register();
    const item = randomUUID();
    await write(item);
    const [lost] = await take();
    await write(item);
    await passLease(29);
    expect(await take()).toEqual([]);
    await passLease(1);
    const [run, ...others] = await take();
    expect(run).toMatchObject({ id: lost?.id, attempt: 2 });
    expect(others).toEqual([]);
    await end(lost, { kind: 'failed', attempt: { ...FAILED, status: 410 } });
    expect((await idle.get(`/webhooks/${webhook.id}`)).body).toMatchObject({ status: 'active' });
    expect(await read(webhook)).toMatchObject([
      { status: 'pending', attempts: [] },
      { status: 'pending', next_attempt_at: null },
    ]);
    await end(run, { kind: 'succeeded', attempt: SUCCEEDED });
    expect(await take()).toMatchObject([{ item_id: item, attempt: 1 }]);
  });

  test('does not count attempts that are given back, such as those of a service that stops', async () => {
    await register();
    await write();
    await giveBackRuns(database, await take());
    receiver.answer = () => new Promise(() => {});
    const other = await startService({ ...SETTINGS, SHUTDOWN_GRACE: '0' }, {}, database);
    await expect.poll(() => receiver.received.length).toBe(1);
    await other.app.close();
    expect(await take()).toMatchObject([{ attempt: 1 }]);
  });

  test('has four deliveries of a webhook in flight, and webhooks take turns', async () => {
    const first = await register();
    for (let n = 0; n < 5; n++) await write();
    expect(await take(0)).toEqual([]);
    const second = await register();
    await write();
    const taken = async (limit?: number): Promise<string[]> =>
      (await take(limit)).map((run) => run.webhook_id);
    expect(new Set(await taken(2))).toEqual(new Set([first.id, second.id]));
    expect(await taken()).toEqual([first.id, first.id, first.id]);
    expect(await take()).toEqual([]);
  });

  test('makes a pending retry at once on redelivery, and begins its retries anew', async () => {
    const webhook = await register();
    await write();
    const [failed] = await take();
    await end(failed, { kind: 'retried', attempt: FAILED, delay: 3_600 });
    expect(await take()).toEqual([]);
    const path = `/webhooks/${webhook.id}/deliveries/${failed?.id}/redeliveries`;
    expect(await idle.post(path, undefined)).toHaveStatus(202);
    const [run] = await take();
    expect(run).toMatchObject({ id: failed?.id, attempt: 1 });
    // The attempt in progress is the redelivery.
    expect(await idle.post(path, undefined)).toHaveStatus(202);
    await end(run, { kind: 'succeeded', attempt: SUCCEEDED });
    expect(await read(webhook)).toMatchObject([{ status: 'succeeded' }]);
  });

  test('makes a delivery again after the pending events of the item, unless the webhook is disabled', async () => {
    const webhook = await register();
    const item = randomUUID();
    await write(item);
    const [run] = await take();
    await end(run, { kind: 'succeeded', attempt: SUCCEEDED });
    await write(item);
    expect(await take()).toHaveLength(1);
    const path = `/webhooks/${webhook.id}/deliveries/${run?.id}/redeliveries`;
    expect(await idle.post(path, undefined)).toMatchObject({
      status: 202,
      body: { status: 'pending', next_attempt_at: null },
    });
    await idle.patch(`/webhooks/${webhook.id}`, { status: 'disabled' });
    expect(await read(webhook)).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
  });

  test('keeps the last 20 attempts', async () => {
    const webhook = await register();
    await write();
    for (let n = 1; n <= 21; n++) {
      const [run] = await take();
      const attempt = { ...FAILED, error: String(n) };
      await end(run, { kind: 'retried', attempt, delay: 0 });
    }
    const [{ attempts } = { attempts: [] }] = await read(webhook);
    const errors = Array.from({ length: 20 }, (_, n) => String(n + 2));
    expect(attempts.map(({ error }) => error)).toEqual(errors);
  });

  test('keeps events that are not delivered yet, and those after them', async () => {
    const { id } = await register();
    const pending = randomUUID();
    await write();
    await write(pending);
    await write();
    await write();
    for (const run of await take()) {
      if (run.item_id !== pending) await end(run, { kind: 'succeeded', attempt: SUCCEEDED });
    }
    expect(await keep()).toBe(3);
    await idle.delete(`/webhooks/${id}`);
    await register();
    await write();
    await write();
    // The deliveries of the last two are not made yet.
    expect(await keep()).toBe(2);
  });

  test('disables webhooks of retired versions when a service starts', async () => {
    const { id } = await register();
    await database.query({ text: 'update "webhooks" set "version" = $1' }, [CURRENT_VERSION + 1]);
    await startService(SETTINGS, {}, database);
    const found = { text: 'select "status" from "webhooks" where "id" = $1' };
    await expect.poll(() => database.query(found, [id])).toEqual([{ status: 'disabled' }]);
  });
});

test('a webhook that only failed for three days is disabled', async () => {
  receiver.answer = () => ({ status: 500 });
  const webhook = await create();
  const fail = async (days: number): Promise<void> => {
    await service.database.query(
      { text: `update "webhooks" set "failing_since" = now() - make_interval(days => $1)` },
      [days],
    );
    await ended(webhook, await happen());
  };
  await fail(2);
  expect(await statusOf(webhook)).toMatchObject({ status: 'active' });
  receiver.answer = () => ({ status: 200 });
  await fail(4);
  receiver.answer = () => ({ status: 500 });
  await ended(webhook, await happen());
  expect(await statusOf(webhook)).toMatchObject({ status: 'active' });
  await fail(4);
  expect(await statusOf(webhook)).toMatchObject({
    status: 'disabled',
    disabled_reason: expect.stringMatching(
      /^Every attempt since .* failed\. The receiver answered 500/,
    ),
  });
});

test('signatures are those of Standard Webhooks', () => {
  // The example of the specification.
  const headers = signedHeaders(
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    '{"test": 2432232314}',
    new Date(1_614_265_330_000),
  );
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});
