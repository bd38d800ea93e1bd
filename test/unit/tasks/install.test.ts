/** Installing, with programs that stand in for a package manager. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { install, installedVersion } from '../../../src/tasks/package-manager.ts';

let place = '';
beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  vi.stubEnv('PATH', `${place}${path.delimiter}${process.env['PATH']}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true, force: true });
});

function standIn(name: string, script: string): void {
  writeFileSync(path.join(place, name), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(place, name), 0o755);
}

const never = new AbortController().signal;

test('it runs in the project, and is told of neither audits nor funds', async () => {
  standIn('npm', `[ "$PWD $*" = "${place} install --no-audit --no-fund" ]`);
  expect(await install('npm', place, never)).toEqual({ kind: 'installed' });
  standIn('bun', '[ "$*" = install ]');
  expect(await install('bun', place, never)).toEqual({ kind: 'installed' });
});

test('in CI too, where there is no lock file yet, and below other projects', async () => {
  standIn('pnpm', '[ "$*" = "install --no-frozen-lockfile" ]');
  expect(await install('pnpm', place, never)).toEqual({ kind: 'installed' });
  // An empty lock file says where Yarn's project begins.
  standIn('yarn', '[ "$*" = "install --no-immutable" ] && [ -f yarn.lock ]');
  expect(await install('yarn', place, never)).toEqual({ kind: 'installed' });
});

test('a failure comes with the last of what was said', async () => {
  standIn('npm', 'seq 1 20; echo; echo no network >&2; exit 7');
  expect(await install('npm', place, never)).toEqual({
    kind: 'failed',
    reason: 'it ended with status 7',
    output: [...Array.from({ length: 11 }, (_, index) => String(index + 10)), 'no network'],
  });
});

test('a package manager that is not there', async () => {
  vi.stubEnv('PATH', place);
  expect(await install('bun', place, never)).toEqual({
    kind: 'failed',
    reason: 'bun is not on this machine',
    output: [],
  });
});

test('the version of a package manager is the one that it prints', async () => {
  standIn('pnpm', '[ "$*" = --version ] && echo "a notice" && echo 10.99.1');
  expect(await installedVersion('pnpm', place, never)).toBe('10.99.1');
  standIn('yarn', 'echo usage >&2; exit 1');
  expect(await installedVersion('yarn', place, never)).toBeUndefined();
  vi.stubEnv('PATH', place);
  expect(await installedVersion('bun', place, never)).toBeUndefined();
});

test('an interruption ends it', async () => {
  standIn('npm', 'exec sleep 60');
  const interruption = new AbortController();
  const outcome = install('npm', place, interruption.signal);
  setTimeout(() => interruption.abort(), 100);
  expect(await outcome).toEqual({ kind: 'interrupted' });
});
