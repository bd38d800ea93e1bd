/** One run in this process: what is told of errors of every kind, and the exit status. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { run } from '../../../src/cli/run.ts';
import type { World } from '../../../src/cli/world.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

interface Told {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function told(argv: readonly string[], world: Partial<World> = {}): Promise<Told> {
  const written = { stdout: '', stderr: '' };
  const outputTo = (stream: 'stdout' | 'stderr'): World['stdout'] => ({
    isTerminal: false,
    write: (text) => {
      written[stream] += text;
    },
  });
  const status = await run({
    argv,
    cwd,
    env: {},
    stdout: outputTo('stdout'),
    stderr: outputTo('stderr'),
    canAsk: false,
    columns: 80,
    pid: process.pid,
    isAlive: () => true,
    interrupted: new AbortController().signal,
    ...world,
  });
  return { status, ...written };
}

test('the version goes to standard output', async () => {
  const { status, stdout, stderr } = await told(['--version']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('a signal before the commit: nothing is written, and the status is 130', async () => {
  const interrupted = AbortSignal.abort();
  expect(await told(['my-api', '--quiet'], { interrupted })).toEqual({
    status: 130,
    stdout: '',
    stderr: 'Interrupted: nothing was written.\n',
  });
  expect(await told(['my-api', '--json'], { interrupted })).toEqual({
    status: 130,
    stdout: `${JSON.stringify(
      {
        ok: false,
        error: { code: 'interrupted', message: 'Interrupted: nothing was written.' },
      },
      undefined,
      2,
    )}\n`,
    stderr: '',
  });
});

test('a bug keeps its stack, and its status is 1', async () => {
  const broken = { isAlive: undefined as unknown as World['isAlive'], cwd: 7 as unknown as string };
  const { status, stderr } = await told(['my-api'], broken);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^error this is a bug of create-service\. Please report:\nTypeError.*\n +at /,
  );
});

test('in colour where that is asked for', async () => {
  const { stderr } = await told(['--frm'], { env: { FORCE_COLOR: '1' } });
  expect(stderr).toContain('\u001b[31merror\u001b[39m there is no option --frm');
});

test.each([
  [{ npm_config_user_agent: 'pnpm/9.1.0 npm/? node/v20.19.0 linux x64' }, 'pnpm'],
  [{ npm_config_user_agent: 'vlt/1.0.0' }, 'npm'],
  [{}, 'npm'],
])('the package manager that runs this is the one that is named: %j', async (env, manager) => {
  const { stderr } = await told(['my-api', '--no-install', '--no-git'], { env });
  expect(stderr).toContain(`\n  ${manager} install\n  ${manager} run admin `);
});
