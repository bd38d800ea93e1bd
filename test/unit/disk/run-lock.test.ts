/** One run at a time, and what dead ones left is taken over. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { PathLike } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { realFileSystem as fs } from '../../../src/disk/file-system.ts';
import { isLocked, takeLock } from '../../../src/disk/run-lock.ts';

let place = '';
beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  mkdirSync(path.join(place, '.create-service'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const options = (pid: number, alive: readonly number[] = [], host = 'here') => ({
  owner: { pid, host, random: `0000000${pid % 10}` },
  isAlive: (other: number) => alive.includes(other),
  shown: 'shop',
});
const lockFile = (): string => path.join(place, '.create-service/lock');
const files = (): string[] => readdirSync(path.join(place, '.create-service'));

test('is given back', () => {
  const release = takeLock(fs, place, options(1));
  expect(isLocked(fs, place, options(2, [1]))).toBe(true);
  release();
  expect(isLocked(fs, place, options(2, [1]))).toBe(false);
  expect(files()).toEqual([]);
});

test('keeps others away while its process lives', () => {
  takeLock(fs, place, options(1));
  expect(() => takeLock(fs, place, options(2, [1]))).toThrow(
    'another create-service is running in shop (process 1)',
  );
  expect(files()).toEqual(['lock']);
});

test('is not left behind by a run that found the disk full', () => {
  const full: typeof fs = {
    ...fs,
    writeFileSync: (file, _text, settings) => {
      fs.writeFileSync(file, '', settings);
      throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
    },
  };
  expect(() => takeLock(full, place, options(1))).toThrow(
    'no space is left on the disk to write shop',
  );
  expect(files()).toEqual([]);
  // Somebody else's stays.
  takeLock(fs, place, options(1));
  expect(() => takeLock(full, place, options(2, [1]))).toThrow('another create-service is running');
  expect(files()).toEqual(['lock']);
});

test('is taken over from a process that is gone', () => {
  takeLock(fs, place, options(1));
  const release = takeLock(fs, place, options(2));
  expect(isLocked(fs, place, options(3, [2]))).toBe(true);
  release();
  expect(files()).toEqual([]);
});

test('is taken over from an earlier process that had the same id, as in a container', () => {
  takeLock(fs, place, options(1));
  const release = takeLock(fs, place, options(1, [1]));
  release();
  expect(files()).toEqual([]);
});

test.each([
  ['of another machine', JSON.stringify({ pid: 1, host: 'there', random: '0' })],
  ['that was being written when its process died', ''],
])('is taken over where it is one %s, after a while', (_what, text) => {
  writeFileSync(lockFile(), text);
  expect(() => takeLock(fs, place, options(2))).toThrow(
    'another create-service is running in shop',
  );
  const long = new Date(Date.now() - 11 * 60 * 1000);
  utimesSync(lockFile(), long, long);
  takeLock(fs, place, options(2));
  expect(isLocked(fs, place, options(3, [2]))).toBe(true);
});

test('is left to the run that was sooner to take it over', () => {
  takeLock(fs, place, options(1));
  // Between look and rename another run takes the lock of the dead one.
  const racing = {
    ...fs,
    renameSync: (from: PathLike, to: PathLike): void => {
      if (from === lockFile()) {
        writeFileSync(lockFile(), JSON.stringify(options(3).owner));
      }
      fs.renameSync(from, to);
    },
  };
  expect(() => takeLock(racing, place, options(2, [3]))).toThrow('(process 3)');
  expect(isLocked(fs, place, options(2, [3]))).toBe(true);
  expect(files()).toEqual(['lock']);
});
