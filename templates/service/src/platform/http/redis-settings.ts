/** The setting of `REDIS_COUNTS`, and the variable that it is read from. */
import type { EnvironmentReader } from '../environment.ts';

export interface RedisSettings {
  /** Where requests and logins are counted; undefined for the database. */
  readonly redisUrl: string | undefined;
}

declare module '../settings.ts' {
  interface Settings extends RedisSettings {}
}

export const readRedisSettings = (read: EnvironmentReader): RedisSettings => ({
  redisUrl: read.variable<string | undefined>(
    'REDIS_URL',
    undefined,
    (text) => (/^rediss?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
    'must be a URL such as redis://127.0.0.1:6379',
  ),
});
