/** Webhooks: who may have which, and what they are sent. */
import { createHmac, randomUUID } from 'node:crypto';

import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { events } from '../src/collections/events.ts';
import { deleteOldEvents } from '../src/platform/events/event-store.ts';
import { disableRetired } from '../src/platform/webhooks/delivery-store.ts';
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
const offered = eventTypes(events).filter(({ version }) => version === CURRENT_VERSION);
const { stored: type = '', name = '' } = offered[0] ?? {};

let receiver: Receiver;
beforeEach(async () => {
  await service.clear();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const create = (body: object = {}): Promise<Webhook> =>
  service.create<Webhook>('/webhooks', { url: receiver.url, ...body });

/** Writes an event as a change of an item does. @returns its id. */
async function happen(item: string = randomUUID(), data: object = { is: 'data' }): Promise<string> {
  const id = randomUUID();
  await service.database.query(
    {
      text: 'insert into "events" ("event_id", "type", "item_id", "data") values ($1, $2, $3, $4)',
    },
    [id, type, item, JSON.stringify({ 1: data })],
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
    const id = await happen(randomUUID(), { id: 'Ä 𝄞', not_a_member: 1 });
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

  test('is made for the chosen types of events alone', async () => {
    const all = await create();
    const other = offered.find((one) => one.name !== name);
    const some = await create({ events: [other?.name] });
    await ended(all, await happen());
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
    expect(
      await service.post(`/webhooks/${webhook.id}/deliveries/${NO_ID}/redeliveries`, {}),
    ).toHaveStatus(404);
    await service.patch(`/webhooks/${webhook.id}`, { status: 'disabled' });
    expect(await service.post(`${path}/redeliveries`, undefined)).toHaveStatus(409);
  });

  test('is made again after the pending events of the item, and fails if the webhook is disabled', async () => {
    const item = randomUUID();
    const webhook = await create();
    const first = await ended(webhook, await happen(item));
    receiver.answer = () => new Promise(() => {});
    await happen(item);
    await expect.poll(() => receiver.received.length).toBe(2);
    const path = `/webhooks/${webhook.id}/deliveries/${first.id}`;
    const again = await service.post(`${path}/redeliveries`, undefined);
    expect(again).toMatchObject({
      status: 202,
      body: { status: 'pending', next_attempt_at: null },
    });
    await service.patch(`/webhooks/${webhook.id}`, { status: 'disabled' });
    const all = await deliveriesOf(webhook);
    expect(all.map(({ status }) => status)).toEqual(['failed', 'failed']);
  });

  test('keeps its event, and later ones, for as long as it is pending', async () => {
    const kept = async (): Promise<number> => {
      await service.database.query({
        text: `update "events" set "created_at" = now() - interval '31 days'`,
      });
      await deleteOldEvents(service.database, 30);
      return (await service.database.query({ text: 'select 1 from "events"' })).length;
    };
    const webhook = await create();
    await ended(webhook, await happen());
    receiver.answer = () => new Promise(() => {});
    await happen();
    await expect.poll(() => receiver.received.length).toBe(2);
    await happen();
    await happen();
    // The first event is removed.
    expect(await kept()).toBe(3);
    await service.delete(`/webhooks/${webhook.id}`);
    expect(await kept()).toBe(1);
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

  test('of a version that is no longer served is disabled', async () => {
    const webhook = await create();
    expect(await disableRetired(service.database, [CURRENT_VERSION])).toEqual([]);
    expect(await disableRetired(service.database, [CURRENT_VERSION + 1])).toEqual([webhook.id]);
    expect(await statusOf(webhook)).toMatchObject({ status: 'disabled' });
  });

  test('signs with the old secret too after a rotation', async () => {
    const webhook = await create();
    const answer = await service.post<Webhook>(`/webhooks/${webhook.id}/secrets`, undefined);
    expect(answer).toHaveStatus(201);
    expect(answer.body.secret).not.toBe(webhook.secret);
    const id = await happen();
    await ended(webhook, id);
    const { headers, text } = receiver.received[0] as ReceivedRequest;
    for (const { secret } of [webhook, answer.body]) {
      expect(new Verifier(secret).verify(text, headers)).toMatchObject({ id });
    }
    await service.database.query({
      text: `update "_webhook_secrets" set "expires_at" = now() where "expires_at" is not null`,
    });
    await ended(webhook, await happen());
    expect(receiver.received[1]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
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
