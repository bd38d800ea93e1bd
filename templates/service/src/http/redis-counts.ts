/**
 * Counts of requests in Redis, the same for all processes. While Redis is away, or too slow to be
 * waited for, the counts are kept elsewhere: limits hold, and no request fails for it.
 */
import type { FastifyBaseLogger } from 'fastify';
import { Redis } from 'ioredis';

import type { SharedCounts } from './rate-limit.ts';

/** Seconds after which a count is forgotten: longer than the minute that it is of. */
const LIFETIME = 120;

/** Milliseconds that an answer is waited for, while a request waits. */
const PATIENCE = 500;

/** @param elsewhere counts while Redis cannot. */
export function redisCounts(
  url: string,
  elsewhere: SharedCounts,
  log: FastifyBaseLogger,
): SharedCounts & { readonly close: () => void } {
  const redis = new Redis(url, {
    socketTimeout: PATIENCE,
    // A command that cannot be sent, or is not answered, fails at once.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  });
  let isAway = false;
  const tellAway = (error: unknown): void => {
    // Each new try fails again: once is enough. An error of Redis holds its command, and that of a
    // login the password: only what it says goes to the log.
    const reason = error instanceof Error ? error.message : String(error);
    if (!isAway) log.warn({ reason }, 'Redis is away: requests are counted elsewhere');
    isAway = true;
  };
  redis.on('error', tellAway);
  return {
    async add(address, minute, requests) {
      const key = `requests:${minute}:${address}`;
      try {
        const results = await redis.multi().incrby(key, requests).expire(key, LIFETIME).exec();
        const [error, sum] = results?.[0] ?? [];
        if (typeof sum !== 'number') throw error ?? new Error('Redis gave no count');
        if (isAway) log.warn('Redis is back');
        isAway = false;
        return sum;
      } catch (error) {
        tellAway(error);
        return elsewhere.add(address, minute, requests);
      }
    },
    close: () => redis.disconnect(),
  };
}
