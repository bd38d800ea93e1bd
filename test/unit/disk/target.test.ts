/** What may stand where a project is to go, and what is said of what may not. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { realFileSystem } from '../../../src/disk/file-system.ts';
import { examineTarget } from '../../../src/disk/target.ts';
import type { Target } from '../../../src/disk/target.ts';

let place = '';
beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const at = (name: string): string => path.join(place, name);

function examine(name: string, cwd = place, sources: readonly string[] = []): Target {
  return examineTarget(realFileSystem, at(name), { shown: name, cwd, sources });
}

test('nothing is there', () => {
  expect(examine('shop')).toEqual({ folder: at('shop'), inPlace: false });
});

test('an empty folder may be replaced, but for the one that is worked in', () => {
  mkdirSync(at('shop'));
  expect(examine('shop')).toEqual({ folder: at('shop'), inPlace: false });
  expect(examine('shop', at('shop'))).toEqual({ folder: at('shop'), inPlace: true });
});

test('history, traces of editors, and what the project is made from are not in the way', () => {
  for (const name of ['.git', '.idea', 'definitions'])
    mkdirSync(path.join(at('shop'), name), { recursive: true });
  expect(examine('shop', place, [at('shop/definitions')])).toEqual({
    folder: at('shop'),
    inPlace: true,
  });
  expect(() => examine('shop')).toThrow('shop is not empty: it holds definitions');
});

test('what is in the way is listed, and counted where there is much', () => {
  mkdirSync(at('shop'));
  for (const name of ['a', 'b']) writeFileSync(path.join(at('shop'), name), '');
  expect(() => examine('shop')).toThrow('shop is not empty: it holds a, b');
  for (const name of ['c', 'd', 'e', 'f']) writeFileSync(path.join(at('shop'), name), '');
  expect(() => examine('shop')).toThrow('shop is not empty: it holds a, b, c, d and 2 more');
});

test('a file, and a path through a file', () => {
  writeFileSync(at('shop'), '');
  expect(() => examine('shop')).toThrow('shop is a file, and a service needs a folder');
  expect(() => examine('shop/api')).toThrow('a part of the path shop/api is a file, not a folder');
});

test('symbolic links are followed, and told of where they lead nowhere', () => {
  mkdirSync(at('real'));
  symlinkSync('real', at('link'));
  expect(examine('link')).toEqual({ folder: at('real'), inPlace: false });
  symlinkSync('nowhere', at('dangling'));
  expect(() => examine('dangling')).toThrow(
    'dangling is a symbolic link to a folder that does not exist',
  );
  symlinkSync('circle', at('circle'));
  expect(() => examine('circle')).toThrow('the path circle has a loop of symbolic links');
});

test('what the project is made from is not in the way behind a link, by either path', () => {
  mkdirSync(at('real/definitions'), { recursive: true });
  symlinkSync('real', at('link'));
  for (const source of ['real/definitions', 'link/definitions']) {
    expect(examine('link', place, [at(source)])).toEqual({ folder: at('real'), inPlace: true });
  }
});

test('a name that no file system takes', () => {
  const name = 'a'.repeat(300);
  expect(() => examine(name)).toThrow(`the path is too long: ${'a'.repeat(60)}…`);
});
