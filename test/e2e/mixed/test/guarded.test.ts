/** Checks that jobs and deletions could violate, and owners that are named without a credential. */
import { expect, onTestFinished, test } from 'vitest';

import { scanHooks } from '../src/collections/scans/hooks.ts';
import { createTeam } from './support/items/teams.ts';
import { scanBody } from './support/items/scans.ts';
import { basic, createUser } from './support/items/users.ts';
import { startService } from './support/service.ts';
import type { Job } from './support/service.ts';

const service = await startService();

test('a job whose values violate a check fails with its message, once', async () => {
  let runs = 0;
  const { process } = scanHooks;
  // Other files run in the same process.
  onTestFinished(() => void Object.assign(scanHooks, { process }));
  Object.assign(scanHooks, {
    process(values: { pages: number }) {
      runs += 1;
      return { ...values, blank: values.pages + 1 };
    },
  });
  const { body } = await service.post<Job>('/scans', await scanBody(service));
  expect(await service.finished(body.id)).toMatchObject({
    status: 'failed',
    resource: null,
    error: 'blank and pages: Not more pages are blank than there are.',
  });
  expect(runs).toBe(1);
  expect((await service.get('/scans')).body).toEqual([]);
});

test('a deletion that would clear a reference against a check is 409', async () => {
  const team = await createTeam(service);
  const player = { name: 'Ada', is_lead: true, team_id: team.id };
  const lead = await service.post<{ id: string }>('/players', player);
  expect(lead).toHaveStatus(201);
  expect(await service.delete(`/teams/${team.id}`)).toBeError(409);
  expect(await service.get(`/teams/${team.id}`)).toHaveStatus(200);
  expect(await service.patch(`/players/${lead.body.id}`, { is_lead: false })).toHaveStatus(200);
  expect(await service.delete(`/teams/${team.id}`)).toHaveStatus(204);
  expect((await service.get(`/players/${lead.body.id}`)).body).toMatchObject({ team_id: null });
});

test('without a credential, nobody can be named as the owner (401)', async () => {
  const { id, username } = await createUser(service);
  const anonymous = service.as(undefined);
  expect(await anonymous.post('/postcards', { text: 'Hello', sender_id: id })).toBeError(401);
  for (const letter of [{ text: 'Hello' }, { text: 'Hello', sender_id: null }]) {
    expect(await anonymous.post('/postcards', letter)).toHaveStatus(201);
  }
  expect((await service.as(basic(username)).get('/postcards')).body).toEqual([]);
});
