/** What the environment asks of a service: limits, origins, the first administrator. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { makeAdministrator, makeFirstAdministrator } from '../src/auth/administrator.ts';
import { readConfig } from '../src/config.ts';
import { basic, PASSWORD } from './fixtures/users.ts';
import { API, startService } from './support/service.ts';

/** What a browser sends for a page of an origin. */
const from = (origin: string, headers: Readonly<Record<string, string>> = {}) => ({
  headers: { origin, ...headers },
});

describe('RATE_LIMIT', async () => {
  const service = await startService({ RATE_LIMIT: '5' });
  let day = 0;

  beforeEach(() => {
    // Of each test's minute nothing has been counted yet, and it does not end meanwhile.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2031, 4, ++day, 12, 0, 20) });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('an address may make so many requests a minute', async () => {
    for (let made = 0; made < 5; made++) expect(await service.get('/users')).toHaveStatus(200);
    const answer = await service.get('/users');
    expect(answer).toBeError(429);
    expect(answer.headers.get('retry-after')).toBe('40');
    vi.advanceTimersByTime(40_000);
    expect(await service.get('/users')).toHaveStatus(200);
  });

  test('requests that come to nothing count too, and too many come before all else', async () => {
    const stranger = service.as(undefined);
    for (let made = 0; made < 5; made++) expect(await stranger.get('/users')).toBeError(401);
    expect(await service.get('/users')).toBeError(429);
    expect(await service.request('GET', '/nothing')).toBeError(429);
    expect(await service.put('/users', {})).toBeError(429);
    expect(await service.as('Nonsense').get('/users')).toBeError(429);
  });

  test('health is outside', async () => {
    for (let made = 0; made < 10; made++) {
      expect(await service.request('GET', '/health/live')).toHaveStatus(200);
    }
    expect(await service.get('/users')).toHaveStatus(200);
  });
});

describe('CORS_ORIGINS', async () => {
  const service = await startService({
    CORS_ORIGINS: 'https://app.example.org, https://admin.example.org',
  });

  test.each(['https://app.example.org', 'https://admin.example.org'])(
    'pages of %s may read answers',
    async (origin) => {
      const answer = await service.request('GET', `${API}/users`, from(origin));
      expect(answer).toHaveStatus(200);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-expose-headers')?.split(', ').toSorted()).toEqual([
        'Deprecation',
        'ETag',
        'Idempotency-Replayed',
        'Link',
        'Location',
        'Retry-After',
        'Sunset',
        'Total-Count',
        'X-Request-Id',
      ]);
      // What a cache keeps for one origin is not for another one.
      expect(answer.headers.get('vary')).toMatch(/\borigin\b/i);
      expect(answer.headers.get('vary')).toMatch(/\baccept\b/i);
    },
  );

  test('they may read errors as well', async () => {
    const origin = 'https://app.example.org';
    const answer = await service.as(undefined).request('GET', `${API}/users`, from(origin));
    expect(answer).toBeError(401);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  });

  test('a browser asks first, without a credential', async () => {
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
  });

  test.each([
    'https://example.org',
    'http://app.example.org',
    'https://app.example.org.evil',
    'null',
  ])('pages of %s may not', async (origin) => {
    const answer = await service.request('GET', `${API}/users`, from(origin));
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = from(origin, { 'access-control-request-method': 'PATCH' });
    const asked = await service.request('OPTIONS', `${API}/users`, preflight);
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('nothing', async () => {
  const service = await startService();

  test('pages of other origins read nothing', async () => {
    const headers = { origin: 'https://app.example.org' };
    const answer = await service.request('GET', `${API}/users`, { headers });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('browsers are told to take no answer for a page', async () => {
    const { headers } = await service.get('/users');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('strict-transport-security')).toMatch(/max-age=\d+/);
    expect(headers.get('x-powered-by')).toBeNull();
  });
});

describe('ADMIN_USERNAME and ADMIN_PASSWORD', async () => {
  const service = await startService();
  const environment = { ADMIN_USERNAME: 'first', ADMIN_PASSWORD: PASSWORD };

  beforeEach(async () => {
    await service.database.query({ text: `delete from "users" where "username" = 'first'` });
    await service.database.query({ text: `update "users" set "roles" = '{}'` });
  });

  test('make an administrator where there is none', async () => {
    await makeFirstAdministrator(service.database, readConfig(environment));
    expect(await service.as(basic('first')).get('/users')).toHaveStatus(200);
  });

  test('make none where there is one', async () => {
    await service.database.query({ text: `update "users" set "roles" = '{admin}'` });
    await makeFirstAdministrator(service.database, readConfig(environment));
    expect((await service.get('/users?username=first')).body).toEqual([]);
  });

  test('make none where they are not set', async () => {
    await makeFirstAdministrator(service.database, readConfig({}));
    expect(await service.get('/users')).toBeError(403);
  });

  test.each([{ ADMIN_USERNAME: 'first' }, { ADMIN_PASSWORD: PASSWORD }])(
    'go together: %o is not enough',
    (half) => {
      expect(() => readConfig(half)).toThrow('ADMIN_USERNAME and ADMIN_PASSWORD');
    },
  );

  test('are refused as those of every user are', async () => {
    const { database } = service;
    await expect(makeAdministrator(database, 'a:b', PASSWORD)).rejects.toThrow('username');
    await expect(makeAdministrator(database, 'first', 'short')).rejects.toThrow('password');
  });

  test('a user who is there becomes an administrator and keeps their roles', async () => {
    await makeAdministrator(service.database, 'first', PASSWORD);
    await makeAdministrator(service.database, 'first', 'another password');
    expect(await service.as(basic('first')).get('/users')).toBeError(401);
    const answer = await service.as(basic('first', 'another password')).get('/users');
    expect(answer).toHaveStatus(200);
    expect(answer.body).toContainEqual(
      expect.objectContaining({ username: 'first', roles: ['admin'] }),
    );
  });
});
