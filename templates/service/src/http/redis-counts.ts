/** Counts of requests in Redis, the same for all processes. */
import { Redis } from 'ioredis';

import type { SharedCounts } from './rate-limit.ts';

/** Seconds after which a count is forgotten: longer than the minute that it is of. */
const LIFETIME = 120;

/** Milliseconds that a request waits for its count. */
const PATIENCE = 500;

/** @param onError told of a Redis that is away; requests are let through meanwhile. */
export function redisCounts(
  url: string,
  onError: (error: Error) => void,
): SharedCounts & { readonly close: () => void } {
  const redis = new Redis(url, {
    commandTimeout: PATIENCE,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
  });
  redis.on('error', onError);
  return {
    async add(address, minute, requests) {
      const key = `requests:${minute}:${address}`;
      try {
        const results = await redis.multi().incrby(key, requests).expire(key, LIFETIME).exec();
        return Number(results?.[0]?.[1] ?? 0);
      } catch {
        return 0;
      }
    },
    close: () => redis.disconnect(),
  };
}
