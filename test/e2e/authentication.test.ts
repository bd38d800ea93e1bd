/** Credentials across processes, and what their checking tells by the time that it takes. */
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';

import {
  ADMINISTRATOR,
  AUTHORIZATION,
  makeDatabase,
  makeBuiltProject,
  runCommand,
  runSql,
  start,
} from './support/project.ts';
import type { Running } from './support/project.ts';

let project = '';

beforeAll(async () => {
  project = await makeBuiltProject('credentials', 'examples/bookshop.yaml');
});

const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

async function ask(
  { origin }: Running,
  method: string,
  path: string,
  authorization: string,
  body?: object,
): Promise<{ status: number; body: Record<string, string> }> {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    body: (text === '' ? {} : JSON.parse(text)) as Record<string, string>,
  };
}

test('what ends a credential in one process ends it in all', async () => {
  const DATABASE_URL = await makeDatabase('credentials');
  const one = await start(project, { DATABASE_URL });
  const other = await start(project, { DATABASE_URL });

  const made = await ask(one, 'POST', '/tokens', AUTHORIZATION, { name: 'short-lived' });
  const token = `Bearer ${made.body['token']}`;
  expect((await ask(other, 'GET', '/users', token)).status).toBe(200);
  expect((await ask(one, 'DELETE', `/tokens/${made.body['id']}`, AUTHORIZATION)).status).toBe(204);
  expect((await ask(other, 'GET', '/users', token)).status).toBe(401);

  const ada = { username: 'ada', password: 'the first one', roles: ['editor'] };
  const { body: user } = await ask(one, 'POST', '/users', AUTHORIZATION, ada);
  const first = basic('ada', 'the first one');
  // Twice, so that the other process remembers the password.
  expect((await ask(other, 'GET', `/users/${user['id']}`, first)).status).toBe(200);
  expect((await ask(other, 'POST', '/authors', first, { name: 'by an editor' })).status).toBe(201);
  const noRoles = await ask(one, 'PATCH', `/users/${user['id']}`, AUTHORIZATION, { roles: [] });
  expect(noRoles.status).toBe(200);
  expect((await ask(other, 'POST', '/authors', first, { name: 'no longer' })).status).toBe(403);
  const changed = await ask(one, 'PATCH', `/users/${user['id']}`, first, {
    password: 'the second',
  });
  expect(changed.status).toBe(200);
  expect((await ask(other, 'GET', `/users/${user['id']}`, first)).status).toBe(401);

  expect(await one.stop()).toBe(0);
  expect(await other.stop()).toBe(0);
});

test('an unknown user takes as long as a wrong password', async () => {
  const DATABASE_URL = await makeDatabase('timing');
  const service = await start(project, { DATABASE_URL });
  const time = async (username: string): Promise<number> => {
    const begun = performance.now();
    await ask(service, 'GET', '/books', basic(username, 'wrong'));
    return performance.now() - begun;
  };
  /** The median time of an unknown user over that of a wrong password; their tries alternate. */
  const measure = async (): Promise<number> => {
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 50; round++) {
      // Before an address is slowed, its wrong tries are forgotten: it is the hashing that is timed.
      if (round % 4 === 0) await runSql(DATABASE_URL, 'delete from "_logins"');
      if (round % 2 === 0) known.push(await time(ADMINISTRATOR.username));
      unknown.push(await time(`nobody-${round}`));
      if (round % 2 === 1) known.push(await time(ADMINISTRATOR.username));
    }
    const median = (values: number[]): number => values.toSorted((a, b) => a - b)[25] ?? 0;
    return median(unknown) / median(known);
  };
  const isEqual = (ratio: number): boolean => ratio > 0.8 && ratio < 1.25;
  // A busy machine can make one measurement lie; a hash that is left out shows in each of them.
  const ratios = [await measure()];
  while (!ratios.some(isEqual) && ratios.length < 3) ratios.push(await measure());
  expect(ratios.some(isEqual), `unknown over known: ${ratios.join(', ')}`).toBe(true);
  expect(await service.stop()).toBe(0);
});

test('the first administrator is made by a command that reads the password', async () => {
  const DATABASE_URL = await makeDatabase('administrator');
  const made = await runCommand(project, ['run', '--silent', 'admin', '--', 'grace'], {
    env: { DATABASE_URL },
    input: 'a long password\n',
  });
  expect(made).toMatchObject({ exitCode: 0 });
  const short = await runCommand(project, ['run', '--silent', 'admin', '--', 'grace'], {
    env: { DATABASE_URL },
    input: 'short\n',
  });
  expect(short.exitCode).toBe(1);
  expect(short.output).toContain('password must have at least 8 characters');
  const service = await start(project, { DATABASE_URL, ADMIN_USERNAME: '', ADMIN_PASSWORD: '' });
  expect((await ask(service, 'GET', '/users', basic('grace', 'a long password'))).status).toBe(200);
  expect(await service.stop()).toBe(0);
});

test('Ctrl-C at the prompt for the password ends the command with status 130', async () => {
  // `--import` makes standard input look like a terminal.
  const terminal = 'data:text/javascript,process.stdin.isTTY=true';
  const command = ['--import', 'tsx', '--import', terminal, 'src/admin.ts', 'grace'];
  const { exitCode, stderr } = await execa(process.execPath, command, {
    cwd: project,
    input: 'a long pass\u0003',
    reject: false,
  });
  expect(exitCode).toBe(130);
  expect(stderr).toBe('Password: \nNo administrator was made. The prompt was cancelled.');
});

test('a limit of requests holds over processes', async () => {
  const DATABASE_URL = await makeDatabase('limits');
  const env = { DATABASE_URL, RATE_LIMIT: '40' };
  const services = [await start(project, env), await start(project, env)];
  const minute = (): number => Math.floor(Date.now() / 60_000);
  const begun = minute();
  const statuses: number[] = [];
  for (let round = 0; round < 60; round++) {
    for (const { origin } of services) {
      statuses.push((await fetch(`${origin}/api/v1/books`)).status);
    }
  }
  const passed = statuses.filter((status) => status === 200).length;
  expect(passed).toBeGreaterThanOrEqual(40);
  // Each process may let a twentieth too many through, in each minute that this took.
  expect(passed).toBeLessThanOrEqual((minute() - begun + 1) * 44);
  expect(statuses).toContain(429);
  for (const service of services) expect(await service.stop()).toBe(0);
});
