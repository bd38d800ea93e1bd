/** A service with most of what a team can state: a tool library, with its hooks and a season of requests. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { CONVENTIONS } from './support/emitted.ts';
import { makeDatabase, makeProject, ROOT, runCommand, runScript } from './support/project.ts';

let project = '';
beforeAll(async () => {
  project = await makeProject('tool-library', 'test/e2e/tool-library/definitions.yaml');
  for (const folder of ['src', 'test']) {
    cpSync(join(ROOT, 'test/e2e/tool-library', folder), join(project, folder), { recursive: true });
  }
});

test('with its hooks, it passes `npm run types`', async () => {
  const { exitCode, output } = await runScript(project, 'types');
  expect(exitCode, output).toBe(0);
});

test.each([
  ['PGlite', async () => ({})],
  ['PostgreSQL', async () => ({ DATABASE_URL: await makeDatabase('tool_library') })],
])('members and staff get what they may on %s', async (_name, environment) => {
  const words = ['run', '--silent', 'test', '--', 'library.test'];
  const { exitCode, output } = await runCommand(project, words, {
    env: await environment(),
    input: '',
  });
  expect(exitCode, output).toBe(0);
});

test('its other tests are still green', async () => {
  const env = { DATABASE_URL: await makeDatabase('tool_library_tests') };
  const words = ['run', '--silent', 'test', '--', `--exclude=${CONVENTIONS}`];
  const { exitCode, output } = await runCommand(project, words, { env, input: '' });
  expect(exitCode, output).toBe(0);
});
