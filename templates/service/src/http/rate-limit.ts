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

  /** The count of a client in this minute. */
  const countOf = (client: string, now: number): Count => {
    if (minute !== Math.floor(now / MINUTE)) {
      minute = Math.floor(now / MINUTE);
      counts = new Map();
    }
    const known = counts.get(client);
    if (known !== undefined) return known;
    const count = { shared: 0, own: 0, batch: 1 };
    counts.set(client, count);
    return count;
  };
  const share = async (client: string, count: Count): Promise<void> => {
    const fresh = count.own;
    count.own = 0;
    count.batch = batch;
    count.shared = await shared.add(client, minute, fresh);
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
    const now = Date.now();
    const client = clientOf(request.ip);
    const count = countOf(client, now);
    count.own++;
    // A client that is refused already adds nothing more.
    if (count.own >= count.batch && count.shared <= limit) {
      return share(client, count).then(() => refuseTooMany(count, now));
    }
    refuseTooMany(count, now);
    done();
    return undefined;
  });
}
