/** Credentials: what is taken for one, what is not, and who is told what. */
import { beforeEach, describe, expect, test } from 'vitest';

import { basic, createUser, PASSWORD } from './fixtures/users.ts';
import { makeCaller } from './support/callers.ts';
import { NO_ID } from './support/expected.ts';
import { sendRaw } from './support/raw.ts';
import { API, startService } from './support/service.ts';
import type { Answer } from './support/service.ts';

const service = await startService();
const stranger = service.as(undefined);
const caller = (await makeCaller(service, 'caller')).service;
const CREDENTIAL = caller.credential ?? '';
/** A list that every known caller reads. */
const PATH = '/tokens';

// Wrong credentials of one test are not counted against the next one.
beforeEach(() => service.clear());

const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');

/** Sends the header lines as they are, byte by byte. */
const ask = (path: string, ...headers: string[]): Promise<Answer> =>
  sendRaw(service.port, [
    `GET ${API}${path} HTTP/1.1`,
    `Host: 127.0.0.1:${service.port}`,
    'Connection: close',
    ...headers,
  ]);

/** Sends so many wrong passwords from this address. */
async function guess(times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    expect(await service.as(basic('nobody at all', `guess ${at}`)).get(PATH)).toBeError(401);
  }
}

/** Credentials that nobody has, or that are none. */
const WRONG: readonly (readonly [what: string, header: string])[] = [
  ['an unknown token', 'Bearer nonsense'],
  ['a token that is too long', `Bearer ${'x'.repeat(9000)}`],
  ['an unknown user', basic('nobody at all')],
  ['a wrong password', basic('administrator', 'not the password')],
  ['an empty password', basic('caller', '')],
  ['an empty username', basic('', PASSWORD)],
  ['Basic without a colon', `Basic ${base64('caller')}`],
  ['Basic that is not base64', 'Basic c@ller!'],
  ['Basic that is not UTF-8', `Basic ${base64(Uint8Array.of(0x61, 0x3a, 0xff, 0xfe))}`],
  ['Basic with NUL', `Basic ${base64('caller:\u0000')}`],
  ['Basic with a line break', `Basic ${base64('caller\r\n:x')}`],
  ['Basic with a long password', basic('caller', 'x'.repeat(6000))],
  ['Basic with nothing', 'Basic'],
  ['Bearer with nothing', 'Bearer'],
  ['an empty header', ''],
  ['another scheme', 'Digest username="caller"'],
  ['no scheme', CREDENTIAL.slice('Bearer '.length)],
  ['two in one', `${CREDENTIAL}, ${CREDENTIAL}`],
  ['something behind', `${CREDENTIAL} more`],
  ['letters beyond ASCII', 'Bearer pässwörd'],
  ['a scheme beyond ASCII', 'Bëarer nonsense'],
];

describe('a credential', () => {
  test('is asked for where one is needed', async () => {
    const answer = await stranger.get(PATH);
    expect(answer).toBeError(401);
    const challenge = answer.headers.get('www-authenticate');
    expect(challenge).toContain('Bearer');
    expect(challenge).toContain('Basic realm="library", charset="UTF-8"');
  });

  test.each(WRONG)('%s is none', async (_what, header) => {
    const answer = await ask(PATH, `Authorization: ${header}`);
    expect(answer).toBeError(401);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  });

  test('is not needed for all', async () => {
    expect(await stranger.get('/books')).toHaveStatus(200);
  });

  test.each(WRONG)('%s is refused even where none is needed', async (_what, header) => {
    expect(await ask('/books', `Authorization: ${header}`)).toBeError(401);
  });

  test('shown twice is shown not at all', async () => {
    const line = `Authorization: ${CREDENTIAL}`;
    expect(await ask(PATH, line)).toHaveStatus(200);
    expect(await ask(PATH, line, line)).toBeError(401);
    expect(await ask(PATH, line, 'Authorization: Bearer nonsense')).toBeError(401);
    expect(await ask(PATH, ...Array.from({ length: 50 }, () => line))).toBeError(401);
  });

  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('may be a token by %s', async (scheme) => {
    const header = CREDENTIAL.replace('Bearer', scheme);
    expect(await ask(PATH, `Authorization: ${header}`)).toHaveStatus(200);
    expect(await ask(PATH, `AUTHORIZATION:${header}  `)).toHaveStatus(200);
  });

  test.each(['Basic', 'basic', 'BASIC'])('may be a password by %s', async (scheme) => {
    const { username } = await createUser(service);
    const header = basic(username).replace('Basic', scheme);
    expect(await ask(PATH, `Authorization: ${header}`)).toHaveStatus(200);
    const bare = header.replace(/=+$/, '');
    expect(await ask(PATH, `Authorization: ${bare}`)).toHaveStatus(200);
  });

  test.each([
    'with:colons::',
    'pässwörd 🔒',
    '密码密码密码密码',
    ' blank at both ends ',
    `"'\\;--${'x'.repeat(190)}`,
  ])('may have the password %s', async (password) => {
    const { username } = await createUser(service, { password });
    expect(await service.as(basic(username, password)).get(PATH)).toHaveStatus(200);
    expect(await service.as(basic(username, `${password} `)).get(PATH)).toBeError(401);
    expect(await service.as(basic(username, password.slice(0, -1))).get(PATH)).toBeError(401);
  });

  test('is as it is written: letters have a case', async () => {
    const { username } = await createUser(service);
    expect(await service.as(basic(username, PASSWORD.toUpperCase())).get(PATH)).toBeError(401);
    expect(await service.as(basic(username.toUpperCase())).get(PATH)).toBeError(401);
    expect(await service.as(CREDENTIAL.toUpperCase()).get(PATH)).toBeError(401);
  });

  test('that is wrong is answered alike, whether there is such a user or not', async () => {
    const { username } = await createUser(service);
    const known = await service.as(basic(username, 'not the password')).get(PATH);
    const unknown = await service.as(basic('nobody at all', 'not the password')).get(PATH);
    expect(known).toBeError(401);
    expect(unknown).toBeError(401);
    expect(known.body).toHaveProperty('message', (unknown.body as { message: string }).message);
  });

  test('is not looked at where health is asked for', async () => {
    const answer = await service.as('Bearer nonsense').request('GET', '/health/live');
    expect(answer).toHaveStatus(200);
  });
});

describe('guessing', () => {
  test('is slowed for the address that it comes from', async () => {
    const { username } = await createUser(service);
    await guess(10);
    const answer = await service.as(basic('nobody at all', 'one more')).get(PATH);
    expect(answer).toBeError(429);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    // Even the right one is not tried, or guessing would go on.
    expect(await service.as(basic(username)).get(PATH)).toBeError(429);
  });

  test('does not shut out those who have shown their credential', async () => {
    const { username } = await createUser(service);
    expect(await service.as(basic(username)).get(PATH)).toHaveStatus(200);
    await guess(10);
    expect(await service.as(basic(username)).get(PATH)).toHaveStatus(200);
    expect(await caller.get(PATH)).toHaveStatus(200);
    expect(await service.as(basic(username, 'a guess')).get(PATH)).toBeError(429);
  });

  test('is forgotten after a while', async () => {
    await guess(10);
    await service.database.query({ text: `update "_attempts" set "until" = now()` });
    await guess(10);
    expect(await service.as(basic('nobody at all')).get(PATH)).toBeError(429);
  });

  test('leaves nothing behind of addresses whose time is over', async () => {
    await service.database.query({
      text: `insert into "_attempts" values ('192.0.2.1', 3, now()), ('192.0.2.2', 3, now() + interval '1 h')`,
    });
    await guess(1);
    const left = await service.database.query<{ address: string }>({
      text: `select "address" from "_attempts" where "address" like '192.0.2.%'`,
    });
    expect(left).toEqual([{ address: '192.0.2.2' }]);
  });
});

describe('of several errors', () => {
  test('what is wrong with the path or the method comes before 401', async () => {
    const liar = service.as('Bearer nonsense');
    for (const asking of [stranger, liar]) {
      expect(await asking.get('/nothing')).toBeError(404);
      expect(await asking.delete('/users')).toBeError(405);
      expect(await asking.put(`${PATH}/${NO_ID}`, {})).toBeError(405);
    }
  });

  test('401 comes before all that is wrong with an item, a query or a body', async () => {
    const removed = await createUser(service);
    expect(await service.delete(`/users/${removed.id}`)).toHaveStatus(204);
    const headers = { 'content-type': 'text/plain' };
    expect(await stranger.get(`/users/${NO_ID}`)).toBeError(401);
    expect(await stranger.get('/users/no-id')).toBeError(401);
    expect(await stranger.get(`/users/${removed.id}`)).toBeError(401);
    expect(await stranger.get('/users?unheard_of=1')).toBeError(401);
    expect(await stranger.request('POST', `${API}/users`, { headers, body: '{' })).toBeError(401);
    expect(await stranger.post('/users', '{')).toBeError(401);
    expect(await stranger.post('/users', {})).toBeError(401);
  });

  test('a role that is missing comes before the item, and the item before its owner', async () => {
    const headers = { 'content-type': 'text/plain' };
    const user = await createUser(service);
    expect(await caller.delete(`/users/${NO_ID}`)).toBeError(403);
    expect(await caller.request('POST', `${API}/users`, { headers, body: '{' })).toBeError(403);
    expect(await caller.get(`/users/${NO_ID}`)).toBeError(404);
    expect(await caller.get(`/users/${user.id}`)).toBeError(403);
    expect(await caller.get(`/users/${user.id}?unheard_of=1`)).toBeError(403);
    const patch = { headers, body: '{' };
    expect(await caller.request('PATCH', `${API}/users/${user.id}`, patch)).toBeError(403);
    expect(await service.delete(`/users/${user.id}`)).toHaveStatus(204);
    expect(await caller.get(`/users/${user.id}`)).toBeError(410);
  });
});
