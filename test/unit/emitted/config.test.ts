/** Settings of Redis: read by the feature, and refused without it. */
import { expect, test } from 'vitest';

import { readConfig } from '../../../templates/service/src/config.ts';
import { readerOf } from '../../../templates/service/src/platform/environment.ts';
import { readRedisSettings } from '../../../templates/service/src/platform/http/redis-settings.ts';

test('a service that cannot count in Redis refuses REDIS_URL, unless it is empty', () => {
  expect(() => readConfig({ REDIS_URL: 'redis://127.0.0.1' })).toThrow(
    'Wrong configuration: REDIS_URL has no effect: write "redis: true" into ' +
      'definitions/service.yaml and run create-service generate, or unset it.',
  );
  expect(readConfig({ REDIS_URL: '' })).not.toHaveProperty('redisUrl');
});

test.each([
  ['redis://127.0.0.1:6379', 'redis://127.0.0.1:6379', []],
  ['rediss://user:password@example.org', 'rediss://user:password@example.org', []],
  ['', undefined, []],
  ['localhost', undefined, ['REDIS_URL must be a URL such as redis://127.0.0.1:6379']],
  ['https://example.org', undefined, ['REDIS_URL must be a URL such as redis://127.0.0.1:6379']],
])('REDIS_URL %j', (text, redisUrl, expected) => {
  const problems: string[] = [];
  expect(readRedisSettings(readerOf({ REDIS_URL: text }, problems))).toEqual({ redisUrl });
  expect(problems).toEqual(expected);
});
