/** One run in this process: what is told of errors of every kind, and the exit status. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { runCommandLine } from '../../../src/cli/run.ts';
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
  const status = await runCommandLine({
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
        issues: [{ code: 'interrupted', message: 'Interrupted: nothing was written.' }],
      },
      undefined,
      2,
    )}\n`,
    stderr: '',
  });
});

describe('failures', () => {
  const BROKEN = 'collections: { books: { fields: { title: { type: strng } } } }\n';
  const broken = { file: 'broken.yaml', line: 1, column: 50, code: 'wrong-word' };
  beforeEach(() => writeFileSync(path.join(cwd, 'broken.yaml'), BROKEN));

  test.each<[what: string, words: readonly string[], status: number, issue: object]>([
    ['a wrong option', ['check', '--frm'], 2, { code: 'usage' }],
    ['a new service', ['x', '--from', 'no.yaml'], 2, { code: 'from-missing', file: 'no.yaml' }],
    ['explain', ['explain', '--from', 'no.yaml'], 2, { code: 'from-missing', file: 'no.yaml' }],
    ['import', ['import', 'no.yaml', 'x'], 2, { code: 'document-missing', file: 'no.yaml' }],
    ['wrong definitions', ['explain', '--from', 'broken.yaml'], 1, broken],
    ['a folder without a project', ['generate'], 2, {}],
  ])('have one shape with --json: %s', async (_what, words, status, issue) => {
    const run = await told([...words, '--json']);
    const document = JSON.parse(run.stdout) as { readonly issues: readonly object[] };
    expect(Object.keys(document)).toEqual(['ok', 'issues']);
    expect(document).toMatchObject({ ok: false, issues: [issue] });
    expect(document.issues[0]).toMatchObject({
      code: expect.any(String) as unknown,
      message: expect.any(String) as unknown,
    });
    expect(run).toMatchObject({ status, stderr: '' });
  });

  test('of definitions are in color where other errors are', async () => {
    const words = ['explain', '--from', 'broken.yaml'];
    const { stderr } = await told(words, { env: { FORCE_COLOR: '1' } });
    expect(stderr).toContain('broken.yaml:1:50 \u001B[31merror\u001B[39m ');
    expect((await told(words)).stderr).toContain('broken.yaml:1:50 error ');
  });
});

test('a bug keeps its stack, and its status is 1', async () => {
  const broken = { isAlive: undefined as unknown as World['isAlive'], cwd: 7 as unknown as string };
  const { status, stderr } = await told(['my-api'], broken);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^error this is a bug of create-service \d+\.\d+\.\d+\S*\. Please report:\nTypeError.*\n +at /,
  );
});

test('in colour where that is asked for', async () => {
  const { stderr } = await told(['--frm'], { env: { FORCE_COLOR: '1' } });
  expect(stderr).toContain('\u001b[31merror\u001b[39m there is no option --frm');
});

test.each([
  [{ npm_config_user_agent: 'pnpm/9.1.0 npm/? node/v20.19.0 linux x64' }, [], 'pnpm'],
  [{ npm_config_user_agent: 'bun/99.0.0 npm/? node/v24.1.0 linux x64' }, [], 'bun@99.0.0'],
  [
    { npm_config_user_agent: 'bun/99.0.0 npm/? node/v24.1.0 linux x64' },
    ['--package-manager', 'yarn'],
    'yarn@4.',
  ],
  [{ npm_config_user_agent: 'vlt/1.0.0' }, [], 'npm'],
  [{}, [], 'npm'],
])('%j and %j: what is told and what is made are for %s', async (env, typed, manager) => {
  const { stderr } = await told(['my-api', '--no-install', '--no-git', ...typed], { env });
  const [name] = manager.split('@');
  expect(stderr).toContain(`\n  ${name} install\n  ${name} run admin `);
  const made = readFileSync(path.join(cwd, 'my-api/package.json'), 'utf8');
  expect(/"packageManager": "(.*)"/.exec(made)?.[1] ?? 'npm').toContain(manager);
});

test('on a narrow terminal each step has what it does below it', async () => {
  const { stderr } = await told(['shop', '--no-install', '--no-git'], { columns: 40 });
  expect(stderr).toContain(
    '\n  npm run dev\n      starts the service, and restarts\n      it when a file changes\n',
  );
  const [, last = ''] = stderr.split('\n\nThen ');
  for (const line of `Then ${last}`.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
});

test('a project is told of in the words of its package manager', async () => {
  await told(['shop', '--no-install', '--no-git', '--package-manager', 'pnpm']);
  const words = ['generate', 'collection', 'shelves', 'name:string', '--cwd', 'shop'];
  const { stderr } = await told(words);
  expect(stderr).toContain('read it; pnpm run migrate or the next start applies it.');
});
