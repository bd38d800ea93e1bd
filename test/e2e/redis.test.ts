/** Limits of requests and of logins that are counted in Redis: over processes, and while it is away. */
import { beforeAll, expect, onTestFinished, test } from 'vitest';

import { makeDatabase, makeBuiltProject, runSql, start } from './support/project.ts';
import type { Running } from './support/project.ts';
import { redisServer } from './support/redis-server.ts';
import type { RedisServer } from './support/redis-server.ts';

const PASSWORD = 'nobody-shall-log-this';
const LIMIT = 40;

let project = '';

beforeAll(async () => {
  project = await makeBuiltProject('counted', 'test/e2e/definitions/counted.yaml');
});

interface Setting {
  readonly redis: RedisServer;
  readonly services: readonly Running[];
  /** Whether the database counts requests of an address. */
  readonly isInDatabase: (address: string) => Promise<boolean>;
  /** How many windows of logins the database counts. */
  readonly countLogins: () => Promise<number>;
}

/** Two processes over one database and one Redis. */
async function startTwo(): Promise<Setting> {
  const redis = await redisServer(PASSWORD);
  await redis.start();
  onTestFinished(() => redis.stop());
  const database = await makeDatabase(`counted_${redis.port}`);
  const env = {
    DATABASE_URL: database,
    REDIS_URL: redis.url,
    RATE_LIMIT: String(LIMIT),
    TRUST_PROXY: '127.0.0.1',
  };
  const services = [await start(project, env), await start(project, env)];
  const isInDatabase = async (address: string): Promise<boolean> =>
    (await runSql(database, `select 1 from "_requests" where "address" = '${address}'`)).length > 0;
  const countLogins = async (): Promise<number> =>
    (await runSql(database, 'select 1 from "_logins"')).length;
  const setting = { redis, services, isInDatabase, countLogins };
  await untilCounted(setting, 1);
  return setting;
}

/** Asks from an address; gives the status. */
const ask = async ({ origin }: Running, address: string): Promise<number> =>
  (await fetch(`${origin}/api/v1/nothing`, { headers: { 'x-forwarded-for': address } })).status;

/** Waits until all processes count in Redis. */
async function untilCounted({ services, isInDatabase }: Setting, net: number): Promise<void> {
  let host = 0;
  for (const service of services) {
    await expect
      .poll(
        async () => {
          const address = `10.0.${net}.${++host}`;
          await ask(service, address);
          return isInDatabase(address);
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe(false);
  }
}

/** Asks each service more often than one client may; no more pass than that. */
async function expectLimit(services: readonly Running[], address: string): Promise<void> {
  const minute = (): number => Math.floor(Date.now() / 60_000);
  const begun = minute();
  let passed = 0;
  for (let round = 0; round < LIMIT + 10; round++) {
    for (const service of services) {
      const status = await ask(service, address);
      expect([404, 429]).toContain(status);
      if (status === 404) passed++;
    }
  }
  expect(passed).toBeGreaterThanOrEqual(LIMIT);
  // Each process may let a twentieth too many through, in each minute that this took.
  expect(passed).toBeLessThanOrEqual((minute() - begun + 1) * (LIMIT + 4));
}

/** Fails more logins than one user may at an address, and asks each service in turn. */
async function expectLoginLimit(services: readonly Running[], address: string): Promise<void> {
  const statuses: number[] = [];
  for (let at = 0; at < 12; at++) {
    const { origin } = services[at % services.length]!;
    const authorization = `Basic ${Buffer.from(`nobody:wrong ${at}`).toString('base64')}`;
    const headers = { authorization, 'x-forwarded-for': address };
    statuses.push((await fetch(`${origin}/api/v1/users`, { headers })).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
}

test('hold over processes, and cost the database nothing', async () => {
  const { services, isInDatabase, countLogins } = await startTwo();
  await expectLimit(services, '10.1.0.1');
  expect(await isInDatabase('10.1.0.1')).toBe(false);
  await expectLoginLimit(services, '10.2.0.1');
  expect(await countLogins()).toBe(0);
  for (const service of services) expect(await service.stop()).toBe(0);
});

test.each(['is gone', 'hangs'])('hold in the database while Redis %s', async (how) => {
  const setting = await startTwo();
  const { redis, services, isInDatabase, countLogins } = setting;
  if (how === 'hangs') redis.hang();
  else await redis.stop();
  await expectLimit(services, '10.1.0.1');
  expect(await isInDatabase('10.1.0.1')).toBe(true);
  await expectLoginLimit(services, '10.2.0.1');
  // By address and username, by address, and by username.
  expect(await countLogins()).toBe(5);
  if (how === 'hangs') redis.goOn();
  else await redis.start();
  await untilCounted(setting, 2);
  await expectLimit(services, '10.1.0.2');
  for (const service of services) {
    expect(await service.stop()).toBe(0);
    expect(service.output()).toContain('Redis is unreachable');
    expect(service.output()).toContain('Redis is back');
  }
});

test('a service whose password for Redis is wrong says so, without it', async () => {
  const { redis, services } = await startTwo();
  const service = await start(project, {
    DATA_DIR: 'memory',
    REDIS_URL: redis.url.replace(PASSWORD, `${PASSWORD}-not`),
    RATE_LIMIT: String(LIMIT),
  });
  await ask(service, '10.1.0.1');
  await expect.poll(() => service.output(), { timeout: 60_000 }).toContain('WRONGPASS');
  expect(service.output()).not.toContain(PASSWORD);
  for (const one of [service, ...services]) expect(await one.stop()).toBe(0);
});
