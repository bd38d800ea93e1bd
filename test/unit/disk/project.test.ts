/** What stands in a project on disk. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { realFileSystem } from '../../../src/disk/file-system.ts';
import { readProject } from '../../../src/disk/project.ts';
import type { Project } from '../../../src/disk/project.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  put('.create-service/manifest', 'manifest 1\ngenerator 1.0.0\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(file: string, text: string | Uint8Array): void {
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

const project = (): Project => readProject(realFileSystem, folder, (file) => file)!;

test('a named pipe in the record is refused, for reading it would never end', () => {
  execFileSync('mkfifo', [path.join(folder, '.create-service/applied')]);
  expect(project).toThrow('.create-service/applied is no regular file');
});

test('a file, a folder, a link, what is no text, and nothing', () => {
  put('src/app.ts', 'one();\r\n');
  put('src/image.ts', Uint8Array.of(0xff, 0xfe));
  mkdirSync(path.join(folder, 'src/folder.ts'));
  symlinkSync('app.ts', path.join(folder, 'src/link.ts'));
  const { diskFile } = project();
  expect(diskFile('src/app.ts')).toMatchObject({
    ...{ kind: 'text', text: 'one();\n', form: { crlf: true, bom: false } },
  });
  expect(diskFile('src/image.ts')).toEqual({ kind: 'obstacle', obstacle: 'not text' });
  expect(diskFile('src/folder.ts')).toEqual({ kind: 'obstacle', obstacle: 'folder' });
  expect(diskFile('src/link.ts')).toEqual({ kind: 'obstacle', obstacle: 'link' });
  expect(diskFile('src/other.ts')).toEqual({ kind: 'nothing' });
  expect(diskFile('nowhere/app.ts')).toEqual({ kind: 'nothing' });
});

test('nothing stands below a file in the place of a folder', () => {
  put('src', 'a file\n');
  expect(project().diskFile('src/app.ts')).toEqual({ kind: 'nothing' });
  expect(project().diskFile('src/deep/app.ts')).toEqual({ kind: 'nothing' });
});

test.each([
  ['README.md', 'readme.md'],
  ['readme.md', 'README.md'],
  ['src/Books/app.ts', 'src/Books/App.ts'],
])('where %s is, %s would be the same file on some systems', (there, asked) => {
  put(there, 'text\n');
  const found = project().diskFile(asked);
  // On such a system it is that file.
  expect([
    { kind: 'obstacle', obstacle: 'other name' },
    expect.objectContaining({ kind: 'text' }),
  ]).toContainEqual(found);
  expect(found.kind).not.toBe('nothing');
});

test('sources are all files but hidden, installed, built and generated ones', () => {
  for (const file of [
    'src/app.ts',
    'scripts/seed.mjs',
    'vitest.config.ts',
    '.idea/workspace.ts',
    'src/.cache/app.ts',
    'node_modules/pg/index.js',
    'dist/app.js',
    'coverage/app.js',
    'migrations/0001_initial.sql',
    'definitions/service.yaml',
    'client/dist/app.js',
    // A collection may be called so.
    'src/collections/definitions/hooks.ts',
    'src/collections/coverage/hooks.ts',
    'scripts/migrations/backfill.ts',
  ]) {
    put(file, 'text\n');
  }
  expect(project().sourceFiles().toSorted()).toEqual([
    'scripts/migrations/backfill.ts',
    'scripts/seed.mjs',
    'src/app.ts',
    'src/collections/coverage/hooks.ts',
    'src/collections/definitions/hooks.ts',
    'vitest.config.ts',
  ]);
});

test.each(['EACCES', 'EPERM', 'ENOENT'])(
  'a folder that cannot be read (%s) has no sources',
  (code) => {
    put('src/app.ts', 'text\n');
    put('pgdata/base.ts', 'text\n');
    const readdirSync = (...args: readonly unknown[]): unknown => {
      if (String(args[0]).endsWith('pgdata'))
        throw Object.assign(new Error(code), { code, syscall: 'scandir' });
      return (realFileSystem.readdirSync as (...all: readonly unknown[]) => unknown)(...args);
    };
    const fs = { ...realFileSystem, readdirSync } as typeof realFileSystem;
    const { sourceFiles } = readProject(fs, folder, (file) => file)!;
    expect(sourceFiles()).toEqual(['src/app.ts']);
  },
);
