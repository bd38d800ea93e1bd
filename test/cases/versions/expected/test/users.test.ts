/** Users: administrators manage them, and each looks after their own password. */
import { beforeEach, describe, expect, test } from 'vitest';

import { basic, createUser, PASSWORD, userBody } from './fixtures/users.ts';
import type { User } from './fixtures/users.ts';
import { A_TIME, AN_ID, NO_ID } from './support/expected.ts';
import { readAll } from './support/lists.ts';
import { API, startService } from './support/service.ts';

const service = await startService();

beforeEach(() => service.clear());

/** A new user, and the service as they see it. */
async function signUp(given: object = {}) {
  const user = await createUser(service, given);
  return { user, path: `/users/${user.id}`, own: service.as(basic(user.username)) };
}

describe('an administrator', () => {
  test('creates users, whose password nobody reads', async () => {
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

  test('a user has no roles but those they are given', async () => {
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
  ])('%s cannot be %j', async (member, value) => {
    const answer = await service.post('/users', userBody({ [member]: value }));
    // Of a list the message names the entry.
    expect(answer).toBeError(422);
    expect(answer.body).toHaveProperty('message', expect.stringContaining(member));
    const { path } = await signUp();
    expect(await service.patch(path, { [member]: value })).toBeError(422);
  });

  test.each(['username', 'password'])('POST needs %s', async (member) => {
    const { [member]: _left, ...body } = userBody() as Record<string, unknown>;
    expect(await service.post('/users', body)).toBeError(422, member);
  });

  test('no answer repeats a password that was refused', async () => {
    const password = '\u0007seven times seven';
    const answer = await service.post('/users', userBody({ password }));
    expect(JSON.stringify(answer.body)).not.toContain('seven times');
  });

  test.each(['x'.repeat(100), 'ünïcödé 🦄', ' a b ', "'; drop table users; --"])(
    'the username %s is one',
    async (username) => {
      const { user, path, own } = await signUp({ username });
      expect((await own.get(path)).body).toEqual(user);
      expect(await service.delete(path)).toHaveStatus(204);
    },
  );

  test('a username is unique, until its user is removed', async () => {
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

  test('changes usernames, passwords and roles', async () => {
    const { user, path } = await signUp();
    const username = `${user.username} II`;
    const replaced = await service.put(path, { username, password: 'set by somebody else' });
    expect(replaced).toHaveStatus(200);
    expect(replaced.body).toEqual({ ...user, username, updated_at: A_TIME });
    const own = service.as(basic(username, 'set by somebody else'));
    expect(await own.get('/users')).toBeError(403);
    expect(await service.patch(path, { roles: ['admin'] })).toHaveStatus(200);
    expect(await own.get('/users')).toHaveStatus(200);
    expect(await service.patch(path, { roles: [] })).toHaveStatus(200);
    expect(await own.get('/users')).toBeError(403);
  });

  test('finds users by their name, in order', async () => {
    const { user } = await signUp();
    const found = await service.get(`/users?username=${user.username}&count=true`);
    expect(found.body).toEqual([user]);
    expect(found.headers.get('total-count')).toBe('1');
    const names = (await readAll(service, '/users?sort=username')) as unknown as User[];
    expect(names.map(({ username }) => username)).toEqual(
      names.map(({ username }) => username).toSorted(),
    );
  });
});

describe('users themselves', () => {
  test('read their own, and nothing of others', async () => {
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

  test('change their own password, and the old one ends at once', async () => {
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

  test.each<[member: string, value: unknown]>([
    ['roles', ['admin']],
    ['username', 'somebody else'],
  ])('cannot change their own %s', async (member, value) => {
    const { user, path, own } = await signUp();
    expect(await own.patch(path, { [member]: value })).toBeError(403);
    expect(await own.patch(path, { [member]: value, password: 'a new password' })).toBeError(403);
    const { username, roles } = user;
    const whole = { username, roles, password: PASSWORD, [member]: value };
    expect(await own.put(path, whole)).toBeError(403);
    expect((await own.get(path)).body).toEqual(user);
  });

  test('may say their roles and username as they are', async () => {
    const { user, path, own } = await signUp({ roles: ['admin'] });
    expect(await service.patch(path, { roles: [] })).toHaveStatus(200);
    const { username } = user;
    expect(await own.patch(path, { username, roles: [] })).toHaveStatus(200);
    expect(await own.patch(path, { roles: user.roles })).toBeError(403);
  });
});

describe('a user who is removed', () => {
  test('is gone, with all that they could show', async () => {
    const { path, own } = await signUp();
    const { token } = await own.create<User & { token: string }>('/tokens', {});
    const showing = service.as(`Bearer ${token}`);
    expect(await showing.get(path)).toHaveStatus(200);
    expect(await service.delete(path)).toHaveStatus(204);
    expect(await own.get(path)).toBeError(401);
    expect(await showing.get(path)).toBeError(401);
    expect(await service.get(path)).toBeError(410);
    expect(await service.patch(path, {})).toBeError(410);
    expect(await service.delete(path)).toBeError(410);
    expect(await service.get(`/users/${NO_ID}`)).toBeError(404);
  });
});
