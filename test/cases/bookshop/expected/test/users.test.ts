/** Users: administrators manage them, and users change their own password. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { beforeEach, describe, expect, test } from 'vitest';

import { ADMINISTRATOR, basic, createUser, PASSWORD, userBody } from './support/items/users.ts';
import type { User } from './support/items/users.ts';
import { A_TIME, AN_ID, NO_ID } from './support/expected.ts';
import { linksOf, readAll } from './support/lists.ts';
import { ACCEPT, API, sharedService } from './support/service.ts';

const byToken = await sharedService();
/** The administrator with a username and password: a token neither sets passwords nor creates administrators. */
const service = byToken.as(ADMINISTRATOR);

beforeEach(() => service.clear());

/** Creates a user. @returns it with its path and a client that sends its password. */
async function signUp(members: object = {}) {
  const user = await createUser(service, members);
  return { user, path: `/users/${user.id}`, own: service.as(basic(user.username)) };
}

describe('an administrator', () => {
  test('creates users, and cannot read their password', async () => {
    const body = userBody({ roles: ['admin', 'editor'] });
    const answer = await service.post<User>('/users', body);
    expect(answer).toHaveStatus(201);
    expect(answer.body).toEqual({
      id: AN_ID,
      username: body.username,
      roles: ['admin', 'editor'],
      created_at: A_TIME,
      updated_at: A_TIME,
    });
    expect(answer.headers.get('location')).toBe(`${API}/users/${answer.body.id}`);
    const one = await service.get(`/users/${answer.body.id}`);
    expect(one.body).toEqual(answer.body);
    expect(await readAll(service, '/users')).toContainEqual(answer.body);
    expect(await service.get('/users?fields=password')).toBeError(400, 'fields');
    expect(await service.get('/users?password_hash=x')).toBeError(400, 'password_hash');
  });

  test('creates users without roles by default', async () => {
    expect((await createUser(service)).roles).toEqual([]);
  });

  test.each<[member: string, value: unknown]>([
    ['username', ''],
    ['username', 'x'.repeat(101)],
    ['username', 'with:colon'],
    ['username', 'with\ncontrol'],
    ['username', null],
    ['password', 'seven c'],
    ['password', 'x'.repeat(201)],
    ['password', 'with a\u0000control'],
    ['password', null],
    ['roles', ['nobody-has-this']],
    ['roles', ['owner']],
    ['roles', ['admin', 'admin']],
    ['roles', 'admin'],
    ['password_hash', 'x'],
    ['id', NO_ID],
  ])('refuses %s: %j (422)', async (member, value) => {
    const answer = await service.post('/users', userBody({ [member]: value }));
    // For entries of a list, the message names `roles[0]`, not the member alone.
    expect(answer).toBeError(422);
    expect(answer.body).toHaveProperty('message', expect.stringContaining(member));
    const { path } = await signUp();
    expect(await service.patch(path, { [member]: value })).toBeError(422);
  });

  test.each(['username', 'password'])('POST requires %s', async (member) => {
    const { [member]: _left, ...body } = userBody() as Record<string, unknown>;
    expect(await service.post('/users', body)).toBeError(422, member);
  });

  test('does not repeat a refused password in the message', async () => {
    const password = '\u0007seven times seven';
    const answer = await service.post('/users', userBody({ password }));
    expect(JSON.stringify(answer.body)).not.toContain('seven times');
  });

  test.each(['x'.repeat(100), 'ünïcödé 🦄', ' a b ', "'; drop table users; --"])(
    'accepts the username %s',
    async (username) => {
      const { user, path, own } = await signUp({ username });
      expect((await own.get(path)).body).toEqual(user);
      expect(await service.delete(path)).toHaveStatus(204);
    },
  );

  test('keeps usernames unique (409), until the user is removed', async () => {
    const { user, path } = await signUp();
    const { username } = user;
    expect(await service.post('/users', userBody({ username }))).toBeError(409, 'username');
    const { path: second } = await signUp();
    expect(await service.patch(second, { username })).toBeError(409, 'username');
    expect(await service.delete(path)).toHaveStatus(204);
    const again = await service.post<User>('/users', userBody({ username }));
    expect(again).toHaveStatus(201);
    expect(again.body.id).not.toBe(user.id);
  });

  test.each([
    ['a', 'ａ'],
    ['ﬁle', 'file'],
    ['é', 'e\u0301'],
    ['Ⅳ', 'IV'],
    ['a b', 'a\u00A0b'],
    ['zero width', 'zero\u200B width'],
    ['soft', 'so\u00ADft'],
    ['marked', '\u2066marked\u2069'],
    ['tagged', 'tagged\u{E0041}'],
    ['heart', 'heart\uFE0F'],
  ])('refuses a username that only looks like another: %j and %j (409)', async (one, other) => {
    const name = userBody().username;
    const [username, alike] = [name + one, name + other];
    expect(await service.post('/users', userBody({ username }))).toHaveStatus(201);
    expect(await service.post('/users', userBody({ username: alike }))).toBeError(409, 'username');
    const { path } = await signUp();
    expect(await service.patch(path, { username: alike })).toBeError(409, 'username');
    expect(await service.as(basic(alike)).get('/users')).toBeError(401);
  });

  test.each([
    ['a', 'A'],
    ['a', 'а'],
    ['a b', 'ab'],
  ])('has users with different names: %j and %j', async (one, other) => {
    const name = userBody().username;
    for (const username of [name + one, name + other]) {
      expect(await service.post('/users', userBody({ username }))).toHaveStatus(201);
    }
  });

  test('creates no administrator and sets no password with a token (403)', async () => {
    const { user, path } = await signUp();
    const administrator = userBody({ roles: ['admin'] });
    expect(await byToken.post('/users', administrator)).toBeError(403, 'password');
    expect(await service.post('/users', administrator)).toHaveStatus(201);
    const { username } = user;
    for (const change of [
      () => byToken.patch(path, { roles: ['admin'] }),
      () => byToken.patch(path, { password: PASSWORD }),
      () => byToken.put(path, { username, password: PASSWORD }),
    ]) {
      expect(await change()).toBeError(403, 'password');
    }
    expect((await service.get(path)).body).toEqual(user);
    expect(await byToken.post('/users', userBody())).toHaveStatus(201);
    expect(await byToken.patch(path, { username: `${username} II` })).toHaveStatus(200);
    expect(await service.patch(path, { roles: ['admin'] })).toHaveStatus(200);
    expect(await byToken.patch(path, { roles: ['admin'] })).toHaveStatus(200);
    expect(await byToken.patch(path, { roles: [] })).toHaveStatus(200);
  });

  test('updates usernames, passwords and roles', async () => {
    const { user, path } = await signUp();
    const username = `${user.username} II`;
    const replaced = await service.put(path, { username, password: 'set by an administrator' });
    expect(replaced).toHaveStatus(200);
    expect(replaced.body).toEqual({ ...user, username, updated_at: A_TIME });
    const own = service.as(basic(username, 'set by an administrator'));
    expect(await own.get('/users')).toBeError(403);
    expect(await service.patch(path, { roles: ['admin'] })).toHaveStatus(200);
    expect(await own.get('/users')).toHaveStatus(200);
    expect(await service.patch(path, { roles: [] })).toHaveStatus(200);
    expect(await own.get('/users')).toBeError(403);
  });

  test('filters and sorts users by name', async () => {
    const { user } = await signUp();
    const found = await service.get(`/users?username=${user.username}&count=true`);
    expect(found.body).toEqual([user]);
    expect(found.headers.get('total-count')).toBe('1');
    const names = (await readAll(service, '/users?sort=username')) as unknown as User[];
    expect(names.map(({ username }) => username)).toEqual(
      names.map(({ username }) => username).toSorted(),
    );
  });

  test('a cursor is valid with the filters in another order', async () => {
    await signUp();
    const [one, other] = ['username[ne]=nobody', 'username[gte]=a'];
    const { next = '' } = linksOf(await service.get(`/users?limit=1&${one}&${other}`));
    const cursor = new URLSearchParams(next.split('?')[1]).get('cursor');
    const page = await service.get(`/users?limit=1&${other}&${one}&cursor=${cursor}`);
    expect(page).toHaveStatus(200);
  });

  test('refuses more than 100 values of in, and a sort key twice (400)', async () => {
    const values = Array.from({ length: 100 }, (_one, at) => `user-${at}`).join(',');
    expect(await service.get(`/users?username[in]=${values}`)).toHaveStatus(200);
    expect(await service.get(`/users?username[in]=${values},last`)).toBeError(400, 'username[in]');
    expect(await service.get('/users?sort=username,-username')).toBeError(400, 'sort');
    expect(await service.get('/users?sort=username&sort=-username')).toBeError(400, 'sort');
  });
});

describe('users', () => {
  test('can read themselves, and no others (403)', async () => {
    const { user, path, own } = await signUp();
    const { path: other } = await signUp();
    expect((await own.get(path)).body).toEqual(user);
    expect(await own.get(other)).toBeError(403);
    expect(await own.get('/users')).toBeError(403);
    expect(await own.get(`/users?username=${user.username}`)).toBeError(403);
    expect(await own.post('/users', userBody())).toBeError(403);
    expect(await own.patch(other, { password: 'taken over' })).toBeError(403);
    expect(await own.put(other, userBody())).toBeError(403);
    expect(await own.delete(other)).toBeError(403);
    expect(await own.delete(path)).toBeError(403);
  });

  test('can change their own password, which takes effect at once', async () => {
    const { user, path, own } = await signUp();
    expect(await own.get(path)).toHaveStatus(200);
    const answer = await own.patch(path, { password: 'pässwörd: changed 🔒' });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({ ...user, updated_at: A_TIME });
    expect(await own.get(path)).toBeError(401);
    const changed = service.as(basic(user.username, 'pässwörd: changed 🔒'));
    expect(await changed.get(path)).toHaveStatus(200);
    const { username, roles } = user;
    expect(await changed.put(path, { username, roles, password: PASSWORD })).toHaveStatus(200);
    expect(await changed.get(path)).toBeError(401);
    expect(await own.get(path)).toHaveStatus(200);
  });

  test('cannot change their own password with a token (403)', async () => {
    const { user, path, own } = await signUp({ roles: ['admin'] });
    const { token } = await own.create<User & { token: string }>('/tokens', {});
    const withToken = service.as(`Bearer ${token}`);
    expect(await withToken.patch(path, { password: 'a new password' })).toBeError(403);
    const { username, roles } = user;
    expect(await withToken.put(path, { username, roles, password: PASSWORD })).toBeError(403);
    expect(await withToken.patch(path, { roles })).toHaveStatus(200);
  });

  test.each<[who: string, isOwn: boolean]>([
    ['the user', true],
    ['an administrator', false],
  ])('a password change by %s revokes the tokens of that user only', async (_who, isOwn) => {
    const { path, own } = await signUp();
    const { path: otherPath, own: other } = await signUp();
    const tokenOf = async (client: typeof own) => {
      const { token } = await client.create<User & { token: string }>('/tokens', {});
      return service.as(`Bearer ${token}`);
    };
    const [first, second, others] = [await tokenOf(own), await tokenOf(own), await tokenOf(other)];
    expect(await own.patch(path, {})).toHaveStatus(200);
    expect(await first.get(path)).toHaveStatus(200);
    const client = isOwn ? own : service;
    expect(await client.patch(path, { password: 'a new password' })).toHaveStatus(200);
    expect(await first.get(path)).toBeError(401);
    expect(await second.get(path)).toBeError(401);
    expect(await others.get(otherPath)).toHaveStatus(200);
  });

  test('get no token if the password changes while the request arrives (401)', async () => {
    const { user, path, own } = await signUp();
    const socket = connect(service.port, '127.0.0.1');
    const head = [
      `POST ${API}/tokens HTTP/1.1`,
      'Host: x',
      `Accept: ${ACCEPT}`,
      'Content-Type: application/json',
      `Authorization: ${basic(user.username)}`,
      'Content-Length: 2',
      'Connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n{`);
    // The password is checked before the body is read.
    await expect.poll(() => service.app.inFlight()).toBe(1);
    expect(await own.get(path)).toHaveStatus(200);
    expect(await service.patch(path, { password: 'a new password' })).toHaveStatus(200);
    socket.write('}');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /);
    const changed = service.as(basic(user.username, 'a new password'));
    expect((await changed.get('/tokens')).body).toEqual([]);
  });

  test.each<[member: string, value: unknown]>([
    ['roles', ['admin']],
    ['username', 'another name'],
  ])('cannot change their own %s (403)', async (member, value) => {
    const { user, path, own } = await signUp();
    expect(await own.patch(path, { [member]: value })).toBeError(403);
    expect(await own.patch(path, { [member]: value, password: 'a new password' })).toBeError(403);
    const { username, roles } = user;
    const whole = { username, roles, password: PASSWORD, [member]: value };
    expect(await own.put(path, whole)).toBeError(403);
    expect((await own.get(path)).body).toEqual(user);
  });

  test('may repeat their own username and roles', async () => {
    const { user, path, own } = await signUp({ roles: ['admin'] });
    expect(await service.patch(path, { roles: [] })).toHaveStatus(200);
    const { username } = user;
    expect(await own.patch(path, { username, roles: [] })).toHaveStatus(200);
    expect(await own.patch(path, { roles: user.roles })).toBeError(403);
  });
});

describe('a removed user', () => {
  test('answers 410, and their credentials are refused (401)', async () => {
    const { path, own } = await signUp();
    const { token } = await own.create<User & { token: string }>('/tokens', {});
    const withToken = service.as(`Bearer ${token}`);
    expect(await withToken.get(path)).toHaveStatus(200);
    expect(await service.delete(path)).toHaveStatus(204);
    expect(await own.get(path)).toBeError(401);
    expect(await withToken.get(path)).toBeError(401);
    expect(await service.get(path)).toBeError(410);
    expect(await service.patch(path, {})).toBeError(410);
    expect(await service.delete(path)).toBeError(410);
    expect(await service.get(`/users/${NO_ID}`)).toBeError(404);
  });
});

test('refuses cursors of other filters and paths (400)', async () => {
  await createUser(service);
  const { next = '' } = linksOf(await service.get('/users?limit=1'));
  expect(await service.request('GET', next)).toHaveStatus(200);
  expect(await service.request('GET', `${next}&username=root`)).toBeError(400, 'cursor');
  expect(await service.request('GET', next.replace('/users?', '/tokens?'))).toBeError(
    400,
    'cursor',
  );
  const { next: filtered = '' } = linksOf(await service.get('/users?limit=1&username[ne]=nobody'));
  expect(await service.request('GET', filtered)).toHaveStatus(200);
  const other = filtered.replace('nobody', 'somebody');
  expect(await service.request('GET', other)).toBeError(400, 'cursor');
});

test('names read-only members (422)', async () => {
  const answer = await service.post('/users', {
    ...userBody(),
    id: AN_ID,
    created_at: '2026-01-31T12:00:00Z',
  });
  expect(answer).toBeError(422, 'id is read-only; created_at is read-only');
});
