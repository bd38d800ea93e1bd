/**
 * The rate limit: requests per minute and client, over all processes. Each process counts locally
 * and adds its count to the shared counter in batches of a twentieth of the limit, so most requests
 * need no round trip. Each process may exceed the limit by one batch.
 */
import type { FastifyInstance } from 'fastify';

import { clientKey } from './client-key.ts';
import { HttpError } from './errors.ts';
import { isOperational } from './request.ts';

/** The counters that all processes share. */
export interface SharedCounts {
  /** Adds to the count of a client in a minute. @returns the sum over all processes. */
  add(client: string, minute: number, requests: number): Promise<number>;
}

/** The count of a client in the current minute. */
interface Count {
  /** The sum over all processes when the shared counter was last updated. */
  shared: number;
  /** Requests in this process since then. */
  own: number;
  /** The value of `own` at which the shared counter is updated. */
  batch: number;
}

const MINUTE = 60_000;

/**
 * Refuses requests beyond the limit with 429. Health and metrics do not count.
 * @param limit requests per minute; 0 for no limit.
 * @param clock the time in milliseconds.
 */
export function limitRate(
  app: FastifyInstance,
  limit: number,
  shared: SharedCounts,
  clock: () => number = Date.now,
): void {
  if (limit === 0) return;
  const batch = Math.max(1, Math.floor(limit / 20));
  let minute = 0;
  let counts = new Map<string, Count>();

  /** The count of a client in this minute. */
  const countOf = (client: string, now: number): Count => {
    if (minute !== Math.floor(now / MINUTE)) {
      minute = Math.floor(now / MINUTE);
      counts = new Map();
    }
    const existing = counts.get(client);
    if (existing !== undefined) return existing;
    const count = { shared: 0, own: 0, batch: 1 };
    counts.set(client, count);
    return count;
  };
  const addToShared = async (client: string, count: Count): Promise<void> => {
    const { own } = count;
    count.own = 0;
    count.batch = batch;
    count.shared = await shared.add(client, minute, own);
  };
  const refuseTooMany = ({ shared: others, own }: Count, now: number): void => {
    if (others + own <= limit) return;
    const seconds = Math.ceil((MINUTE - (now % MINUTE)) / 1000);
    throw new HttpError(429, `More than ${limit} requests a minute: try again in ${seconds} s.`, {
      'retry-after': String(seconds),
    });
  };

  app.addHook('onRequest', (request, _reply, done) => {
    if (isOperational(request.url)) {
      done();
      return undefined;
    }
    const now = clock();
    const client = clientKey(request.ip);
    const count = countOf(client, now);
    count.own++;
    // Once a client is over the limit, its further requests need no round trip.
    if (count.own >= count.batch && count.shared <= limit) {
      return addToShared(client, count).then(() => refuseTooMany(count, now));
    }
    refuseTooMany(count, now);
    done();
    return undefined;
  });
}
