/** What stands in a folder of definitions and is no file. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execaSync } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { readDefinitions } from '../../../src/disk/definitions.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  mkdirSync(path.join(folder, 'collections'));
  writeFileSync(path.join(folder, 'service.yaml'), 'name: shop\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = () => readDefinitions(folder, (file) => path.relative(folder, file));

test('a pipe is refused by its name, and not waited for', () => {
  execaSync('mkfifo', [path.join(folder, 'collections/books.yaml')]);
  expect(read).toThrow('collections/books.yaml is neither a file nor a folder');
});

test('a link that leads nowhere is refused by its name', () => {
  symlinkSync('nowhere.yaml', path.join(folder, 'collections/books.yaml'));
  expect(read).toThrow('collections/books.yaml could not be read');
});

test('a link to a file is read', () => {
  writeFileSync(path.join(folder, 'elsewhere'), 'fields:\n  title: { type: string }\n');
  symlinkSync('../elsewhere', path.join(folder, 'collections/books.yaml'));
  const { kind, ...found } = read();
  expect(kind).toBe('folder');
  expect(found).toMatchObject({
    files: [{ path: 'collections/books.yaml' }, { path: 'service.yaml' }],
  });
});

test('hidden files, installed packages and files of other kinds are none', () => {
  for (const file of [
    '.drafts.yaml',
    '.idea/books.yaml',
    'node_modules/shop/books.yaml',
    'collections/.books.yaml.swp.yaml',
    'collections/notes.md',
  ]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), 'fields: {}\n');
  }
  expect(read()).toMatchObject({ files: [{ path: 'service.yaml' }] });
});
