/** Rules and values that only SQL can add: triggers and checks, and timestamps beyond RFC 3339. */
import { expect, test } from 'vitest';

import { ADMINISTRATOR, createUser, userBody } from './support/items/users.ts';
import { A_TIME } from './support/expected.ts';
import { API, sharedService } from './support/service.ts';
import { RULE_WORDS, withRule } from './support/rules.ts';

const service = (await sharedService()).as(ADMINISTRATOR);
const { database } = service;
const TABLE = '"users"';
const PATH = `${API}/users`;

/** What a GET returns, also where the OpenAPI document does not have it. */
async function bodyOf(path: string): Promise<unknown> {
  const headers = { authorization: service.credential ?? '' };
  return (await fetch(`http://127.0.0.1:${service.port}${path}`, { headers })).json();
}

// SQLSTATE codes: PostgreSQL documentation, appendix A.
test.each([
  ['22001', 'a too long string', 422],
  ['22003', 'a number out of range', 422],
  ['22P02', 'an invalid text representation', 422],
  ['23502', 'a not-null violation', 422],
  ['23503', 'a foreign key violation', 422],
  ['23514', 'a check violation', 422],
  ['54000', 'a limit of the server', 422],
  ['P0001', 'raise exception', 422],
  ['U0001', 'raise with a custom code', 422],
  ['23505', 'a unique violation', 409],
  ['23P01', 'an exclusion violation', 409],
])('answers SQLSTATE %s (%s) with %i', async (code, _rule, status) => {
  const item = await createUser(service);
  const body = userBody();
  const path = `${PATH}/${item.id}`;
  const keyed = { headers: { 'idempotency-key': code }, body };
  await withRule(database, TABLE, code, async () => {
    const removal = await service.request('DELETE', path);
    expect(removal).toBeError(409);
    const answers = [
      await service.request('POST', PATH, { body }),
      await service.request('POST', PATH, keyed),
      await service.request('PUT', path, { body }),
      await service.request('PATCH', path, { body: {} }),
    ];
    for (const answer of answers) expect(answer).toBeError(status);
    for (const { body: payload } of [removal, ...answers]) {
      expect(payload).not.toHaveProperty('message', expect.stringContaining(RULE_WORDS));
    }
  });
  expect((await service.request('GET', path)).body).toEqual(item);
  expect(await service.request('POST', PATH, keyed)).toHaveStatus(201);
});

test('answers a trigger that stores nothing, and raises no error, with 422 and 409', async () => {
  const item = await createUser(service);
  const body = userBody();
  const path = `${PATH}/${item.id}`;
  await withRule(database, TABLE, null, async () => {
    expect(await service.request('POST', PATH, { body })).toBeError(422);
    expect(await service.request('PUT', path, { body })).toBeError(422);
    expect(await service.request('PATCH', path, { body: {} })).toBeError(422);
    expect(await service.request('DELETE', path)).toBeError(409);
  });
  expect((await service.request('GET', path)).body).toEqual(item);
});

test.each([
  'infinity',
  '-infinity',
  '0044-03-15 12:00:00+00 BC',
  '0044-03-15 12:00:00.123+00 BC',
  '12026-01-31 12:00:00+00',
  '12026-01-31 12:00:00.12345+00',
])('returns the timestamp %s as PostgreSQL writes it', async (time) => {
  const item = await createUser(service);
  const text = `update ${TABLE} set "created_at" = $2 where "id" = $1`;
  await database.query({ text }, [item.id, time]);
  const stored = { ...item, created_at: time, updated_at: A_TIME };
  expect(await bodyOf(`${PATH}/${item.id}`)).toEqual(stored);
  expect(await bodyOf(`${PATH}?username=${item.username}`)).toEqual([stored]);
  // The returned text can be written back unchanged.
  const again = await database.query({ text: `${text} and "created_at" = $2 returning 1` }, [
    item.id,
    time,
  ]);
  expect(again).toHaveLength(1);
});
