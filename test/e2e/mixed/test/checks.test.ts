/** Checks that hooks or SQL could violate after the body was checked. */
import { afterEach, expect, test } from 'vitest';

import { bookingHooks } from '../src/collections/bookings/hooks.ts';
import { bookingBody, createBooking } from './support/items/bookings.ts';
import { createUser } from './support/items/users.ts';
import { API, startService } from './support/service.ts';

const service = await startService();
afterEach(() => Object.assign(bookingHooks, { beforeCreate: undefined, beforeUpdate: undefined }));

const LATE = '2030-01-01T00:00:00.000Z';
const EARLY = '2029-01-01T00:00:00.000Z';
const message = (text: string) => ({ message: text });

test('a hook that violates a check is refused with its message', async () => {
  const item = await createBooking(service);
  const path = `/bookings/${item.id}`;
  Object.assign(bookingHooks, {
    beforeCreate: async (values: object) => ({ ...values, starts_at: LATE, ends_at: EARLY }),
    beforeUpdate: async (values: object) => ({ ...values, status: 'confirmed', price: null }),
  });
  const body = await bookingBody(service);
  const keyed = { headers: { 'idempotency-key': 'once' }, body };
  const said = message('ends_at and starts_at: The end is after the start.');
  expect((await service.post('/bookings', body)).body).toMatchObject(said);
  for (const _ of [1, 2]) {
    const answer = await service.request('POST', `${API}/bookings`, keyed);
    expect(answer).toBeError(422, 'ends_at', 'starts_at');
    expect(answer.body).toMatchObject(said);
  }
  const refused = await service.patch(path, { title: 'Other' });
  expect(refused).toBeError(422, 'status', 'price');
  expect(refused.body).toMatchObject(
    message("status and price: status != 'confirmed' or price > 0.00 and price != null must hold."),
  );
  expect((await service.get(path)).body).toEqual(item);
});

test('violated checks are told together with other problems, but for those of invalid members', async () => {
  const body = { ...(await bookingBody(service)), starts_at: LATE, ends_at: EARLY, deposit: '5' };
  const all = await service.post('/bookings', { ...body, title: 5, nope: 1 });
  expect(all).toBeError(422, 'nope', 'title', 'ends_at', 'starts_at', 'deposit', 'price');
  const some = await service.post('/bookings', { ...body, starts_at: 'x' });
  expect(some).toBeError(422, 'starts_at', 'deposit', 'price');
  expect(some.body).not.toMatchObject({ message: expect.stringContaining('ends_at') });
});

test('values are compared in their canonical form', async () => {
  const { id } = await createUser(service);
  const body = { ...(await bookingBody(service)), starts_at: '2026-01-31T12:00:00.000Z' };
  const same = { ...body, ends_at: '2026-01-31T13:00:00+01:00' };
  expect(await service.post('/bookings', same)).toBeError(422, 'ends_at');
  const later = {
    ...body,
    ends_at: '2026-01-31T13:00:00.000001+01:00',
    deposit: '1',
    price: '1.0',
  };
  expect(await service.post('/bookings', later)).toHaveStatus(201);
  const ids = { ...body, host_id: id, guest_id: id.toUpperCase() };
  expect(await service.post('/bookings', ids)).toBeError(422, 'guest_id', 'host_id');
});

test.each([
  ["'infinity'", { starts_at: '9999-12-31T23:59:59.000Z' }, 200],
  ["'0044-03-15 12:00:00+00 BC'", { starts_at: LATE }, 422],
])(
  'the database judges the timestamp %s, which only SQL can write',
  async (time, patch, status) => {
    const { id } = await createBooking(service);
    await service.database.query(
      {
        text: `update "bookings" set "starts_at" = '-infinity', "ends_at" = ${time} where "id" = $1`,
      },
      [id],
    );
    // Plain requests: no document has such times.
    const statusOf = async (body: object) => {
      const url = `http://127.0.0.1:${service.port}${API}/bookings/${id}`;
      const headers = {
        authorization: service.credential ?? '',
        'content-type': 'application/json',
      };
      return (await fetch(url, { method: 'PATCH', headers, body: JSON.stringify(body) })).status;
    };
    expect(await statusOf({ title: 'Other' })).toBe(200);
    expect(await statusOf(patch)).toBe(status);
  },
);

test('SQL cannot violate a check', async () => {
  const { id } = await createBooking(service);
  const text = 'update "bookings" set "ends_at" = "starts_at" where "id" = $1';
  await expect(service.database.query({ text }, [id])).rejects.toMatchObject({
    code: '23514',
    constraint: 'bookings__ends_after_start__rule',
  });
});
