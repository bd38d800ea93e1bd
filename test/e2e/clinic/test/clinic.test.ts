/** A day of the clinic, as its clients see it. */
import { Webhook as Verifier } from 'standardwebhooks';
import { beforeAll, expect, test } from 'vitest';

import type { Appointment } from '../src/collections/appointments/schema.ts';
import type { Patient } from '../src/collections/patients/schema.ts';
import { seeded } from '../src/collections/seeded.ts';
import { loadSeeds } from '../src/platform/seeds/load-seeds.ts';
import { readSeeds } from '../src/platform/seeds/read-seeds.ts';
import { seedId } from '../src/platform/seeds/seed.ts';
import { reminders } from '../src/reminders.ts';
import { startReceiver } from './support/receiver.ts';
import { API, startService } from './support/service.ts';

const service = await startService({
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_RETRY_DELAYS: Array<string>(20).fill('1').join(','),
});
const login = (username: string) =>
  service.as(`Basic ${Buffer.from(`${username}:only-for-development`).toString('base64')}`);
const rita = login('rita');
const paul = login('paul');
const amy = login('amy');

beforeAll(async () => {
  await loadSeeds(service.database, await readSeeds('seeds', Object.keys(seeded)), seeded);
});

let hours = 0;
/** Times that no other test has. */
function nextTimes(): { starts_at: string; ends_at: string } {
  hours += 2;
  const start = Date.parse('2031-01-01T08:00:00Z') + hours * 3_600_000;
  return {
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(start + 1_800_000).toISOString(),
  };
}

/** What a POST sends of an appointment of Amy with Paul in room 1. */
const body = (members: object = {}) => ({
  practitioner_id: seedId('practitioners', 'paul'),
  room_id: seedId('rooms', 'one'),
  patient_id: seedId('patients', 'amy'),
  ...nextTimes(),
  ...members,
});

const request = (members: object = {}): Promise<Appointment> =>
  rita.create<Appointment>('/appointments', body(members));

const step = (id: string, state: string, by = rita) => by.patch(`/appointments/${id}`, { state });

test('patients see themselves and their appointments alone', async () => {
  const { body: patients } = await amy.get<Patient[]>('/patients');
  expect(patients.map(({ name }) => name)).toEqual(['Amy Stone']);
  expect(patients[0]?.number).toBeGreaterThanOrEqual(1000);
  const { body: own } = await amy.get<Appointment[]>('/appointments');
  expect(own.map(({ id }) => id)).toEqual([seedId('appointments', 'check-up')]);
  expect(await amy.get(`/appointments/${seedId('appointments', 'tooth')}`)).toBeError(403);
  const { body: all } = await paul.get<Appointment[]>('/appointments?sort=number');
  expect(all.map(({ state }) => state)).toEqual(['requested', 'requested']);
});

test('patients request appointments for themselves, and cancel them', async () => {
  expect(
    await amy.post('/appointments', body({ patient_id: seedId('patients', 'ned') })),
  ).toBeError(403);
  expect(await amy.post('/appointments', body({ state: 'confirmed' }))).toBeError(422, 'state');
  const { id } = await amy.create<Appointment>('/appointments', body());
  expect(await step(id, 'confirmed', amy)).toBeError(403);
  expect(await step(id, 'cancelled', amy)).toHaveStatus(200);
  expect(await step(id, 'confirmed')).toBeError(409, 'state');
});

test('an appointment goes from its request to its end, by the roles of each step', async () => {
  const { id, number } = await request();
  expect(await step(id, 'checked_in')).toBeError(409, 'state');
  expect(await step(id, 'confirmed', paul)).toBeError(403);
  expect(await step(id, 'confirmed')).toHaveStatus(200);
  expect(reminders).toContain(number);
  expect(await step(id, 'checked_in')).toHaveStatus(200);
  expect(await step(id, 'completed')).toBeError(403);
  expect(await step(id, 'completed', paul)).toHaveStatus(200);
  expect(await step(id, 'cancelled')).toBeError(409, 'state');
  const missed = await request();
  expect(await step(missed.id, 'confirmed')).toHaveStatus(200);
  expect(await step(missed.id, 'no_show', paul)).toHaveStatus(200);
});

test('an appointment ends after it starts', async () => {
  const { starts_at: time } = nextTimes();
  const answer = await rita.post('/appointments', body({ starts_at: time, ends_at: time }));
  expect(answer).toBeError(422, 'ends_at', 'starts_at');
});

test('a room is booked once at a time, until the appointment is cancelled', async () => {
  const times = nextTimes();
  const mira = seedId('practitioners', 'mira');
  const { id } = await request(times);
  const other = body({ ...times, practitioner_id: mira });
  expect(await rita.post('/appointments', other)).toBeError(409, 'room_id', 'starts_at');
  expect(await step(id, 'cancelled')).toHaveStatus(200);
  expect(await rita.post('/appointments', other)).toHaveStatus(201);
});

test('of overlapping appointments of a practitioner, one is confirmed, also of many at once', async () => {
  const { starts_at: start, ends_at: end } = nextTimes();
  const later = new Date(Date.parse(start) + 60_000).toISOString();
  const inTwo = { room_id: seedId('rooms', 'two'), starts_at: later, ends_at: end };
  const before = reminders.length;
  const requests = [await request({ starts_at: start, ends_at: end }), await request(inTwo)];
  for (let minute = 2; minute < 6; minute++) {
    const starts = new Date(Date.parse(start) + minute * 60_000).toISOString();
    requests.push(await request({ ...inTwo, starts_at: starts }));
  }
  const answers = await Promise.all(requests.map(({ id }) => step(id, 'confirmed')));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(5);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({
    message: expect.stringMatching(/^The practitioner has appointment \d+ then\.$/) as string,
  });
  expect(reminders.length).toBe(before + 1);
  // One after the other is no overlap.
  const next = await request({
    starts_at: end,
    ends_at: new Date(Date.parse(end) + 60_000).toISOString(),
  });
  expect(await step(next.id, 'confirmed')).toHaveStatus(200);
  // Another practitioner has time.
  const mira = await request({
    ...inTwo,
    practitioner_id: seedId('practitioners', 'mira'),
    starts_at: start,
  });
  expect(await step(mira.id, 'confirmed')).toHaveStatus(200);
});

test('a confirmed appointment moves to a time that is free, and to no other', async () => {
  const first = await request();
  const second = await request();
  for (const { id } of [first, second]) expect(await step(id, 'confirmed')).toHaveStatus(200);
  const path = `/appointments/${second.id}`;
  const early = new Date(Date.parse(first.starts_at) + 60_000).toISOString();
  const taken = { starts_at: early, ends_at: first.ends_at };
  expect(await rita.patch(path, taken)).toBeError(409);
  expect(await rita.patch(path, nextTimes())).toHaveStatus(200);
  expect(await rita.patch(path, { patient_id: seedId('patients', 'ned') })).toBeError(
    422,
    'patient_id',
  );
});

test('an appointment is shown with who and where, as far as the reader may', async () => {
  const [paulItem, room, patient] = await Promise.all(
    ['practitioners/paul', 'rooms/one', 'patients/amy'].map(async (seed) => {
      const [collection = '', name = ''] = seed.split('/');
      return (await rita.get(`/${collection}/${seedId(collection, name)}`)).body as object;
    }),
  );
  const path = `/appointments/${(await request()).id}`;
  const { body: plain } = await amy.get<Appointment>(path);
  const all = { ...plain, practitioner: paulItem, room, patient };
  const shown = await amy.get(`${path}?include=practitioner,room,patient`);
  expect(shown.body).toEqual(all);
  const { body: list } = await paul.get<Appointment[]>(
    `/practitioners/${seedId('practitioners', 'paul')}/appointments?include=practitioner,room,patient&sort=-number&limit=1`,
  );
  expect(list).toEqual([all]);
  // A change of the patient changes the answer, so its tag is another.
  const tag = shown.headers.get('etag') ?? '';
  const again = () =>
    amy.request('GET', `${API}${path}?include=practitioner,room,patient`, {
      headers: { 'if-none-match': tag },
    });
  expect(await again()).toHaveStatus(304);
  const patientPath = `/patients/${seedId('patients', 'amy')}`;
  expect(await rita.patch(patientPath, { name: 'Amy Stone-Field' })).toHaveStatus(200);
  expect((await again()).body).toHaveProperty('patient.name', 'Amy Stone-Field');
  expect(await rita.patch(patientPath, { name: 'Amy Stone' })).toHaveStatus(200);
});

test('the calendar gets the changes of an appointment in order, also those that it missed', async () => {
  const first = await startReceiver();
  const { secret } = await service.create<{ id: string; secret: string }>('/webhooks', {
    url: first.url,
    events: ['appointment.updated'],
  });
  const { id } = await request();
  await first.stop();
  for (const [state, by] of [
    ['confirmed', rita],
    ['checked_in', rita],
    ['completed', paul],
  ] as const) {
    expect(await step(id, state, by)).toHaveStatus(200);
  }
  // What was refused is no event.
  expect(await step(id, 'cancelled')).toBeError(409, 'state');
  const second = await startReceiver(Number(new URL(first.url).port));
  const own = () => second.received.filter(({ event }) => (event.data as Appointment).id === id);
  await expect
    .poll(() => own().map(({ event }) => (event.data as Appointment).state))
    .toEqual(['confirmed', 'checked_in', 'completed']);
  for (const { text, headers } of own()) {
    expect(new Verifier(secret).verify(text, headers)).toHaveProperty('data.id', id);
  }
  await second.stop();
});
