/**
 * `REDIS_COUNTS`: the shared counters of the rate limit and the login throttle are in Redis. While Redis is
 * unavailable or slow, the database counts instead, so limits hold and no request fails.
 */
import type { FastifyBaseLogger } from 'fastify';
import { Redis } from 'ioredis';

import type { Counts, Feature } from '../feature.ts';
import type { RedisSettings } from './redis-settings.ts';

/** Seconds until the count of a minute expires. */
const EXPIRY = 120;

/** Milliseconds that Redis has to answer, while a request waits. */
const COMMAND_TIMEOUT = 500;

/**
 * Counts a login (`KEYS[1]`) unless the limit (`ARGV[1]`) is reached in a window of `ARGV[2]`
 * milliseconds. Returns 0 if it was counted, else the milliseconds until the window ends.
 */
const COUNT_LOGIN = `
  if tonumber(redis.call('get', KEYS[1]) or '0') >= tonumber(ARGV[1]) then
    return math.max(1, redis.call('pttl', KEYS[1]))
  end
  if redis.call('incr', KEYS[1]) == 1 then redis.call('pexpire', KEYS[1], ARGV[2]) end
  return 0`;
const UNCOUNT_LOGIN = `
  if tonumber(redis.call('get', KEYS[1]) or '0') > 0 then redis.call('decr', KEYS[1]) end
  return 0`;

export const REDIS_COUNTS: Feature = {
  makeCounts: (app, { redisUrl }: RedisSettings, inDatabase) => {
    if (redisUrl === undefined) return undefined;
    const counts = redisCounts(redisUrl, inDatabase, app.log);
    app.addHook('onClose', async () => counts.close());
    return counts;
  },
};

/** @param fallback counts while Redis is unavailable. */
function redisCounts(
  url: string,
  fallback: Counts,
  log: FastifyBaseLogger,
): Counts & { readonly close: () => void } {
  const redis = new Redis(url, {
    socketTimeout: COMMAND_TIMEOUT,
    // Commands fail at once while Redis is disconnected, and are not retried.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  });
  let isUnreachable = false;
  const reportAway = (error: unknown): void => {
    // Only the message is logged: errors of ioredis hold the command with its arguments. It is logged
    // once, and not again for each failed command.
    const reason = error instanceof Error ? error.message : String(error);
    if (!isUnreachable)
      log.warn({ reason }, 'Redis is unreachable: requests are counted in the database');
    isUnreachable = true;
  };
  redis.on('error', reportAway);
  /** Runs `inRedis`, or `otherwise` if that fails. */
  const count = async <Result>(
    inRedis: () => Promise<unknown>,
    otherwise: () => Promise<Result>,
  ): Promise<number | Result> => {
    try {
      const result = await inRedis();
      if (typeof result !== 'number') throw new Error('Redis did not return a number');
      if (isUnreachable) log.warn('Redis is back');
      isUnreachable = false;
      return result;
    } catch (error) {
      reportAway(error);
      return otherwise();
    }
  };
  return {
    add(address, minute, requests) {
      const key = `requests:${minute}:${address}`;
      return count(
        async () => {
          const results = await redis.multi().incrby(key, requests).expire(key, EXPIRY).exec();
          const [error, sum] = results?.[0] ?? [];
          if (error) throw error;
          return sum;
        },
        () => fallback.add(address, minute, requests),
      );
    },
    countLogin(key, limit, window) {
      return count(
        async () => {
          const left = await redis.eval(COUNT_LOGIN, 1, `logins:${key}`, limit, window * 1000);
          return typeof left === 'number' ? Math.ceil(left / 1000) : undefined;
        },
        () => fallback.countLogin(key, limit, window),
      );
    },
    async uncountLogin(key) {
      await count(
        () => redis.eval(UNCOUNT_LOGIN, 1, `logins:${key}`),
        async () => {
          await fallback.uncountLogin(key);
          return 0;
        },
      );
    },
    close: () => redis.disconnect(),
  };
}
