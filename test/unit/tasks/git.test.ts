/** A repository for a project: with git as it is found on machines, and without. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { makeRepository } from '../../../src/tasks/git.ts';

const never = new AbortController().signal;
let place = '';
let project = '';

beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  project = path.join(place, 'shop');
  mkdirSync(project);
  writeFileSync(path.join(project, 'a.txt'), 'a');
  // The machine's own settings are not those of this test.
  vi.stubEnv('GIT_CONFIG_SYSTEM', '/dev/null');
  vi.stubEnv('GIT_CONFIG_GLOBAL', path.join(place, 'gitconfig'));
  for (const name of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${name}_NAME`, undefined);
    vi.stubEnv(`GIT_${name}_EMAIL`, undefined);
  }
  configure('[user]\n  name = Somebody\n  email = somebody@example.org\n');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true, force: true });
});

const configure = (text: string): void => writeFileSync(path.join(place, 'gitconfig'), text);

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: project, encoding: 'utf8' }).trim();

test('all files are in its first commit, on main where nothing else is wished', async () => {
  expect(await makeRepository(project, 'Start', never)).toMatchObject({ outcome: 'committed' });
  expect(git('log', '--format=%s', '--name-only')).toBe('Start\n\na.txt');
  expect(git('branch', '--show-current')).toBe('main');
});

test('a git that cannot name the first branch is asked again without a name', async () => {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const bin = path.join(place, 'bin');
  mkdirSync(bin);
  const script = `#!/bin/sh\ncase "$*" in *--initial-branch*) echo "error: unknown option" >&2; exit 129;; esac\nexec ${real} "$@"\n`;
  writeFileSync(path.join(bin, 'git'), script, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
  expect(await makeRepository(project, 'Start', never)).toMatchObject({ outcome: 'committed' });
});

test('the branch that the user wishes for', async () => {
  configure('[init]\n  defaultBranch = trunk\n[user]\n  name = S\n  email = s@example.org\n');
  await makeRepository(project, 'Start', never);
  expect(git('branch', '--show-current')).toBe('trunk');
});

test('without an identity the files are staged, and it is told what git says', async () => {
  configure('[user]\n  useConfigOnly = true\n');
  expect(await makeRepository(project, 'Start', never)).toEqual({
    outcome: 'staged',
    reason: 'no email was given and auto-detection is disabled',
  });
  expect(git('diff', '--cached', '--name-only')).toBe('a.txt');
});

test('within a repository nothing is done, wherever a hook says that one is', async () => {
  execFileSync('git', ['init', '--quiet', place]);
  vi.stubEnv('GIT_DIR', '/nowhere');
  expect(await makeRepository(project, 'Start', never)).toMatchObject({ outcome: 'inside' });
});

test('without git', async () => {
  vi.stubEnv('PATH', place);
  expect(await makeRepository(project, 'Start', never)).toMatchObject({ outcome: 'missing' });
});

test('an interruption leaves no half of a repository', async () => {
  expect(await makeRepository(project, 'Start', AbortSignal.abort())).toMatchObject({
    outcome: 'interrupted',
  });
  expect(existsSync(path.join(project, '.git'))).toBe(false);
});
