/** Bodies that arrive after their headers: rights that are lost meanwhile, the share of each client, and the minimum rate. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { inTurn } from '../src/platform/auth/passwords.ts';
import { openTestDatabase } from './support/database.ts';
import { ADMINISTRATOR, basic, createUser, PASSWORD, userBody } from './support/items/users.ts';
import { ACCEPT, API, startService } from './support/service.ts';
import { makeUser, setRoles } from './support/users.ts';

const database = await openTestDatabase();
afterAll(() => database.close());

/** Nothing happens before the body is sent. */
const nothing = async (): Promise<void> => {};

describe('rights are checked again once the body is there', async () => {
  const service = await startService({}, {}, database);
  let administrator: Awaited<ReturnType<typeof makeUser>>;
  beforeEach(async () => {
    administrator = await makeUser(database, `administrator-${Math.random()}`, ['admin']);
  });
  const caller = () => service.as(administrator.credential);
  const demote = () => setRoles(database, administrator.id, []);
  const remove = () => service.delete(`/users/${administrator.id}`);
  const revoke = () =>
    database.query({ text: 'delete from "tokens" where "user_id" = $1' }, [administrator.id]);
  const isThere = async (username: string): Promise<boolean> =>
    (await database.query({ text: 'select 1 from "users" where "username" = $1' }, [username]))
      .length > 0;

  test('a caller who keeps them writes', async () => {
    const user = userBody();
    expect(
      await caller().request('POST', `${API}/users`, { body: user, meanwhile: nothing }),
    ).toHaveStatus(201);
  });

  test.each([
    ['has lost the role', demote, 403],
    ['was removed', remove, 401],
    ['has a revoked token', revoke, 401],
  ] as const)('a caller who %s meanwhile writes nothing', async (_how, lose, status) => {
    const user = userBody();
    expect(
      await caller().request('POST', `${API}/users`, { body: user, meanwhile: lose }),
    ).toBeError(status);
    expect(await isThere(user.username)).toBe(false);
  });

  test.each(['PUT', 'PATCH', 'DELETE'])(
    '%s by a caller who has lost the role: 403',
    async (method) => {
      const user = await createUser(service);
      const answer = await caller().request(method, `${API}/users/${user.id}`, {
        body: userBody(),
        meanwhile: demote,
      });
      expect(answer).toBeError(403);
      expect((await service.get(`/users/${user.id}`)).body).toEqual(user);
    },
  );

  test.each(['POST', 'PUT', 'PATCH'])(
    '%s by an administrator who is removed while the password is hashed: 401',
    async (method) => {
      const { id, username } = await createUser(service, { ...userBody(), roles: ['admin'] });
      const leaving = service.as(basic(username));
      expect(await leaving.get('/users')).toHaveStatus(200);
      const user = await createUser(service);
      let release: (() => void) | undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      // Both slots are taken.
      const hashes = ['192.0.2.8', '192.0.2.9'].map((client) => inTurn(client, () => held));
      const body = userBody();
      const path = method === 'POST' ? `${API}/users` : `${API}/users/${user.id}`;
      const answer = leaving.request(method, path, { body });
      await expect.poll(() => service.app.inFlight()).toBe(1);
      expect(await service.delete(`/users/${id}`)).toHaveStatus(204);
      release?.();
      await Promise.all(hashes);
      expect(await answer).toBeError(401);
      expect(await isThere(body.username)).toBe(false);
      expect((await service.get(`/users/${user.id}`)).body).toEqual(user);
    },
  );

  test('a changed password is noticed', async () => {
    const { id, username } = await createUser(service);
    const own = service.as(basic(username));
    const administrators = service.as(ADMINISTRATOR);
    const change = () =>
      administrators.patch(`/users/${id}`, { password: 'another long password' });
    expect(await own.request('POST', `${API}/tokens`, { body: {}, meanwhile: change })).toBeError(
      401,
    );
    const patch = await service
      .as(basic(username, 'another long password'))
      .request('PATCH', `${API}/users/${id}`, { body: { password: PASSWORD }, meanwhile: nothing });
    expect(patch).toHaveStatus(200);
  });
});

/** Sends a POST with only the first byte of its body. */
function holdBody(port: number, credential: string | undefined, address: string): Socket {
  const head = [
    `POST ${API}/users HTTP/1.1`,
    'Host: x',
    `X-Forwarded-For: ${address}`,
    `Accept: ${ACCEPT}`,
    'Content-Type: application/json',
    `Authorization: ${credential}`,
    'Content-Length: 9999',
  ];
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head.join('\r\n')}\r\n\r\n{`);
  return socket;
}

/** The statuses of responses, as far as they have arrived. */
function statusesOf(sockets: readonly Socket[]): () => number[] {
  const statuses: number[] = [];
  for (const socket of sockets) {
    socket.on('data', (bytes: Buffer) => {
      statuses.push(Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1'))?.[1]));
    });
  }
  return () => statuses;
}

describe('incomplete bodies', async () => {
  const service = await startService({ TRUST_PROXY: '127.0.0.1' }, {}, database);
  const other = await makeUser(database, 'another administrator', ['admin']);

  test.each([
    ['of one address', () => '192.0.2.1'],
    ['of one user at many addresses', (at: number) => `192.0.2.${at + 1}`],
  ])(
    '200 %s occupy a tenth of the places, and no write of others is refused',
    async (_who, addressOf) => {
      const sockets = Array.from({ length: 200 }, (_value, at) =>
        holdBody(service.port, service.credential, addressOf(at)),
      );
      const statuses = statusesOf(sockets);
      await expect.poll(() => statuses().length).toBe(180);
      expect(new Set(statuses())).toEqual(new Set([429]));
      expect(service.app.arriving()).toBe(20);
      const headers = { 'x-forwarded-for': '198.51.100.1' };
      for (let round = 0; round < 5; round++) {
        const answer = await service
          .as(other.credential)
          .request('POST', `${API}/users`, { body: userBody(), meanwhile: nothing, headers });
        expect(answer).toHaveStatus(201);
      }
      for (const socket of sockets) socket.destroy();
      await expect.poll(() => service.app.arriving()).toBe(0);
      const again = await service.request('POST', `${API}/users`, {
        body: userBody(),
        meanwhile: nothing,
      });
      expect(again).toHaveStatus(201);
    },
  );

  test('get 408 below 1 KiB a second after 5 s', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const late = holdBody(service.port, service.credential, '192.0.2.1');
    const lively = holdBody(service.port, other.credential, '192.0.2.2');
    const statuses = statusesOf([late]);
    await expect.poll(() => service.app.arriving()).toBe(2);
    vi.advanceTimersByTime(5_000);
    lively.write(' '.repeat(1_200));
    // What was sent before is read before this is answered.
    expect(await service.get('/users')).toHaveStatus(200);
    expect(statuses()).toEqual([]);
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    await expect.poll(statuses).toEqual([408]);
    expect(service.app.arriving()).toBe(1);
    late.destroy();
    lively.destroy();
    await expect.poll(() => service.app.arriving()).toBe(0);
  });
});
