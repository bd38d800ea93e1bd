/** A project is changed whole or not at all: at whatever call the file system fails or we die. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { realFileSystem } from '../../../src/disk/file-system.ts';
import type { FileSystem } from '../../../src/disk/file-system.ts';
import { carryOut, recover, wasBrokenOff } from '../../../src/disk/journal.ts';
import type { Change } from '../../../src/disk/journal.ts';
import { UserError } from '../../../src/errors.ts';
import { hashOf } from '../../../src/update/text.ts';
import { caught, dyingAt, eachCall, failingAt, treeOf, vetoing } from './faults.ts';

const BEFORE: Readonly<Record<string, string>> = {
  '.create-service/manifest': 'manifest 1\ngenerator 1.0.0\n',
  '.create-service/base/src/app.ts.base': 'one\n',
  'src/app.ts': 'mine\n',
  'src/old/routes.ts': 'old\n',
  'src/mine.ts': 'mine\n',
};
const before = (file: string): { before: string } => ({ before: hashOf(BEFORE[file] ?? '') });
const CHANGES: readonly Change[] = [
  {
    path: '.create-service/manifest',
    raw: 'manifest 1\ngenerator 2.0.0\n',
    ...before('.create-service/manifest'),
  },
  {
    path: '.create-service/base/src/app.ts.base',
    raw: 'two\n',
    ...before('.create-service/base/src/app.ts.base'),
  },
  { path: 'src/app.ts', raw: 'merged\n', ...before('src/app.ts') },
  { path: 'src/new/deep/routes.ts', raw: 'new\n', like: 'src/old/routes.ts' },
  { path: 'src/old/routes.ts', ...before('src/old/routes.ts') },
];
const AFTER: Readonly<Record<string, string>> = {
  '.create-service/manifest': 'manifest 1\ngenerator 2.0.0\n',
  '.create-service/base/src/app.ts.base': 'two\n',
  'src/app.ts': 'merged\n',
  'src/new/deep/routes.ts': 'new\n',
  'src/mine.ts': 'mine\n',
};

let place = '';
beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const at = (file: string): string => path.join(place, file);
const shown = (file: string): string => file;
const carry = (fs: FileSystem, changes = CHANGES): void => carryOut(fs, place, changes, shown);

/** One file that is written, one that goes, and the manifest: what two faults are tried on. */
const FEW = CHANGES.filter(({ path: file }) => /manifest$|^src\/(?:app|old)/.test(file));
const only = (tree: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(tree).filter(([file]) => FEW.some((one) => one.path === file)));

function prepare(files = BEFORE): void {
  rmSync(place, { recursive: true, force: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  }
}

test('all changes are made, and no folder stays that holds nothing', () => {
  prepare();
  carry(realFileSystem);
  expect(treeOf(place)).toEqual(AFTER);
});

test('a failure at any call leaves all as it was', () => {
  const failures = eachCall((call) => {
    prepare();
    const error = caught(() => carry(failingAt(call, 'ENOSPC')));
    if (error === undefined) return false;
    expect(error).toBeInstanceOf(UserError);
    expect(treeOf(place), `call ${call}`).toEqual(BEFORE);
    return true;
  });
  expect(failures).toBeGreaterThan(CHANGES.length * 3);
});

test('a death at any call leaves all as it was, or what the next run finishes', () => {
  const outcomes = new Set<string>();
  eachCall((call) => {
    prepare();
    const error = caught(() => carry(dyingAt(call)));
    const wasBegun = wasBrokenOff(realFileSystem, place);
    const recovery = recover(realFileSystem, place, shown);
    expect(recovery).toEqual(wasBegun ? { beside: [] } : undefined);
    expect([BEFORE, AFTER], `call ${call}`).toContainEqual(treeOf(place));
    outcomes.add(wasBegun ? 'finished' : 'nothing begun');
    return error !== undefined;
  });
  expect([...outcomes].toSorted()).toEqual(['finished', 'nothing begun']);
});

test('a death at any call, and another at any call of what finishes it', () => {
  eachCall((call) => {
    let isOver = false;
    eachCall((second) => {
      prepare(only(BEFORE));
      isOver = caught(() => carry(dyingAt(call), FEW)) === undefined;
      const error = caught(() => recover(dyingAt(second), place, shown));
      recover(realFileSystem, place, shown);
      expect([only(BEFORE), only(AFTER)], `${call}, ${second}`).toContainEqual(treeOf(place));
      return error !== undefined;
    });
    return !isOver;
  });
}, 120_000);

test('a failure at any call, and a death while it is taken back', () => {
  eachCall((call) => {
    let hasFailed = false;
    eachCall((second) => {
      prepare(only(BEFORE));
      hasFailed = false;
      let calls = 0;
      let isDead = false;
      const fs = vetoing(realFileSystem, (name) => {
        if (hasFailed && !isDead) isDead = --calls <= call - second;
        else if (!hasFailed && name !== 'rmSync' && name !== 'rmdirSync') {
          calls += 1;
          hasFailed = calls === call;
          if (hasFailed) return 'EACCES';
        }
        return isDead ? 'EIO' : undefined;
      });
      caught(() => carry(fs, FEW));
      recover(realFileSystem, place, shown);
      expect([only(BEFORE), only(AFTER)], `${call}, ${second}`).toContainEqual(treeOf(place));
      return isDead;
    });
    return hasFailed;
  });
}, 120_000);

test('what somebody changes after a death is not written over', () => {
  const kept = new Set<string>();
  eachCall((call) => {
    prepare();
    const error = caught(() => carry(dyingAt(call)));
    if (!wasBrokenOff(realFileSystem, place)) return error !== undefined;
    writeFileSync(at('src/app.ts'), 'changed since\n');
    const recovery = recover(realFileSystem, place, shown);
    expect(readFileSync(at('src/app.ts'), 'utf8')).toBe('changed since\n');
    for (const file of recovery?.beside ?? []) {
      expect(readFileSync(at(file), 'utf8')).toBe('merged\n');
      kept.add(file);
    }
    return error !== undefined;
  });
  expect([...kept]).toEqual(['src/app.ts.new']);
});

describe('files as they are', () => {
  test('keep their permissions, and give them on where they move', () => {
    prepare();
    chmodSync(at('src/app.ts'), 0o640);
    chmodSync(at('src/old/routes.ts'), 0o755);
    carry(realFileSystem);
    expect(statSync(at('src/app.ts')).mode & 0o777).toBe(0o640);
    expect(statSync(at('src/new/deep/routes.ts')).mode & 0o777).toBe(0o755);
  });

  test('that change between look and write stop the run', () => {
    prepare();
    writeFileSync(at('src/app.ts'), 'typed just now\n');
    expect(() => carry(realFileSystem)).toThrow('src/app.ts was changed while it was looked at');
    expect(treeOf(place)).toEqual({ ...BEFORE, 'src/app.ts': 'typed just now\n' });
  });

  test('that appear between look and write stop the run', () => {
    prepare();
    mkdirSync(at('src/new/deep'), { recursive: true });
    writeFileSync(at('src/new/deep/routes.ts'), 'theirs\n');
    expect(() => carry(realFileSystem)).toThrow('routes.ts was changed while it was looked at');
  });

  test('with a file where a folder is needed are refused, and nothing is written', () => {
    prepare();
    writeFileSync(at('src/new'), 'a file\n');
    expect(() => carry(realFileSystem)).toThrow(/src\/new\/deep\/routes\.ts/);
    expect(treeOf(place)).toEqual({ ...BEFORE, 'src/new': 'a file\n' });
  });

  test('in a folder that is a symbolic link are written where it leads', () => {
    prepare();
    rmSync(at('src/old'), { recursive: true });
    mkdirSync(at('elsewhere'));
    writeFileSync(at('elsewhere/routes.ts'), 'old\n');
    symlinkSync('../elsewhere', at('src/old'));
    carry(realFileSystem);
    expect(treeOf(at('elsewhere'))).toEqual({});
  });
});
