/**
 * Requests a minute for each client, together over all processes. A process counts by itself and
 * brings its count to the shared one every now and then, so that most requests cost nothing: it may
 * let through a twentieth of the limit too many.
 */
import type { FastifyInstance } from 'fastify';

import { clientOf } from './client.ts';
import { HttpError } from './errors.ts';
import { isOperational } from './operational.ts';

/** Where counts of all processes come together. */
export interface SharedCounts {
  /** Adds to the count of a client in a minute; gives the sum over all processes. */
  add(client: string, minute: number, requests: number): Promise<number>;
}

/** What this process knows of a client in the current minute. */
interface Count {
  /** The sum over all processes when it was last asked for. */
  shared: number;
  /** Requests here since then. */
  own: number;
  /** How many of them there may be before it is asked for again. */
  batch: number;
}

const MINUTE = 60_000;

/**
 * Refuses requests beyond the limit with 429. Health and metrics are outside it.
 * @param limit requests a minute; 0 for no limit.
 */
export function limitRate(app: FastifyInstance, limit: number, shared: SharedCounts): void {
  if (limit === 0) return;
  const batch = Math.max(1, Math.floor(limit / 20));
  let minute = 0;
  let counts = new Map<string, Count>();

  app.addHook('onRequest', async (request) => {
    if (isOperational(request.url)) return;
    const now = Date.now();
    if (minute !== Math.floor(now / MINUTE)) {
      minute = Math.floor(now / MINUTE);
      counts = new Map();
    }
    const client = clientOf(request.ip);
    const count = counts.get(client) ?? { shared: 0, own: 0, batch: 1 };
    counts.set(client, count);
    count.own++;
    // A client that is refused already adds nothing more.
    if (count.own >= count.batch && count.shared <= limit) {
      const fresh = count.own;
      count.own = 0;
      count.batch = batch;
      count.shared = await shared.add(client, minute, fresh);
    }
    if (count.shared + count.own <= limit) return;
    const seconds = Math.ceil(((minute + 1) * MINUTE - now) / 1000);
    throw new HttpError(429, `More than ${limit} requests a minute: try again in ${seconds} s.`, {
      'retry-after': String(seconds),
    });
  });
}
