/** A clinic's appointments: transitions by roles, owners, checks, unique values, a hook with a lock, and seeds. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { CONVENTIONS } from './support/emitted.ts';
import { makeDatabase, makeProject, ROOT, runCommand, runScript } from './support/project.ts';

let project = '';
beforeAll(async () => {
  project = await makeProject('clinic', 'test/e2e/clinic/definitions.yaml');
  for (const folder of ['src', 'test']) {
    cpSync(join(ROOT, 'test/e2e/clinic', folder), join(project, folder), { recursive: true });
  }
});

test('with its hooks, it passes `npm run types`', async () => {
  const { exitCode, output } = await runScript(project, 'types');
  expect(exitCode, output).toBe(0);
});

test.each([
  ['PGlite', async () => ({})],
  ['PostgreSQL', async () => ({ DATABASE_URL: await makeDatabase('clinic') })],
])('patients, practitioners and reception get what they may on %s', async (_name, environment) => {
  const words = ['run', '--silent', 'test', '--', 'clinic.test', 'test/seeds.test'];
  const { exitCode, output } = await runCommand(project, words, {
    env: await environment(),
    input: '',
  });
  expect(exitCode, output).toBe(0);
});

test('its other tests are still green', async () => {
  const words = ['run', '--silent', 'test', '--', `--exclude=${CONVENTIONS}`];
  const { exitCode, output } = await runCommand(project, words, { env: {}, input: '' });
  expect(exitCode, output).toBe(0);
});
