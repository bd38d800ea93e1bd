/** Configuration by environment variables. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { makeAdministrator, makeFirstAdministrator } from '../src/platform/auth/administrator.ts';
import { readConfig } from '../src/config.ts';
import type { OpenDatabase } from '../src/platform/database/database.ts';
import { DatabaseUnavailable } from '../src/platform/database/unavailable.ts';
import { emptyTestDatabase, openTestDatabase } from './support/database.ts';
import { basic, PASSWORD, userBody } from './support/items/users.ts';
import { API, sharedService, startService } from './support/service.ts';

/** The headers of a browser request from a page of an origin. */
const from = (origin: string, headers: Readonly<Record<string, string>> = {}) => ({
  headers: { origin, ...headers },
});

const DAY = 86_400_000;

const database = await openTestDatabase();
afterAll(() => database.close());

describe('RATE_LIMIT', async () => {
  let now = Date.UTC(2031, 4, 1, 12, 0, 20);
  // A clock of its own: the test runner needs the real `Date` for its timers.
  const clock = (): number => now;
  const service = await startService({ RATE_LIMIT: '5' }, { clock }, database);

  beforeEach(() => {
    // A minute of its own for each test, in which nothing is counted yet and 40 seconds are left.
    now = Math.floor(now / DAY) * DAY + DAY + 20_000;
  });

  test('limits the requests of an address per minute (429)', async () => {
    for (let made = 0; made < 5; made++) expect(await service.get('/users')).toHaveStatus(200);
    const answer = await service.get('/users');
    expect(answer).toBeError(429);
    expect(answer.headers.get('retry-after')).toBe('40');
    now += 40_000;
    expect(await service.get('/users')).toHaveStatus(200);
  });

  test('counts refused requests, and answers 429 before all other errors', async () => {
    const stranger = service.as(undefined);
    for (let made = 0; made < 5; made++) expect(await stranger.get('/users')).toBeError(401);
    expect(await service.get('/users')).toBeError(429);
    expect(await service.request('GET', '/nothing')).toBeError(429);
    expect(await service.put('/users', {})).toBeError(429);
    expect(await service.as('Nonsense').get('/users')).toBeError(429);
  });

  test('shares the limit between processes', async () => {
    const other = await startService({ RATE_LIMIT: '5' }, { clock }, database);
    for (let made = 0; made < 3; made++) expect(await service.get('/users')).toHaveStatus(200);
    for (let made = 0; made < 2; made++) expect(await other.get('/users')).toHaveStatus(200);
    expect(await service.get('/users')).toBeError(429);
    expect(await other.get('/users')).toBeError(429);
  });

  test('counts requests later that the database could not count at once', async () => {
    let failures = 2;
    const query: OpenDatabase['query'] = async (statement, values) => {
      if (statement.text.includes('into "_requests"') && failures-- > 0) {
        throw new DatabaseUnavailable('busy', 'no connection');
      }
      return database.query(statement, values);
    };
    const failing = { ...database, query };
    const other = await startService({ RATE_LIMIT: '5' }, { clock }, failing);
    for (let made = 0; made < 3; made++) expect(await other.get('/users')).toHaveStatus(200);
    for (let made = 0; made < 2; made++) expect(await service.get('/users')).toHaveStatus(200);
    expect(await other.get('/users')).toBeError(429);
    expect(failures).toBeLessThan(0);
  });

  test('does not limit health and metrics', async () => {
    for (let made = 0; made < 10; made++) {
      expect(await service.request('GET', '/health/live')).toHaveStatus(200);
      expect((await fetch(`http://127.0.0.1:${service.port}/metrics`)).status).toBe(200);
    }
    expect(await service.get('/users')).toHaveStatus(200);
  });
});

describe('TRUST_PROXY', async () => {
  let minutes = Math.floor(Date.now() / 60_000);
  const service = await startService(
    { TRUST_PROXY: '127.0.0.1', RATE_LIMIT: '2' },
    { clock: () => minutes * 60_000 },
    database,
  );

  beforeEach(() => {
    // A minute of its own for each test.
    minutes++;
  });

  /** The statuses of three requests; the limit is two. */
  async function statuses(...forwarded: readonly [string, string, string]): Promise<number[]> {
    const answered: number[] = [];
    for (const addresses of forwarded) {
      const headers = { 'x-forwarded-for': addresses };
      answered.push((await service.request('GET', '/nothing', { headers })).status);
    }
    return answered;
  }

  test('counts by the address that the proxy appended', async () => {
    expect(await statuses('192.0.2.1', '192.0.2.2', '2001:db8::1')).toEqual([404, 404, 404]);
    expect(await statuses('192.0.2.9', '192.0.2.8, 192.0.2.9', 'x, 192.0.2.9')).toEqual([
      404, 404, 429,
    ]);
  });

  test('counts malformed addresses towards the proxy', async () => {
    expect(await statuses('junk', 'unknown', '192.0.2.1:80')).toEqual([404, 404, 429]);
    expect(await statuses('', '999.0.0.1', 'junk, 127.0.0.1')).toEqual([429, 429, 429]);
  });

  test('accepts any text in X-Forwarded-For', async () => {
    const long = Array.from({ length: 1_800 }, (_, at) => (at * at * 7_919).toString(36)).join('');
    expect(await statuses(long, `${long}, 127.0.0.1`, long.slice(1))).toEqual([404, 404, 429]);
  });
});

describe('database timeouts', () => {
  test('are milliseconds with defaults', () => {
    expect(readConfig({}).timeouts).toEqual({
      statement: 10_000,
      lock: 5_000,
      transaction: 15_000,
    });
    const environment = {
      STATEMENT_TIMEOUT: '100',
      LOCK_TIMEOUT: '250',
      TRANSACTION_TIMEOUT: '3600000',
    };
    const timeouts = { statement: 100, lock: 250, transaction: 3_600_000 };
    expect(readConfig(environment).timeouts).toEqual(timeouts);
  });

  test.each(['STATEMENT_TIMEOUT', 'LOCK_TIMEOUT', 'TRANSACTION_TIMEOUT'])(
    '%s must be an integer from 100 to 3600000',
    (name) => {
      for (const value of ['0', '99', '3600001', '1e4', '10s', '-1']) {
        expect(() => readConfig({ [name]: value })).toThrow(
          `${name} must be an integer from 100 to 3600000`,
        );
      }
    },
  );
});

describe('PUBLIC_URL', async () => {
  const service = await startService({ PUBLIC_URL: 'https://api.example.org' }, {}, database);

  test('makes links absolute', async () => {
    const { headers } = await service.post('/users', userBody());
    expect(headers.get('location')).toMatch(
      /^https:\/\/api\.example\.org\/api\/.*users\/[0-9a-f-]{36}$/,
    );
    const list = await service.get('/users?limit=1');
    const links = (list.headers.get('link') ?? '')
      .split(', ')
      .filter((link) => !link.includes('successor'));
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expect(link).toMatch(/^<https:\/\/api\.example\.org\/api\//);
  });
});

test.each([
  ['PORT', '65536', 'an integer from 0 to 65535'],
  ['PORT', '80a', 'an integer from 0 to 65535'],
  ['DATABASE_POOL', '0', 'an integer from 1 to 1000'],
  ['DATABASE_URL', 'mysql://localhost/name', 'a connection string'],
  ['LOG_LEVEL', 'loud', 'one of fatal, error'],
])('refuses %s=%s', (name, value, hint) => {
  expect(() => readConfig({ [name]: value })).toThrow(
    `Wrong configuration: ${name} must be ${hint}`,
  );
});

describe('CORS_ORIGINS', async () => {
  const CORS_ORIGINS = 'https://app.example.org, https://admin.example.org';
  const service = await startService({ CORS_ORIGINS }, {}, database);

  test.each(['https://app.example.org', 'https://admin.example.org'])(
    'allows %s to read responses',
    async (origin) => {
      const answer = await service.request('GET', `${API}/users`, from(origin));
      expect(answer).toHaveStatus(200);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-expose-headers')?.split(', ').toSorted()).toEqual([
        'ETag',
        'Idempotency-Replayed',
        'Link',
        'Location',
        'Retry-After',
        'Total-Count',
        'X-Request-Id',
      ]);
      // Caches must store responses by origin.
      expect(answer.headers.get('vary')).toMatch(/\borigin\b/i);
      expect(answer.headers.get('vary')).toMatch(/\baccept\b/i);
    },
  );

  test('allows reading errors', async () => {
    const origin = 'https://app.example.org';
    const answer = await service.as(undefined).request('GET', `${API}/users`, from(origin));
    expect(answer).toBeError(401);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  });

  test('answers preflight requests without a credential', async () => {
    const asked = from('https://app.example.org', {
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization, content-type',
    });
    const answer = await service.as(undefined).request('OPTIONS', `${API}/users`, asked);
    expect(answer).toHaveStatus(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.org');
    expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(answer.headers.get('access-control-allow-headers')).toContain('authorization');
    expect(answer.headers.get('access-control-max-age')).toBe('600');
    expect(answer.headers.get('allow')).toContain('POST');
  });

  test('answers OPTIONS with Allow (204), and with 404 on an unknown path', async () => {
    const answer = await service.request('OPTIONS', `${API}/users`);
    expect(answer).toHaveStatus(204);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    const preflight = from('https://app.example.org', { 'access-control-request-method': 'GET' });
    expect(await service.request('OPTIONS', `${API}/unheard-of`, preflight)).toBeError(404);
  });

  test.each([
    'https://example.org',
    'http://app.example.org',
    'https://app.example.org.evil',
    'null',
  ])('does not allow %s', async (origin) => {
    const answer = await service.request('GET', `${API}/users`, from(origin));
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = from(origin, { 'access-control-request-method': 'PATCH' });
    const asked = await service.request('OPTIONS', `${API}/users`, preflight);
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the defaults', async () => {
  const service = await sharedService();

  test('allow no other origin', async () => {
    const headers = { origin: 'https://app.example.org' };
    const answer = await service.request('GET', `${API}/users`, { headers });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('send security headers', async () => {
    const { headers } = await service.get('/users');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(headers.get('x-powered-by')).toBeNull();
  });
});

test('HSTS_SUBDOMAINS adds includeSubDomains to Strict-Transport-Security', async () => {
  const service = await startService({ HSTS_SUBDOMAINS: 'true' }, {}, database);
  const { headers } = await service.get('/users');
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  expect(() => readConfig({ HSTS_SUBDOMAINS: 'yes' })).toThrow('HSTS_SUBDOMAINS must be true');
});

test.each([
  [{}, 0],
  [{ NODE_ENV: 'production' }, 5],
  [{ NODE_ENV: 'production', SHUTDOWN_DELAY: '0' }, 0],
  [{ SHUTDOWN_DELAY: '30' }, 30],
])('with %j, requests are served for %i seconds of the shutdown', (environment, seconds) => {
  expect(readConfig(environment).shutdownDelay).toBe(seconds);
});

test.each([
  [undefined, true],
  ['true', true],
  ['all', 'all'],
  ['false', false],
])('MIGRATE can be %s', (value, setting) => {
  expect(readConfig({ MIGRATE: value }).migrate).toBe(setting);
});

test('MIGRATE must be true, all or false', () => {
  expect(() => readConfig({ MIGRATE: 'yes' })).toThrow('MIGRATE must be true, all or false');
});

describe('ADMIN_USERNAME and ADMIN_PASSWORD', async () => {
  const service = await sharedService();
  afterAll(() => emptyTestDatabase(service.database));
  const environment = { ADMIN_USERNAME: 'first', ADMIN_PASSWORD: PASSWORD };

  beforeEach(async () => {
    await service.database.query({ text: `delete from "users" where "username" = 'first'` });
    await service.database.query({ text: `update "users" set "roles" = '{}'` });
  });

  test('create an administrator if there is none', async () => {
    await makeFirstAdministrator(service.database, readConfig(environment).administrator);
    expect(await service.as(basic('first')).get('/users')).toHaveStatus(200);
  });

  test('create none if there is one already', async () => {
    await service.database.query({ text: `update "users" set "roles" = '{admin}'` });
    await makeFirstAdministrator(service.database, readConfig(environment).administrator);
    expect((await service.get('/users?username=first')).body).toEqual([]);
  });

  test('create none if they are not set', async () => {
    await makeFirstAdministrator(service.database, readConfig({}).administrator);
    expect(await service.get('/users')).toBeError(403);
  });

  test.each([{ ADMIN_USERNAME: 'first' }, { ADMIN_PASSWORD: PASSWORD }])(
    'must be set together: %o is refused',
    (half) => {
      expect(() => readConfig(half)).toThrow('ADMIN_USERNAME and ADMIN_PASSWORD');
    },
  );

  test('are validated like those of every user', async () => {
    await expect(makeAdministrator(service.database, 'a:b', PASSWORD)).rejects.toThrow('username');
    await expect(makeAdministrator(service.database, 'first', 'short')).rejects.toThrow('password');
  });

  test('must not have a username that only looks like another', async () => {
    await makeAdministrator(service.database, 'first', PASSWORD);
    await expect(
      makeAdministrator(service.database, 'fi\u200Brst', PASSWORD),
    ).rejects.toMatchObject({
      statusCode: 409,
      message: expect.stringContaining('Use that username, or choose another.') as string,
    });
  });

  test('give an existing user the new password and revoke their tokens', async () => {
    await makeAdministrator(service.database, 'first', PASSWORD);
    const { body } = await service.as(basic('first')).post<{ token: string }>('/tokens', {});
    await makeAdministrator(service.database, 'first', 'another password');
    expect(await service.as(basic('first')).get('/users')).toBeError(401);
    expect(await service.as(`Bearer ${body.token}`).get('/users')).toBeError(401);
    const answer = await service.as(basic('first', 'another password')).get('/users');
    expect(answer).toHaveStatus(200);
    expect(answer.body).toContainEqual(
      expect.objectContaining({ username: 'first', roles: ['admin'] }),
    );
  });
});
