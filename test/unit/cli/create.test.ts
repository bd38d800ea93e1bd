/** A new service: what is printed where, what is written, and what is not. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { BOOKSHOP, FAST, ROOT, cli, filesIn, usePlace } from './support.ts';

const place = usePlace();

const read = (file: string): string => readFileSync(path.join(place.path, file), 'utf8');

describe('a new service', () => {
  test('starts from the bookshop where nothing is said, and says so', async () => {
    const { exitCode, stdout, stderr } = await cli(place, ['my-api', ...FAST]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toMatch(
      /^Starting from the example bookshop; --from starts from your own definitions\.\nCreated my-api: \d+ files\.\n\nBookshop is ready\. Next:\n\n {2}cd my-api\n {2}npm install\n {2}npm run admin -- ada {2}# creates an administrator\n {2}npm run seed {10}# creates the items of seeds\/\n {2}npm run dev {11}# starts the service, and restarts it when a file changes\n\nThen open /,
    );
    expect(readdirSync(place.path)).toEqual(['my-api']);
    expect(read('my-api/definitions/service.yaml')).toContain('name: bookshop');
    expect(read('my-api/package.json')).toContain(`"create-service": "file:${ROOT.slice(0, -1)}"`);
  });

  test('over existing tables names the database before the first command that writes to it', async () => {
    writeFileSync(
      path.join(place.path, 'films.yaml'),
      'schema: service\ncollections:\n  films:\n    table: film\n    key: { type: integer, column: film_id }\n    history: {}\n    fields:\n      title: { type: text }\n',
    );
    const words = ['films', '--from', 'films.yaml', '--json', ...FAST];
    const { stdout } = await cli(place, words);
    expect(JSON.parse(stdout)).toMatchObject({
      next: [
        'cd films',
        'npm install',
        'cp .env.example .env',
        'npm run admin -- ada',
        'npm run dev',
      ],
    });
    expect(read('films/.env.example')).toContain('DATABASE_URL=');
  });

  test('is the same, byte by byte, when it is made again', async () => {
    await Promise.all(
      ['a', 'b'].map(async (name) => cli(place, [name, '--from', BOOKSHOP, ...FAST])),
    );
    expect(filesIn(path.join(place.path, 'a'))).toEqual(filesIn(path.join(place.path, 'b')));
  });

  test('is named, and put where its name says', async () => {
    const { stderr } = await cli(place, ['--from', BOOKSHOP, '--name', 'reading-room', ...FAST]);
    expect(stderr).toContain('Created reading-room:');
    expect(JSON.parse(read('reading-room/package.json'))).toMatchObject({ name: 'reading-room' });
    expect(read('reading-room/definitions/service.yaml')).toContain('\nname: reading-room\n');
  });

  test('is made in the folder that holds its definitions, which stay as they are', async () => {
    const text = 'fields:\n    title: { type: string }   # as it was\n';
    mkdirSync(path.join(place.path, 'definitions/collections'), { recursive: true });
    writeFileSync(path.join(place.path, 'definitions/collections/books.yaml'), text);
    const { exitCode, stderr } = await cli(place, ['--quiet', ...FAST]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(read('definitions/collections/books.yaml')).toBe(text);
    expect(read('definitions/service.yaml')).toContain(`name: create-service-test-`);
    expect(existsSync(path.join(place.path, 'package.json'))).toBe(true);
    expect(read('.create-service/manifest')).not.toContain('books.yaml');
  });

  test('fills the folder that it is run in', async () => {
    mkdirSync(path.join(place.path, '.git'));
    const { exitCode, stderr } = await cli(place, ['.', '--from', BOOKSHOP, ...FAST]);
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain('cd ');
    expect(readdirSync(place.path).filter((name) => name.includes('create-service'))).toEqual([
      '.create-service',
    ]);
  });

  test.each([
    ['10.99.1', /^pnpm@10\.99\.1$/],
    ['10.26.0', /^pnpm@10\.26\.0$/],
    ['10.1.0', /^pnpm@10\.3/],
    ['9.15.0', /^pnpm@10\.3/],
  ])('names the pnpm %s of this machine as %s', async (version, named) => {
    const bin = path.join(place.path, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'pnpm'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    const env = { PATH: `${bin}${path.delimiter}${process.env['PATH']}` };
    await cli(place, ['my-api', '--package-manager', 'pnpm', ...FAST], { env });
    const { packageManager } = JSON.parse(read('my-api/package.json')) as {
      packageManager: string;
    };
    expect(packageManager).toMatch(named);
  });

  test.each([
    [
      'missing',
      'exit 127',
      1,
      /^error pnpm is not on this machine, or does not print its version\n.*--no-install\.\n$/,
    ],
    [
      'too old',
      'echo 10.25.9',
      1,
      /^error pnpm 10\.25\.9 is too old: a service needs 10\.26\.0 or newer\n.*--no-install\.\n$/,
    ],
    // As Corepack does it.
    [
      'too old, but runs the version that a project names',
      'if grep -q pnpm@10.3 package.json 2> /dev/null; then echo 10.34.9; else echo 9.15.0; fi',
      0,
      /^Installed the dependencies\.$/m,
    ],
  ])('checks the package manager before it writes: %s', async (_what, script, status, message) => {
    const bin = path.join(place.path, 'bin');
    mkdirSync(bin);
    const program = `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`;
    writeFileSync(path.join(bin, 'pnpm'), program, { mode: 0o755 });
    const words = ['my-api', '--from', BOOKSHOP, '--package-manager', 'pnpm', '--no-git'];
    const { exitCode, stderr } = await cli(place, words, { env: { PATH: bin } });
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(status);
    expect(existsSync(path.join(place.path, 'my-api'))).toBe(status === 0);
  });

  test('says what to change where it becomes a workspace', async () => {
    writeFileSync(path.join(place.path, 'package.json'), '{ "workspaces": ["services/*"] }');
    const note =
      /^package\.json declares workspaces\. If this service becomes one of them, (\S+) /m;
    const npm = await cli(place, ['services/one', '--from', BOOKSHOP, ...FAST]);
    expect(note.exec(npm.stderr)?.[1]).toBe('package-lock.json');
    const bun = ['services/two', '--from', BOOKSHOP, '--package-manager', 'bun', ...FAST];
    expect(note.exec((await cli(place, bun)).stderr)?.[1]).toBe('bun.lock');
    // With a pnpm-workspace.yaml of its own it is a root for pnpm.
    const pnpm = ['services/three', '--from', BOOKSHOP, '--package-manager', 'pnpm', ...FAST];
    expect((await cli(place, pnpm)).stderr).not.toMatch(note);
    writeFileSync(path.join(place.path, 'package.json'), '{ "name": "no-workspaces" }');
    expect((await cli(place, ['four', '--from', BOOKSHOP, ...FAST])).stderr).not.toMatch(note);
  });

  test('is only listed in a dry run', async () => {
    const { exitCode, stdout, stderr } = await cli(place, [
      'my-api',
      '--from',
      BOOKSHOP,
      '--dry-run',
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('\nyours      src/collections/books/hooks.ts\n');
    expect(stdout).toContain('\ngenerated  src/collections/books/routes.ts\n');
    expect(stdout).toContain('\nmigration  migrations/0001_initial.sql\n');
    expect(stdout).not.toMatch(/^(?!(?:generated|yours {4}|migration) {2}\S+$)./m);
    expect(stderr).toMatch(/^\d+ files would be in my-api\. Nothing was written\.\n$/);
    expect(readdirSync(place.path)).toEqual([]);
  });

  test('is told as one document', async () => {
    const { exitCode, stdout, stderr } = await cli(place, ['my-api', '--json', ...FAST]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      dryRun: false,
      service: 'bookshop',
      folder: path.join(place.path, 'my-api'),
      files: expect.arrayContaining([{ path: 'src/app.ts', ownership: 'merged' }]),
      installed: false,
      git: 'none',
      next: ['cd my-api', 'npm install', 'npm run admin -- ada', 'npm run seed', 'npm run dev'],
    });
  });
});
