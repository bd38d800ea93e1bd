/** What is answered while the database is away. */
import { beforeAll, expect, test } from 'vitest';

import { makeDatabase } from './support/database.ts';
import { startService } from './support/service.ts';

const database = await makeDatabase();
const service = await startService({}, {}, database);
beforeAll(() => database.close());

test('the process lives, but is not ready', async () => {
  expect(await service.request('GET', '/health/live')).toHaveStatus(200);
  const answer = await service.request('GET', '/health/ready');
  expect(answer).toBeError(503);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
});

test('figures are told all the same', async () => {
  const answer = await fetch(`http://127.0.0.1:${service.port}/metrics`);
  expect(answer.status).toBe(200);
  const lines = (await answer.text()).split('\n');
  expect(lines).toContain('http_requests_in_flight 1');
});

test('requests are told to come again', async () => {
  const path = '/records/01890a5d-ac96-774b-bcce-b302099a8057';
  const answers = [
    await service.get('/records'),
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
