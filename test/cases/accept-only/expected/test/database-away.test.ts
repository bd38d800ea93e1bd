/** The service while its database is unavailable. */
import { beforeAll, expect, test } from 'vitest';

import { buildClosedApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { DatabaseUnavailable } from '../src/platform/database/unavailable.ts';
import { waitForDatabase } from '../src/platform/database/open.ts';
import { makeDatabase } from './support/database.ts';
import { startService } from './support/service.ts';

const database = await makeDatabase();
const service = await startService({}, {}, database);
beforeAll(() => database.close());

test('is live but not ready', async () => {
  expect(await service.request('GET', '/health/live')).toHaveStatus(200);
  const answer = await service.request('GET', '/health/ready');
  expect(answer).toBeError(503);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
});

test('answers only health and metrics before the database is available (503)', async () => {
  const closed = await buildClosedApp(readConfig({ LOG_LEVEL: 'silent' }), database);
  expect((await closed.inject('/health/live')).statusCode).toBe(200);
  expect((await closed.inject('/metrics')).statusCode).toBe(200);
  for (const url of ['/health/ready', '/api/v1/users', '/docs', '/nothing']) {
    const answer = await closed.inject(url);
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({
      status: 'Service Unavailable',
      message: expect.stringContaining('waits for its database') as string,
      request_id: answer.headers['x-request-id'],
    });
    expect(answer.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
  }
  await closed.close();
});

test('waits for the database at start, and logs its host once', async () => {
  const config = readConfig({ DATABASE_URL: 'postgresql://user:password@database:5432/name' });
  const lines: string[] = [];
  let attempts = 0;
  const connect = async (): Promise<string> => {
    attempts++;
    if (attempts < 3)
      throw new DatabaseUnavailable('unreachable', '', new Error('connection refused'));
    return 'connected';
  };
  const connected = await waitForDatabase(config, connect, (line) => lines.push(line));
  expect(connected).toBe('connected');
  expect(lines).toEqual(['waiting for the database at database:5432: connection refused']);
});

test('fails at start on errors that waiting does not fix', async () => {
  const refused = Object.assign(new Error('password authentication failed'), { code: '28P01' });
  const connect = (): Promise<never> => Promise.reject(refused);
  await expect(waitForDatabase(readConfig({}), connect, () => {})).rejects.toBe(refused);
});

test('serves metrics', async () => {
  const answer = await fetch(`http://127.0.0.1:${service.port}/metrics`);
  expect(answer.status).toBe(200);
  const lines = (await answer.text()).split('\n');
  expect(lines).toContain('http_requests_in_flight 1');
});

test('answers requests with 503 and Retry-After', async () => {
  const path = '/notes/01890a5d-ac96-774b-bcce-b302099a8057';
  const answers = [
    await service.get('/notes'),
    await service.get(path),
    await service.patch(path, {}),
    await service.delete(path),
  ];
  for (const answer of answers) {
    expect(answer).toBeError(503);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
    expect(JSON.stringify(answer.body)).not.toMatch(/select|pool|sql|\.ts/i);
  }
});
