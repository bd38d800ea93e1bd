/** Makes one attempt to deliver an event: signs it, sends it, and stores the result. */
import type { FastifyBaseLogger } from 'fastify';

import type { Database } from '../database/database.ts';
import { dataIn } from '../events/event-shapes.ts';
import { endRun, readOutgoing } from './delivery-store.ts';
import type { Outcome, Run } from './delivery-store.ts';
import { signedHeaders } from './secrets.ts';
import { send } from './send.ts';
import type { VersionedType } from './event-types.ts';
import type { ReceiverAnswer } from './send.ts';
import type { WebhookSettings } from './settings.ts';

/** The dependencies of deliveries. */
export interface DeliveryServices {
  readonly database: Database;
  readonly log: FastifyBaseLogger;
  readonly webhooks: WebhookSettings;
  /** All types of events. */
  readonly types: readonly VersionedType[];
}

/** Statuses whose `Retry-After` is respected. */
const BUSY = new Set([429, 503]);
/** The most seconds that a receiver can put the next attempt off: one day. */
const MAX_RETRY_AFTER = 86_400;
const DAY = 86_400_000;
/** The most by which a delay is longer than its setting, so that retries of many events spread out. */
const JITTER = 0.1;

/**
 * Attempts a delivery.
 * @param signal aborts when the process shuts down; then nothing is stored.
 */
export async function deliver(
  { database, log: parent, webhooks, types }: DeliveryServices,
  run: Run,
  signal: AbortSignal,
): Promise<void> {
  const outgoing = await readOutgoing(database, run);
  if (outgoing === undefined) return;
  const log = parent.child({ webhook: run.webhook_id, delivery: run.id, attempt: run.attempt });
  const { event_id: id, stored_type: stored, created_at: timestamp, version } = outgoing;
  // Of the webhook's version now: it may have changed since the delivery was made.
  const offered = types.find((one) => one.version === version && one.stored === stored);
  const type = offered?.name ?? outgoing.type;
  const data = offered === undefined ? null : dataIn(offered, outgoing.data, version);
  const body = JSON.stringify({ id, type, timestamp, data });
  const headers = signedHeaders(outgoing.secrets, id, body);
  const at = new Date().toISOString();
  const answer = await send({ url: outgoing.url, headers, body }, webhooks, signal);
  if (signal.aborted) return;
  const until = Date.parse(timestamp) + webhooks.retryDays * DAY;
  const outcome = outcomeOf(answer, run, at, webhooks.retryDelays, until);
  const disabled = await endRun(database, run, outcome, webhooks.disableAfter);
  const { status, error } = answer;
  if (outcome.kind === 'succeeded') log.info({ status }, 'event delivered');
  else log.warn({ status, error, retried: outcome.kind === 'retried' }, 'event not delivered');
  if (disabled !== undefined) log.error({ reason: disabled }, 'webhook disabled');
}

/** What follows from an answer. @param until the time in milliseconds after which there are no retries. */
export function outcomeOf(
  { status, error, retryAfter = 0 }: ReceiverAnswer,
  { attempt: number }: Pick<Run, 'attempt'>,
  at: string,
  delays: readonly number[],
  until = Number.POSITIVE_INFINITY,
): Outcome {
  const attempt = { at, status, error };
  if (error === null) return { kind: 'succeeded', attempt };
  const setting = delays[number - 1];
  if (setting === undefined) return { kind: 'failed', attempt };
  const asked = BUSY.has(status ?? 0) ? Math.min(retryAfter, MAX_RETRY_AFTER) : 0;
  const delay = Math.max(setting * (1 + JITTER * Math.random()), asked);
  return Date.parse(at) + delay * 1000 > until
    ? { kind: 'failed', attempt }
    : { kind: 'retried', attempt, delay };
}
