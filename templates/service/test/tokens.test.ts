/** Access tokens. */
import { beforeEach, describe, expect, test } from 'vitest';

import { basic, createUser } from './support/items/users.ts';
import type { User } from './support/items/users.ts';
import { A_TIME, AN_ID, NO_ID } from './support/expected.ts';
import { readForthAndBack } from './support/lists.ts';
import { API, sharedService } from './support/service.ts';
import type { Item, TestService } from './support/service.ts';

interface Token extends Item {
  readonly name: string | null;
  readonly expires_at: string | null;
  readonly token: string;
}

const service = await sharedService();
const { user: me, own: mine } = await signUp();
const { own: other } = await signUp();

beforeEach(() => service.clear());

/** Creates a user. @returns it with a client that sends its password. */
async function signUp(): Promise<{ user: User; own: TestService }> {
  const user = await createUser(service);
  return { user, own: service.as(basic(user.username)) };
}

/** The `Authorization` header of a token. */
const bearer = ({ token }: Token): string => `Bearer ${token}`;

/** A timestamp this many seconds from now. */
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

describe('POST', () => {
  test('creates a token, and returns its secret', async () => {
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

  test('requires no member, and returns a new secret each time', async () => {
    const first = await mine.create<Token>('/tokens', {});
    expect(first).toMatchObject({ name: null, expires_at: null });
    const second = await mine.create<Token>('/tokens', {});
    expect(second.token).not.toBe(first.token);
  });

  test('requires a username and password, not a token (403)', async () => {
    const token = await mine.create<Token>('/tokens', {});
    expect(await service.as(bearer(token)).post('/tokens', {})).toBeError(403);
    expect(await service.as(bearer(token)).post('/tokens', { name: 1 })).toBeError(403);
    // This client sends the token of an administrator.
    expect(await service.post('/tokens', {})).toBeError(403);
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
  ])('refuses %s: %j (422)', async (member, value) => {
    expect(await mine.post('/tokens', { [member]: value })).toBeError(422, member);
  });

  test('accepts a name of 100 characters', async () => {
    expect(await mine.post('/tokens', { name: '🔑'.repeat(100) })).toHaveStatus(201);
  });
});

describe('GET', () => {
  test('returns a token without its secret', async () => {
    const { token, ...rest } = await mine.create<Token>('/tokens', { name: 'shown once' });
    const answer = await mine.get(`/tokens/${rest.id}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual(rest);
    expect(JSON.stringify((await mine.get('/tokens')).body)).not.toContain(token);
  });

  test('lists the tokens of the caller, page by page', async () => {
    const { own: client } = await signUp();
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) ids.push((await client.create('/tokens', {})).id);
    await other.create('/tokens', {});
    expect(await readForthAndBack(client, '/tokens?limit=2')).toEqual({ forth: ids, back: ids });
    const answer = await client.get('/tokens?count=true');
    expect(answer.headers.get('total-count')).toBe(String(ids.length));
    const falling = await client.get<Item[]>('/tokens?sort=-created_at');
    expect(falling.body.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test('refuses cursors of other users (400)', async () => {
    for (let at = 0; at < 2; at++) await mine.create('/tokens', {});
    const page = await mine.get('/tokens?limit=1');
    const [, next = ''] = /<([^<>]*)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? [];
    expect(await mine.request('GET', next)).toHaveStatus(200);
    expect(await other.request('GET', next)).toBeError(400, 'cursor');
  });
});

describe('the filter user_id', () => {
  test('lists the tokens of a user for administrators', async () => {
    const { user, own } = await signUp();
    const ids: string[] = [];
    for (let at = 0; at < 3; at++) ids.push((await own.create('/tokens', {})).id);
    const path = `/tokens?user_id=${user.id}&limit=2`;
    expect(await readForthAndBack(service, path)).toEqual({ forth: ids, back: ids });
    const listed = await service.get<Item[]>(path);
    expect(JSON.stringify(listed.body)).not.toContain('hash');
    expect((await service.get(`/tokens?user_id=${NO_ID}`)).body).toEqual([]);
    expect(await service.get('/tokens?user_id=me')).toBeError(400, 'user_id');
    // Without it the list is the administrator's own.
    const { body } = await service.get<Item[]>('/tokens');
    expect(body.filter(({ id }) => ids.includes(id))).toEqual([]);
  });

  test('is limited to the own user for others (403)', async () => {
    const { user } = await signUp();
    for (const query of [
      `user_id=${user.id}`,
      `user_id[in]=${me.id},${user.id}`,
      `user_id[ne]=${me.id}`,
      'user_id[null]=false',
    ]) {
      expect(await mine.get(`/tokens?${query}`)).toBeError(403);
    }
    const { id } = await mine.create('/tokens', {});
    for (const query of [`user_id=${me.id}`, `user_id[in]=${me.id}`]) {
      const own = await mine.get<Item[]>(`/tokens?${query}`);
      expect(own.body.map((token) => token.id)).toContain(id);
    }
  });
});

describe('DELETE', () => {
  test('revokes a token at once', async () => {
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

  test('lets a token revoke itself', async () => {
    const token = await mine.create<Token>('/tokens', {});
    expect(await service.as(bearer(token)).delete(`/tokens/${token.id}`)).toHaveStatus(204);
    expect(await service.as(bearer(token)).get('/tokens')).toBeError(401);
  });
});

test('refuses a token after expires_at (401)', async () => {
  const token = await mine.create<Token>('/tokens', { expires_at: inSeconds(60) });
  expect(await service.as(bearer(token)).get('/tokens')).toHaveStatus(200);
  await service.database.query(
    { text: `update "tokens" set "expires_at" = now() where "id" = $1` },
    [token.id],
  );
  expect(await service.as(bearer(token)).get('/tokens')).toBeError(401);
});

test.each(['PUT', 'PATCH'])('refuses %s on tokens (405)', async (method) => {
  const { id } = await mine.create('/tokens', {});
  const answer = await mine.request(method, `${API}/tokens/${id}`, { body: {} });
  expect(answer).toBeError(405);
  expect(answer.headers.get('allow')).toBe('GET, HEAD, DELETE, OPTIONS');
});

test('refuses access to tokens of other users, except for administrators (403)', async () => {
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
