/**
 * The tarball as strangers use it: by every way of running it, on every Node that it promises, and
 * in the places where programs are seldom tried.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { execa } from 'execa';
import { beforeAll, describe, expect, inject, test } from 'vitest';

import { makeProject, ROOT, runScript, start } from './support/project.ts';

const PLAIN = ['--no-install', '--no-git', '--yes'];
const BOOKSHOP = join(ROOT, 'examples/bookshop.yaml');

/** A new folder of the workshop. */
function folder(name: string): string {
  const made = join(inject('workshop'), 'packed', name);
  mkdirSync(made, { recursive: true });
  return made;
}

/** One hash of all that stands below a folder, but what was installed or built. */
function fingerprint(project: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(project, join(entry.parentPath, entry.name)))
    .filter((file) => !/^(?:node_modules|dist|\.data)\//.test(file));
  for (const file of files.toSorted())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(project, file)))
      .update('\0');
  return hash.digest('hex');
}

describe('ways to run it', () => {
  test('npx with the tarball, whose projects install it from there', async () => {
    const cwd = folder('npx');
    const words = ['exec', '--yes', `--package=${inject('tarball')}`, '--', 'create-service'];
    await execa('npm', [...words, 'my-api', ...PLAIN], { cwd });
    const text = readFileSync(join(cwd, 'my-api/package.json'), 'utf8');
    const { devDependencies } = JSON.parse(text) as { devDependencies: Record<string, string> };
    expect(devDependencies['create-service']).toBe(`file:${inject('tarball')}`);
  });

  test('installed for all projects', async () => {
    const prefix = folder('global');
    const words = ['--no-audit', '--no-fund', '--prefer-offline', inject('tarball')];
    await execa('npm', ['install', '--global', '--prefix', prefix, ...words]);
    const command = join(prefix, 'bin/create-service');
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect((await execa(command, ['--version'])).stdout).toBe(version);
    await execa(command, ['my-api', ...PLAIN], { cwd: prefix });
    const checked = await execa(command, ['check'], { cwd: join(prefix, 'my-api') });
    expect(checked.exitCode).toBe(0);
  });

  test('as a library with types', async () => {
    const cwd = folder('library');
    symlinkSync(dirname(dirname(inject('command'))), join(cwd, 'node_modules'));
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
    writeFileSync(
      join(cwd, 'consumer.ts'),
      `import { DefinitionError, render } from 'create-service';
import type { RenderedFile } from 'create-service';

const text = 'collections: { notes: { fields: { body: { type: text } } } }';
const files: readonly RenderedFile[] = await render({ path: 'notes.yaml', text }, { name: 'notes' });
const issues = await render([{ path: 'service.yaml', text: 'nme: x' }]).catch((error: unknown) =>
  error instanceof DefinitionError ? error.issues.map(({ line }) => line) : error,
);
// @ts-expect-error a path is missing
void (() => render({ text }));
console.log(JSON.stringify([files.some(({ path }) => path === 'src/server.ts'), issues]));
`,
    );
    const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--types', ''];
    const lib = ['--lib', 'es2023,dom'];
    await execa(join(ROOT, 'node_modules/.bin/tsc'), [...options, ...lib, 'consumer.ts'], { cwd });
    const { stdout } = await execa(process.execPath, ['consumer.js'], { cwd });
    // A key that is unknown, and no collections.
    expect(JSON.parse(stdout)).toEqual([true, [1, 1]]);
  });
});

describe('Node 20.19, 22 and 24', () => {
  const VERSIONS = { 20: '20.19.0', 22: '22', 24: '24' } as const;
  const binaries = new Map<string, string>();
  // What npm serves as a package of its own for each platform.
  const platform = `node-${process.platform}-${process.arch}`;
  let project = '';

  beforeAll(async () => {
    const cwd = folder('nodes');
    writeFileSync(join(cwd, 'package.json'), '{ "private": true }');
    const packages = Object.entries(VERSIONS).map(
      ([major, version]) => `node${major}@npm:${platform}@${version}`,
    );
    const words = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
    await execa('npm', ['install', ...words, ...packages], { cwd });
    for (const major of Object.keys(VERSIONS))
      binaries.set(major, join(cwd, `node_modules/node${major}/bin/node`));
  });

  test('emit the same bytes', async () => {
    const cwd = folder('same bytes');
    const prints = new Set<string>();
    for (const [major, node] of binaries) {
      const { stdout } = await execa(node, ['--version']);
      expect(stdout).toMatch(new RegExp(`^v${major}\\.`));
      const words = [inject('command'), join(cwd, major), '--from', BOOKSHOP, '--name', 'same'];
      await execa(node, [...words, '--tool', '0.1.0', ...PLAIN]);
      prints.add(fingerprint(join(cwd, major)));
      const check = await execa(node, [inject('command'), 'check'], { cwd: join(cwd, major) });
      expect(check.exitCode).toBe(0);
    }
    expect(prints.size).toBe(1);
  });

  test('a service is made in a path that careless programs trip over, and compiled', async () => {
    project = await makeProject(
      'with space, ünïcödé and 日本',
      'test/cases/minimal/definitions.yaml',
    );
    expect(await runScript(project, 'build')).toMatchObject({ exitCode: 0 });
  });

  test.each(Object.keys(VERSIONS))('it runs on Node %s', async (major) => {
    const service = await start(project, { DATA_DIR: 'memory' }, binaries.get(major));
    expect((await fetch(`${service.origin}/docs`)).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });

  // The service as a whole on the newest; on the one before, what depends on Node: HTTP, limits, the log and the database.
  test.each([
    [
      '22',
      [
        'test/authentication',
        'test/conventions',
        'test/database',
        'test/late-bodies',
        'test/operation',
      ],
    ],
    ['24', []],
  ])('it passes its tests on Node %s', async (major, files) => {
    const node = binaries.get(major) ?? '';
    const vitest = join(project, 'node_modules/vitest/vitest.mjs');
    const { exitCode, all } = await execa(node, [vitest, 'run', ...files], {
      cwd: project,
      all: true,
      reject: false,
    });
    expect(exitCode, all).toBe(0);
    expect(all).not.toMatch(/^\(node:\d+\) \w*Warning/m);
  });
});

describe('places', () => {
  test('with spaces and Unicode: a project is made, generated and checked', async () => {
    const cwd = folder('été à "l’île" 日本');
    const words = [inject('command'), 'mein projekt', '--from', BOOKSHOP, '--name', 'shop'];
    await execa(process.execPath, [...words, ...PLAIN], { cwd });
    const project = join(cwd, 'mein projekt');
    const generated = await execa(process.execPath, [inject('command'), 'generate'], {
      cwd: project,
    });
    expect(generated.stderr).toContain('shop is up to date: nothing to do.');
    const checked = await execa(process.execPath, [inject('command'), 'check'], { cwd: project });
    expect(checked.exitCode).toBe(0);
  });

  test.each([
    ['no home', { HOME: undefined, USERPROFILE: undefined }],
    ['a home that cannot be written', { HOME: '/proc/nobody', XDG_CACHE_HOME: '/proc/nobody' }],
    ['a folder for temporary files that is not there', { TMPDIR: '/proc/nobody' }],
    ['no terminal of a kind', { TERM: 'dumb', COLUMNS: '0', LANG: 'C', LC_ALL: 'C' }],
  ])('%s', async (name, env) => {
    const cwd = folder(name);
    const { stderr } = await execa(process.execPath, [inject('command'), 'shop', ...PLAIN], {
      cwd,
      env,
      stdin: 'ignore',
    });
    expect(stderr).toContain('Bookshop is ready.');
  });

  test('no git', async () => {
    const cwd = folder('no git');
    const path = join(cwd, 'bin');
    mkdirSync(path);
    symlinkSync(process.execPath, join(path, 'node'));
    const words = [inject('command'), 'shop', '--no-install', '--yes'];
    const { stderr } = await execa(process.execPath, words, { cwd, env: { PATH: path } });
    expect(stderr).toContain('Created no git repository: git is not installed');
    expect(existsSync(join(cwd, 'shop/.git'))).toBe(false);
  });

  test('nobody to ask: it asks nothing', async () => {
    const cwd = folder('nobody');
    const run = execa(process.execPath, [inject('command'), '--no-install', '--no-git'], { cwd });
    run.stdin.end();
    expect((await run).stderr).toContain('Starting from the example bookshop');
  });

  test('no network, with a warm cache: it installs', async () => {
    const cwd = folder('offline');
    const definitions = join(ROOT, 'test/cases/minimal/definitions.yaml');
    const install = (name: string, env: Readonly<Record<string, string>>) => {
      const words = [name, '--from', definitions, '--no-git', '--yes', '--package-manager', 'npm'];
      const tool = ['--tool', `file:${inject('tarball')}`];
      return execa(process.execPath, [inject('command'), ...words, ...tool], { cwd, env });
    };
    // A cache of its own: others may have filled the cache of the user, or not.
    const npm_config_cache = join(cwd, 'cache');
    await install('warm', { npm_config_cache });
    const { stderr } = await install('cold', { npm_config_cache, npm_config_offline: 'true' });
    expect(stderr).toContain('Installed the dependencies.');
    expect(existsSync(join(cwd, 'cold/node_modules/fastify'))).toBe(true);
  });

  test('where nothing can be written, it says so in a line', async () => {
    const words = [inject('command'), '/proc/shop', '--from', BOOKSHOP, ...PLAIN];
    const { exitCode, stdout, stderr } = await execa(process.execPath, words, { reject: false });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/\/proc/);
    expect(stderr).not.toMatch(/^ {4}at |bug of create-service/m);
  });
});
