/**
 * Webhooks by a transactional outbox: an event is stored in the transaction of the change, and sent
 * after its commit, at least once. Receivers tell repetitions apart by the id of the event.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import type { Database } from '../platform/database/database.ts';

/** Milliseconds between two looks for events, and that a receiver has to answer. */
const POLL_INTERVAL = 500;
const TIMEOUT = 2_000;

interface Event {
  readonly id: number;
  readonly type: string;
  readonly item: object;
}

const ADD = {
  prepared: true,
  text: 'insert into "webhook_events" ("type", "item") values ($1, $2)',
};
/** Takes the next event; it is due again later unless it is removed, which takes longer than the timeout. */
const TAKE = {
  prepared: true,
  text: `update "webhook_events" set "next_at" = now() + interval '5 seconds'
    where "id" = (select "id" from "webhook_events" where "next_at" <= now()
      order by "next_at" limit 1 for update skip locked)
    returning "id", "type", "item"`,
};
const REMOVE = { prepared: true, text: 'delete from "webhook_events" where "id" = $1' };

/** Stores an event. @param transaction that of the change. */
export async function addEvent(transaction: Database, type: string, item: object): Promise<void> {
  await transaction.query(ADD, [type, JSON.stringify(item)]);
}

/**
 * Sends events until the service closes.
 * @param url where to; events wait in the database while it is undefined.
 * @returns a function that starts it.
 */
export function sendUntilClosed(
  app: FastifyInstance,
  database: Database,
  url: string | undefined,
): () => void {
  const closing = new AbortController();
  let ended: Promise<void> | undefined;
  app.addHook('preClose', async () => closing.abort());
  app.addHook('onClose', async () => ended);
  return () => {
    if (url !== undefined) ended = keepSending(app, database, url, closing.signal);
  };
}

async function keepSending(
  { log }: FastifyInstance,
  database: Database,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const [event] = await database.query<Event>(TAKE);
      if (event === undefined) await sleep(POLL_INTERVAL, undefined, { signal, ref: false });
      else await send(database, url, event);
    } catch (err) {
      if (!signal.aborted) log.warn({ err }, 'a webhook was not delivered, and will be retried');
    }
  }
}

async function send(database: Database, url: string, event: Event): Promise<void> {
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (status >= 300) throw new Error(`the receiver answered ${status}`);
  await database.query(REMOVE, [event.id]);
}
