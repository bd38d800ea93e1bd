/** Authentication: credentials, the login throttle, and the hashing of passwords. */
import { beforeEach, describe, expect, test } from 'vitest';

import { countLogin } from '../src/platform/auth/login-throttle.ts';
import type { Login, LoginCounts } from '../src/platform/auth/login-throttle.ts';
import {
  checkCachedPassword,
  hashPassword,
  inTurn,
  isPassword,
} from '../src/platform/auth/passwords.ts';
import { databaseCounts } from '../src/platform/database/counts.ts';
import { basic, createUser, PASSWORD } from './support/items/users.ts';
import { makeCaller } from './support/callers.ts';
import { NO_ID } from './support/expected.ts';
import { sendRaw } from './support/raw.ts';
import { API, startService } from './support/service.ts';
import type { Answer } from './support/service.ts';
import { insertUser } from './support/users.ts';

const service = await startService();
const stranger = service.as(undefined);
const caller = (await makeCaller(service, 'caller')).service;
const CREDENTIAL = caller.credential ?? '';
/** A list that every authenticated user may read. */
const PATH = '/tokens';

// It also deletes the counts of failed logins.
beforeEach(() => service.clear());

const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');

/** Sends header lines that `fetch` would refuse or change. */
const ask = (path: string, ...headers: string[]): Promise<Answer> =>
  sendRaw(service.port, [
    `GET ${API}${path} HTTP/1.1`,
    `Host: 127.0.0.1:${service.port}`,
    'Connection: close',
    ...headers,
  ]);

/** Sends wrong passwords of a user, and expects 401 for each. */
async function failLogins(username: string, times: number, process = service): Promise<void> {
  for (let at = 0; at < times; at++) {
    expect(await process.as(basic(username, `wrong ${at}`)).get(PATH)).toBeError(401);
  }
}

/** Occupies slots of a client in the queue of hashes. @returns a function that frees them. */
function holdHashes(client: string, slots: number): () => void {
  let release: (() => void) | undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  for (let at = 0; at < slots; at++) void inTurn(client, () => released);
  return () => release?.();
}

/** Milliseconds to refuse a wrong password, with or without a stored hash. */
async function timeToRefuse(stored: string | undefined): Promise<number> {
  const start = performance.now();
  expect(await isPassword('wrong', stored, 'here')).toBe(false);
  return performance.now() - start;
}

/** The sum of the login counts over all windows. */
async function countedLogins(): Promise<number> {
  const [row] = await service.database.query<{ sum: number }>({
    text: 'select coalesce(sum("logins"), 0)::integer as "sum" from "_logins"',
  });
  return row?.sum ?? 0;
}

/** Counts a login from an address that nobody has signed in from. @returns what refuses it. */
const refusalOf = async (counts: LoginCounts, login: Login) =>
  (await countLogin(counts, login, async () => false)).refusal;

/** Runs 20 verifications. Their checks end with `results` in turn; the last result repeats. */
async function verifyConcurrently(username: string, results: readonly (boolean | Error)[]) {
  let running = 0;
  let checks = 0;
  let most = 0;
  const check = async (): Promise<boolean> => {
    const result = results[Math.min(checks++, results.length - 1)];
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    if (result instanceof Error) throw result;
    return result === true;
  };
  const login = { client: '192.0.2.1', username, password: PASSWORD };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => checkCachedPassword(login, 'its hash', check)),
  );
  return { checks, most, outcomes };
}

/** Wrong and malformed credentials. */
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
  ['Basic without a value', 'Basic'],
  ['Bearer without a value', 'Bearer'],
  ['an empty header', ''],
  ['another scheme', 'Digest username="caller"'],
  ['no scheme', CREDENTIAL.slice('Bearer '.length)],
  ['two credentials in one header', `${CREDENTIAL}, ${CREDENTIAL}`],
  ['text after the credential', `${CREDENTIAL} more`],
  ['a token beyond ASCII', 'Bearer pässwörd'],
  ['a scheme beyond ASCII', 'Bëarer nonsense'],
];

describe('credentials', () => {
  test('answers 401 with WWW-Authenticate without a credential', async () => {
    const answer = await stranger.get(PATH);
    expect(answer).toBeError(401);
    const challenge = answer.headers.get('www-authenticate');
    expect(challenge).toContain('Bearer');
    expect(challenge).toContain('Basic realm="bookshop", charset="UTF-8"');
  });

  test.each(WRONG)('refuses %s (401)', async (_what, header) => {
    const answer = await ask(PATH, `Authorization: ${header}`);
    expect(answer).toBeError(401);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  });

  test('needs no credential on a public path', async () => {
    expect(await stranger.get('/authors')).toHaveStatus(200);
  });

  test.each(WRONG)('refuses %s on a public path (401)', async (_what, header) => {
    expect(await ask('/authors', `Authorization: ${header}`)).toBeError(401);
  });

  test('refuses repeated Authorization headers (401)', async () => {
    const line = `Authorization: ${CREDENTIAL}`;
    expect(await ask(PATH, line)).toHaveStatus(200);
    expect(await ask(PATH, line, line)).toBeError(401);
    expect(await ask(PATH, line, 'Authorization: Bearer nonsense')).toBeError(401);
    expect(await ask(PATH, ...Array.from({ length: 50 }, () => line))).toBeError(401);
  });

  test('is read behind more headers than Node keeps by default', async () => {
    const many = Array.from({ length: 2_000 }, () => 'x:');
    expect(await ask(PATH, ...many, `Authorization: ${CREDENTIAL}`)).toHaveStatus(200);
    expect(await ask(PATH, ...many, 'Authorization: Bearer nonsense')).toBeError(401);
  });

  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])(
    'accepts a token with the scheme %s',
    async (scheme) => {
      const header = CREDENTIAL.replace('Bearer', scheme);
      expect(await ask(PATH, `Authorization: ${header}`)).toHaveStatus(200);
      expect(await ask(PATH, `AUTHORIZATION:${header}  `)).toHaveStatus(200);
    },
  );

  test.each(['Basic', 'basic', 'BASIC'])(
    'accepts a password with the scheme %s',
    async (scheme) => {
      const { username } = await insertUser(service.database);
      const header = basic(username).replace('Basic', scheme);
      expect(await ask(PATH, `Authorization: ${header}`)).toHaveStatus(200);
      const bare = header.replaceAll('=', '');
      expect(await ask(PATH, `Authorization: ${bare}`)).toHaveStatus(200);
    },
  );

  test.each([
    'with:colons::',
    'pässwörd 🔒',
    '密码密码密码密码',
    ' blank at both ends ',
    `"'\\;--${'x'.repeat(190)}`,
  ])('accepts the password %s', async (password) => {
    const { username } = await createUser(service, { password });
    expect(await service.as(basic(username, password)).get(PATH)).toHaveStatus(200);
    expect(await service.as(basic(username, `${password} `)).get(PATH)).toBeError(401);
    expect(await service.as(basic(username, password.slice(0, -1))).get(PATH)).toBeError(401);
  });

  test('compares usernames, passwords and tokens case-sensitively', async () => {
    const { username } = await insertUser(service.database);
    expect(await service.as(basic(username, PASSWORD.toUpperCase())).get(PATH)).toBeError(401);
    expect(await service.as(basic(username.toUpperCase())).get(PATH)).toBeError(401);
    expect(await service.as(CREDENTIAL.toUpperCase()).get(PATH)).toBeError(401);
  });

  test('answers unknown users like wrong passwords', async () => {
    const { username } = await insertUser(service.database);
    const known = await service.as(basic(username, 'not the password')).get(PATH);
    const unknown = await service.as(basic('nobody at all', 'not the password')).get(PATH);
    expect(known).toBeError(401);
    expect(unknown).toBeError(401);
    expect(known.body).toHaveProperty('message', (unknown.body as { message: string }).message);
  });

  test('ignores credentials on /health', async () => {
    const answer = await service.as('Bearer nonsense').request('GET', '/health/live');
    expect(answer).toHaveStatus(200);
  });
});

describe('Cache-Control', () => {
  test('is private for requests with a credential', async () => {
    for (const [client, status] of [
      [caller, 200],
      [service.as('Bearer nonsense'), 401],
    ] as const) {
      const answer = await client.get(PATH);
      expect(answer).toHaveStatus(status);
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    }
    const unknown = await caller.request('GET', '/nothing');
    expect(unknown.headers.get('cache-control')).toBe('private, no-cache');
    expect((await stranger.get(PATH)).headers.get('cache-control')).toBeNull();
  });
});

describe('the login throttle', () => {
  test('allows 10 failed logins a minute by address and username (429)', async () => {
    const { username } = await insertUser(service.database);
    await failLogins(username, 10);
    for (const password of ['wrong again', PASSWORD]) {
      const answer = await service.as(basic(username, password)).get(PATH);
      expect(answer).toBeError(429);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    }
  });

  test('does not lock out other users at the same address', async () => {
    const { username } = await insertUser(service.database);
    const colleague = await insertUser(service.database);
    await failLogins(username, 10);
    // More than an address may have: refused logins do not count.
    for (let at = 0; at < 110; at++) {
      expect(await service.as(basic(username, `wrong ${at}`)).get(PATH)).toBeError(429);
    }
    expect(await service.as(basic(colleague.username)).get(PATH)).toHaveStatus(200);
  });

  test('rejects the correct password too after 10 failures, even if it was cached (429)', async () => {
    const { username } = await insertUser(service.database);
    expect(await service.as(basic(username)).get(PATH)).toHaveStatus(200);
    await failLogins(username, 10);
    expect(await service.as(basic(username)).get(PATH)).toBeError(429);
  });

  test('allows 100 failed logins a minute by address', async () => {
    const counts = databaseCounts(service.database);
    const client = '127.0.0.1';
    for (let at = 0; at < 100; at++) {
      expect(await refusalOf(counts, { client, username: `user ${at}` })).toBeUndefined();
    }
    const refusal = await refusalOf(counts, { client, username: 'one more' });
    expect(refusal).toMatchObject({ limit: 'address' });
    expect(refusal?.retryAfter).toBeLessThanOrEqual(60);
    const { username } = await insertUser(service.database);
    expect(await service.as(basic(username)).get(PATH)).toBeError(429);
    // A login that a wider limit refuses is taken back from the narrower ones.
    expect(await countedLogins()).toBe(500);
  });

  test('allows 100 failed logins an hour by username', async () => {
    const counts = databaseCounts(service.database);
    const { username } = await insertUser(service.database);
    for (let at = 0; at < 100; at++) {
      expect(await refusalOf(counts, { client: `192.0.2.${at}`, username })).toBeUndefined();
    }
    const answer = await service.as(basic(username)).get(PATH);
    expect(answer).toBeError(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect(
      await service.as(basic((await insertUser(service.database)).username)).get(PATH),
    ).toHaveStatus(200);
  });

  test('counts 10 failures of an address in an hour by username, so that it locks out only itself', async () => {
    const counts = databaseCounts(service.database);
    const { username } = await insertUser(service.database);
    const minute = (): Promise<unknown> =>
      service.database.query({
        text: `update "_logins" set "until" = now() where "until" < now() + interval '1 minute'`,
      });
    for (const client of ['192.0.2.1', '192.0.2.2']) {
      for (let at = 0; at < 100; at++) {
        if (at % 10 === 0) await minute();
        expect(await refusalOf(counts, { client, username })).toBeUndefined();
      }
      await minute();
      const refusal = await refusalOf(counts, { client, username });
      expect(refusal).toMatchObject({ limit: 'address and username, by the hour' });
      expect(refusal?.retryAfter).toBeGreaterThan(3000);
    }
    expect(await service.as(basic(username)).get(PATH)).toHaveStatus(200);
    // With the 10 of each of these two, and eight more, the limit by username is reached.
    for (let client = 3; client <= 10; client++) {
      for (let at = 0; at < 10; at++) {
        expect(await refusalOf(counts, { client: `192.0.2.${client}`, username })).toBeUndefined();
      }
    }
    expect(await refusalOf(counts, { client: '192.0.2.11', username })).toMatchObject({
      limit: 'username',
    });
  });

  test('leaves addresses open that the user has signed in from within 30 days', async () => {
    const counts = databaseCounts(service.database);
    const { id, username } = await insertUser(service.database);
    const own = service.as(basic(username));
    expect(await own.get(PATH)).toHaveStatus(200);
    for (let at = 0; at < 100; at++) {
      await refusalOf(counts, { client: `192.0.2.${at}`, username });
    }
    expect(await refusalOf(counts, { client: '192.0.2.200', username })).toMatchObject({
      limit: 'username',
    });
    // A failed login forgets the cached password: the next is checked again.
    expect(await service.as(basic(username, 'wrong')).get(PATH)).toBeError(401);
    expect(await own.get(PATH)).toHaveStatus(200);
    const kept = { text: 'select "address" from "_sign_ins" where "user_id" = $1' };
    const [row] = await service.database.query<{ address: string }>(kept, [id]);
    expect(row?.address).toMatch(/^[\w-]{43}$/);
    await service.database.query({
      text: `update "_sign_ins" set "at" = now() - interval '31 days'`,
    });
    expect(await service.as(basic(username, 'wrong')).get(PATH)).toBeError(429);
    // The next sign-in of anybody removes what is that old.
    const { username: colleague } = await insertUser(service.database);
    expect(await service.as(basic(colleague)).get(PATH)).toHaveStatus(200);
    expect(await service.database.query(kept, [id])).toEqual([]);
  });

  test('removes the addresses of a user with the user', async () => {
    const { id, username } = await insertUser(service.database);
    const kept = { text: 'select 1 from "_sign_ins" where "user_id" = $1' };
    expect(await service.as(basic(username)).get(PATH)).toHaveStatus(200);
    expect(await service.database.query(kept, [id])).toHaveLength(1);
    expect(await service.delete(`/users/${id}`)).toHaveStatus(204);
    expect(await service.database.query(kept, [id])).toEqual([]);
  });

  test('counts over all processes', async () => {
    const { username } = await insertUser(service.database);
    const other = (await startService({}, {}, service.database)).as(undefined);
    await failLogins(username, 5);
    await failLogins(username, 5, other);
    for (const process of [service, other]) {
      expect(await process.as(basic(username, 'one more')).get(PATH)).toBeError(429);
    }
  });

  test('counts logins before their passwords are hashed', async () => {
    const { username } = await insertUser(service.database);
    const release = holdHashes('192.0.2.1', 2);
    const answer = service.as(basic(username, 'wrong')).get(PATH);
    await expect.poll(countedLogins).toBe(5);
    release();
    expect(await answer).toBeError(401);
    const counts = databaseCounts(service.database);
    const login = { client: '192.0.2.2', username };
    const refusals = await Promise.all(Array.from({ length: 30 }, () => refusalOf(counts, login)));
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(10);
  });

  test('starts a new count when the window has ended', async () => {
    const { username } = await insertUser(service.database);
    await failLogins(username, 10);
    await service.database.query({ text: `update "_logins" set "until" = now()` });
    await failLogins(username, 10);
    expect(await service.as(basic(username)).get(PATH)).toBeError(429);
  });

  test('does not count concurrent correct passwords', async () => {
    const { username } = await insertUser(service.database);
    const client = service.as(basic(username));
    const release = holdHashes('192.0.2.1', 2);
    const answers = Array.from({ length: 30 }, () => client.get(PATH));
    await expect.poll(() => service.app.inFlight()).toBe(30);
    // One password is being checked, counted towards each of the five limits; the others wait for it.
    await expect.poll(countedLogins).toBe(5);
    release();
    for (const answer of await Promise.all(answers)) expect(answer).toHaveStatus(200);
    expect(await countedLogins()).toBe(0);
  });

  test('does not count wrong tokens', async () => {
    for (let at = 0; at < 12; at++) {
      expect(await service.as(`Bearer wrong-${at}`).get(PATH)).toBeError(401);
    }
    expect(await countedLogins()).toBe(0);
  });
});

test('caches a verified password for one client address, until a login from there fails', async () => {
  const checked: string[] = [];
  const verify = (client: string, password: string) =>
    checkCachedPassword({ client, username: 'ada', password }, 'its hash', async () => {
      checked.push(`${client} ${password}`);
      return password === PASSWORD;
    });
  const [here, elsewhere] = ['192.0.2.2', '192.0.2.3'];
  await verify(here, PASSWORD);
  await verify(here, PASSWORD);
  await verify(elsewhere, PASSWORD);
  expect(checked).toEqual([`${here} ${PASSWORD}`, `${elsewhere} ${PASSWORD}`]);
  await verify(elsewhere, 'wrong');
  await verify(here, PASSWORD);
  expect(checked).toHaveLength(3);
  await verify(elsewhere, PASSWORD);
  expect(checked).toHaveLength(4);
});

describe('concurrent checks of one password of one client', () => {
  test('checks a correct password once', async () => {
    const { checks, outcomes } = await verifyConcurrently('right', [true]);
    expect(checks).toBe(1);
    expect(outcomes).toEqual(
      Array.from({ length: 20 }, () => ({ status: 'fulfilled', value: true })),
    );
  });

  test('checks a wrong password for each request, one at a time', async () => {
    const { checks, most, outcomes } = await verifyConcurrently('wrong', [false]);
    expect({ checks, most }).toEqual({ checks: 20, most: 1 });
    expect(outcomes).toEqual(
      Array.from({ length: 20 }, () => ({ status: 'fulfilled', value: false })),
    );
  });

  test('fails all requests if the check throws, and checks again for the next one', async () => {
    const away = new Error('the database is away');
    const { checks, outcomes } = await verifyConcurrently('away', [away]);
    expect(checks).toBe(1);
    expect(outcomes).toEqual(
      Array.from({ length: 20 }, () => ({ status: 'rejected', reason: away })),
    );
    expect((await verifyConcurrently('away', [true])).checks).toBe(1);
  });
});

describe('the hashing of passwords', () => {
  test('runs two hashes at a time', async () => {
    let running = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
    };
    await Promise.all(Array.from({ length: 20 }, (_, at) => inTurn(`192.0.2.${at}`, work)));
    expect(most).toBe(2);
  });

  test('queues 8 hashes of one address (429), and 130 in all (503)', async () => {
    const release = holdHashes('192.0.2.0', 8);
    const again = inTurn('192.0.2.0', async () => 'done');
    await expect(again).rejects.toMatchObject({ statusCode: 429, headers: { 'retry-after': '1' } });
    const others = Array.from({ length: 122 }, (_, at) =>
      inTurn(`192.0.2.${1 + (at % 100)}`, async () => 'done'),
    );
    const full = inTurn('192.0.2.200', async () => 'done');
    await expect(full).rejects.toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
    release();
    expect(new Set(await Promise.all(others))).toEqual(new Set(['done']));
    expect(await inTurn('192.0.2.0', async () => 'done')).toBe('done');
  });

  test('queues the hashes of unknown users too', async () => {
    const { username } = await insertUser(service.database);
    const release = holdHashes('127.0.0.1', 8);
    for (const name of [username, 'nobody at all']) {
      const answer = await service.as(basic(name, 'wrong')).get(PATH);
      expect(answer).toBeError(429, 'address');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    // A password that was not checked does not count.
    expect(await countedLogins()).toBe(0);
    release();
    await failLogins('nobody at all', 1);
  });

  test('takes as long for an unknown user as for a wrong password', async () => {
    const hash = await hashPassword(PASSWORD, 'here');
    let [known, unknown] = [0, 0];
    for (let round = 0; round < 5; round++) {
      known += await timeToRefuse(hash);
      unknown += await timeToRefuse(undefined);
    }
    // Without the dummy hash it would take almost no time.
    expect(unknown).toBeGreaterThan(known / 4);
  });

  test.each(['', '!', '*', '$argon2id$v=19$', '$2b$12$abcdefghijklmnopqrstuu'])(
    'no password matches the stored text %j, which is no hash',
    async (stored) => {
      // The dummy hash is that of the empty password.
      for (const password of ['', stored])
        expect(await isPassword(password, stored, 'here')).toBe(false);
    },
  );
});

describe('the order of errors', () => {
  test('answers 404 and 405 before 401', async () => {
    const wrong = service.as('Bearer nonsense');
    for (const client of [stranger, wrong]) {
      expect(await client.get('/nothing')).toBeError(404);
      expect(await client.delete('/users')).toBeError(405);
      expect(await client.put(`${PATH}/${NO_ID}`, {})).toBeError(405);
    }
  });

  test('answers 401 before errors of the item, query and body', async () => {
    const removed = await insertUser(service.database);
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

  test('answers 403 by role before 404 and 410, and these before 403 by owner', async () => {
    const headers = { 'content-type': 'text/plain' };
    const user = await insertUser(service.database);
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
