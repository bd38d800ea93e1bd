/** `npm run seed` of a service with cycles, owners, checks and users, on both databases. */
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';

import {
  makeDatabase,
  makeBuiltProject,
  ROOT,
  runCommand,
  runSql,
  start,
} from './support/project.ts';
import type { ScriptResult } from './support/project.ts';

let project = '';
beforeAll(async () => {
  project = await makeBuiltProject('seeds', 'test/definitions/everything');
  cpSync(join(ROOT, 'test/e2e/seeds/test'), join(project, 'test'), { recursive: true });
});

const seed = (env: Readonly<Record<string, string>>, ...options: string[]): Promise<ScriptResult> =>
  runCommand(project, ['run', '--silent', 'seed', '--', ...options], { env, input: '' });

test.each([
  ['PGlite', async () => ({})],
  ['PostgreSQL', async () => ({ DATABASE_URL: await makeDatabase('seed_loading') })],
])('references, hooks, users and refusals on %s', async (_name, environment) => {
  const words = ['run', '--silent', 'test', '--', 'loading.test', 'test/seeds.test'];
  const { exitCode, output } = await runCommand(project, words, {
    env: await environment(),
    input: '',
  });
  expect(exitCode, output).toBe(0);
});

test.each([
  ['PGlite', async () => ({ DATA_DIR: mkdtempSync(join(tmpdir(), 'seeded-')) })],
  ['PostgreSQL', async () => ({ DATABASE_URL: await makeDatabase('seed_command') })],
])('the command migrates, loads, and does nothing twice on %s', async (_name, environment) => {
  const env = await environment();
  const first = await seed(env);
  expect(first.exitCode, first.output).toBe(0);
  expect(first.output).toContain('people: 5 created, 0 already there');
  const second = await seed(env);
  expect(second.exitCode, second.output).toBe(0);
  expect(second.output).toContain('people: 0 created, 5 already there');
  expect(`${first.output}${second.output}`).not.toContain('only-for-tests');
});

test('two commands at once create each item once', async () => {
  const url = await makeDatabase('seed_twice');
  const runs = await Promise.all([seed({ DATABASE_URL: url }), seed({ DATABASE_URL: url })]);
  for (const { exitCode, output } of runs) expect(exitCode, output).toBe(0);
  const created = runs.map(({ output }) => /people: (\d) created/.exec(output)?.[1]);
  expect(created).toHaveLength(2);
  expect(created).toEqual(expect.arrayContaining(['0', '5']));
  expect(await runSql(url, 'select count(*)::int as "count" from "people"')).toEqual([
    { count: 5 },
  ]);
});

describe('production', () => {
  test('is refused without --force, also of compiled code', async () => {
    const url = await makeDatabase('seed_production');
    const env = { DATABASE_URL: url, NODE_ENV: 'production' };
    const refused = await seed(env);
    expect(refused.exitCode).toBe(1);
    expect(refused.output).toMatch(/^No seeds were loaded\. NODE_ENV is production, .*--force/);
    expect(await runSql(url, `select 1 from pg_tables where tablename = 'people'`)).toEqual([]);
    const compiled = await execa('node', ['dist/seed.js', '--force'], { cwd: project, env });
    expect(compiled.stdout).toContain('people: 5 created');
    expect((await seed(env, '--force')).output).toContain('people: 0 created, 5 already there');
  });
});

test('a folder of PGlite that a service uses is refused, and the message names its process', async () => {
  const env = { DATA_DIR: mkdtempSync(join(tmpdir(), 'locked-')) };
  await start(project, env);
  const { exitCode, output } = await seed(env);
  expect(exitCode).toBe(1);
  expect(output).toMatch(
    /^No seeds were loaded\. The database folder .* is in use by process \d+\. Stop that process/,
  );
});

test.each([
  [['--nope'], /There is no option --nope: the only one is --force\./],
  [['force'], /There is no option force/],
])('the command line %j is refused', async (options, message) => {
  const { exitCode, output } = await seed({ DATA_DIR: 'memory' }, ...options);
  expect(exitCode).toBe(1);
  expect(output).toMatch(message);
});

describe('the generator', () => {
  const check = async (...words: string[]): Promise<ScriptResult> => {
    const { exitCode, all } = await execa('npx', ['create-service', ...words], {
      cwd: project,
      all: true,
      reject: false,
    });
    return { exitCode, output: all };
  };

  test('copies the seeds of a folder, and never changes or removes them', async () => {
    const file = join(project, 'seeds/people.yaml');
    const own = readFileSync(join(ROOT, 'test/definitions/everything/seeds/people.yaml'), 'utf8');
    expect(readFileSync(file, 'utf8')).toBe(own);
    writeFileSync(file, `${own}eve: { name: Eve }\n`);
    writeFileSync(join(project, 'seeds/README.md'), 'Ours.\n');
    expect((await check('generate')).exitCode).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(`${own}eve: { name: Eve }\n`);
    expect(existsSync(join(project, 'seeds/README.md'))).toBe(true);
  });

  test('tells names that the definitions or the seeds do not have when it checks', async () => {
    const file = join(project, 'seeds/teams.yaml');
    const own = readFileSync(file, 'utf8');
    writeFileSync(file, `${own}blues: { nmae: B, lead_id: an, id: x }\n`);
    const { exitCode, output } = await check('check');
    expect(exitCode).toBe(1);
    for (const line of [
      'seeds/teams.yaml:2:10 error "nmae" is no member of this collection. Write "name".',
      'seeds/teams.yaml:2:28 error lead_id "an" names no seed of people. Write "ann"',
      'seeds/teams.yaml:2:32 error id of a seed is set by the service. Remove it.',
    ]) {
      expect(output).toContain(line);
    }
    // Like code of the team, seeds may follow a change of the definitions.
    expect((await check('generate')).exitCode).toBe(0);
    writeFileSync(file, own);
    expect((await check('check')).exitCode).toBe(0);
  });
});
