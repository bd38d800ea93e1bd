/** Tokens: what is shown in place of a password. */
import { beforeEach, describe, expect, test } from 'vitest';

import { basic, createUser } from './fixtures/users.ts';
import { makeCaller } from './support/callers.ts';
import { A_TIME, AN_ID, NO_ID } from './support/expected.ts';
import { readForthAndBack } from './support/lists.ts';
import { API, startService } from './support/service.ts';
import type { Item } from './support/service.ts';

interface Token extends Item {
  readonly name: string | null;
  readonly expires_at: string | null;
  readonly token: string;
}

const service = await startService();
const mine = (await makeCaller(service, 'mine')).service;
const other = (await makeCaller(service, 'other')).service;

beforeEach(() => service.clear());

/** What `Authorization` shows of a token. */
const bearer = ({ token }: Token): string => `Bearer ${token}`;

/** A time so many seconds from now. */
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

describe('POST', () => {
  test('makes a token, and shows its secret', async () => {
    const body = { name: 'for the night shift', expires_at: inSeconds(3600) };
    const answer = await mine.post<Token>('/tokens', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      id: AN_ID,
      ...body,
      created_at: A_TIME,
      updated_at: A_TIME,
      token: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('location')).toBe(`${API}/tokens/${answer.body.id}`);
    expect(await service.as(bearer(answer.body)).get('/tokens')).toHaveStatus(200);
  });

  test('needs nothing but a credential', async () => {
    const { username } = await createUser(service);
    const asking = service.as(basic(username));
    const first = await asking.create<Token>('/tokens', {});
    expect(first).toMatchObject({ name: null, expires_at: null });
    const second = await service.as(bearer(first)).create<Token>('/tokens', {});
    expect(second.token).not.toBe(first.token);
    expect(await service.as(undefined).post('/tokens', {})).toBeError(401);
  });

  test.each<[member: string, value: unknown]>([
    ['name', ''],
    ['name', 'x'.repeat(101)],
    ['name', 1],
    ['expires_at', '2020-01-01T00:00:00Z'],
    ['expires_at', 'tomorrow'],
    ['token', 'of-my-own-choice'],
    ['user_id', NO_ID],
  ])('%s cannot be %j', async (member, value) => {
    expect(await mine.post('/tokens', { [member]: value })).toBeError(422, member);
  });

  test('a name may have a hundred characters', async () => {
    expect(await mine.post('/tokens', { name: '🔑'.repeat(100) })).toHaveStatus(201);
  });
});

describe('GET', () => {
  test('answers one without its secret', async () => {
    const { token, ...rest } = await mine.create<Token>('/tokens', { name: 'shown once' });
    const answer = await mine.get(`/tokens/${rest.id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual(rest);
    expect(JSON.stringify((await mine.get('/tokens')).body)).not.toContain(token);
  });

  test('lists the tokens of the caller, page by page', async () => {
    const asking = (await makeCaller(service, 'many')).service;
    const before = (await asking.get<Item[]>('/tokens')).body.map(({ id }) => id);
    const made: string[] = [];
    for (let at = 0; at < 4; at++) made.push((await asking.create('/tokens', {})).id);
    await other.create('/tokens', {});
    const ids = [...before, ...made];
    expect(await readForthAndBack(asking, '/tokens?limit=2')).toEqual({ forth: ids, back: ids });
    const answer = await asking.get('/tokens?count=true');
    expect(answer.headers.get('total-count')).toBe(String(ids.length));
    const falling = await asking.get<Item[]>('/tokens?sort=-created_at');
    expect(falling.body.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test("a page's link is the caller's alone", async () => {
    for (let at = 0; at < 2; at++) await mine.create('/tokens', {});
    const page = await mine.get('/tokens?limit=1');
    const [, next = ''] = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? [];
    expect(await mine.request('GET', next)).toHaveStatus(200);
    expect(await other.request('GET', next)).toBeError(400, 'cursor');
  });
});

describe('DELETE', () => {
  test('revokes at once', async () => {
    const token = await mine.create<Token>('/tokens', {});
    const showing = service.as(bearer(token));
    expect(await showing.get('/tokens')).toHaveStatus(200);
    expect(await mine.delete(`/tokens/${token.id}`)).toHaveStatus(204);
    const answer = await showing.get('/tokens');
    expect(answer).toBeError(401);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    expect(await mine.get(`/tokens/${token.id}`)).toBeError(410);
    expect(await mine.delete(`/tokens/${token.id}`)).toBeError(410);
  });

  test('a token may revoke itself', async () => {
    const token = await mine.create<Token>('/tokens', {});
    expect(await service.as(bearer(token)).delete(`/tokens/${token.id}`)).toHaveStatus(204);
    expect(await service.as(bearer(token)).get('/tokens')).toBeError(401);
  });
});

test('a token ends when its time has come', async () => {
  const token = await mine.create<Token>('/tokens', { expires_at: inSeconds(60) });
  expect(await service.as(bearer(token)).get('/tokens')).toHaveStatus(200);
  await service.database.query(
    { text: `update "tokens" set "expires_at" = now() where "id" = $1` },
    [token.id],
  );
  expect(await service.as(bearer(token)).get('/tokens')).toBeError(401);
});

test.each(['PUT', 'PATCH'])('%s is not for tokens', async (method) => {
  const { id } = await mine.create('/tokens', {});
  const answer = await mine.request(method, `${API}/tokens/${id}`, { body: {} });
  expect(answer).toBeError(405);
  expect(answer.headers.get('allow')).toBe('GET, HEAD, DELETE, OPTIONS');
});

test("another's token is an administrator's affair", async () => {
  const token = await mine.create<Token>('/tokens', {});
  const path = `/tokens/${token.id}`;
  expect(await other.get(path)).toBeError(403);
  expect(await other.delete(path)).toBeError(403);
  expect(await service.as(bearer(token)).get(path)).toHaveStatus(200);
  expect(await service.get(path)).toHaveStatus(200);
  expect(await service.delete(path)).toHaveStatus(204);
  expect(await other.get(path)).toBeError(410);
  expect(await other.get(`/tokens/${NO_ID}`)).toBeError(404);
});
