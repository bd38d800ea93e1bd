/** A project is written whole or not at all: at whatever call the file system fails or we die. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { commitProject } from '../../../src/disk/commit.ts';
import { realFileSystem } from '../../../src/disk/file-system.ts';
import type { FileSystem } from '../../../src/disk/file-system.ts';
import { finishMoves, removeStale, stagingName } from '../../../src/disk/staging.ts';
import { UserError } from '../../../src/shared/errors.ts';
import { caught, dyingAt, eachCall as eachFault, failingAt, vetoing } from './faults.ts';

const FILES = [
  { path: '.gitignore', text: 'node_modules/\n' },
  { path: 'definitions/service.yaml', text: 'name: shop\n' },
  { path: 'package.json', text: '{}\n' },
  { path: 'src/app.ts', text: 'export {};\n' },
  { path: 'src/platform/http/errors.ts', text: 'export {};\n' },
];
const OWNER = { pid: 4242, host: 'here', random: '0a1b2c3d' };

/** What stands at the target before, and whether it has to stay the folder that it is. */
const STARTS: readonly { name: string; inPlace: boolean; prepare: (target: string) => void }[] = [
  { name: 'nothing', inPlace: false, prepare: () => undefined },
  { name: 'an empty folder', inPlace: false, prepare: (target) => mkdirSync(target) },
  {
    name: 'an empty folder that is worked in',
    inPlace: true,
    prepare: (target) => mkdirSync(target),
  },
  {
    name: 'a folder with definitions',
    inPlace: true,
    prepare: (target) => {
      mkdirSync(path.join(target, 'definitions/collections'), { recursive: true });
      writeFileSync(path.join(target, 'definitions/collections/books.yaml'), 'fields: {}\n');
    },
  },
];

let place = '';
let target = '';

beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  target = path.join(place, 'shop');
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

describe.each(STARTS)('onto $name', ({ inPlace, prepare }) => {
  test('all files come to be, and nothing else', () => {
    prepare(target);
    const before = treeOf(place);
    commit(realFileSystem, inPlace);
    expect(treeOf(place)).toEqual(after(before));
  });

  test('a failure at any call leaves all as it was', () => {
    const failures = eachCall((call) => {
      prepare(target);
      const before = treeOf(place);
      const fs = failingAt(call, 'ENOSPC');
      const error = caught(() => commit(fs, inPlace));
      if (error === undefined) return false;
      expect(error).toBeInstanceOf(UserError);
      expect(error.message).toBe('no space is left on the disk to write shop');
      expect(treeOf(place), `call ${call}`).toEqual(before);
      return true;
    });
    expect(failures).toBeGreaterThan(FILES.length);
  });

  test('a death at any call leaves all as it was, or what the next run finishes', () => {
    const outcomes = new Set<string>();
    eachCall((call) => {
      prepare(target);
      const before = treeOf(place);
      const error = caught(() => commit(dyingAt(call), inPlace));
      if (error === undefined) return false;
      for (const folder of [place, target]) {
        removeStale(realFileSystem, folder, OWNER.host, () => false);
      }
      finishMoves(realFileSystem, target);
      const now = treeOf(place);
      expect([before, after(before)], `call ${call}`).toContainEqual(now);
      outcomes.add('shop/package.json' in now ? 'after' : 'before');
      return true;
    });
    expect([...outcomes]).toEqual(inPlace ? ['before', 'after'] : ['before']);
  });

  test('a death at any call leaves no package.json without the files of its project', () => {
    const incomplete: number[] = [];
    eachCall((call) => {
      prepare(target);
      const whole = after(treeOf(place));
      const error = caught(() => commit(dyingAt(call), inPlace));
      const now = treeOf(place);
      const isWhole = Object.entries(whole).every(([file, text]) => now[file] === text);
      if ('shop/package.json' in now && !isWhole) incomplete.push(call);
      return error !== undefined;
    });
    expect(incomplete).toEqual([]);
  });
});

test('the folders above are made, and removed again where that is as far as it goes', () => {
  const failures = eachCall((call) => {
    const deep = path.join(target, 'a/b');
    const error = caught(() => {
      const fs = failingAt(call, 'EROFS');
      commitProject(fs, { target: deep, shown: 'b', files: FILES, inPlace: false, owner: OWNER });
    });
    expect('shop' in treeOf(place)).toBe(error === undefined);
    return error !== undefined;
  });
  expect(failures).toBeGreaterThan(FILES.length);
});

test('a system folder that takes none is told of', () => {
  const shown = '/proc/create-service/shop';
  const commitThere = (): void =>
    commitProject(realFileSystem, {
      target: shown,
      shown,
      files: FILES,
      inPlace: false,
      owner: OWNER,
    });
  // Elsewhere than on Linux there is no such folder, and it is not allowed to be made.
  expect(commitThere).toThrow(shown);
});

test('a folder that cannot be replaced is filled', () => {
  mkdirSync(target);
  const busy = vetoing(realFileSystem, (name, [, to]) =>
    name === 'renameSync' && to === target ? 'EBUSY' : undefined,
  );
  commit(busy, false);
  expect(treeOf(place)).toEqual(after({ shop: '/' }));
});

test('a file that appears meanwhile is not written over', () => {
  const racing = vetoing(realFileSystem, (name, [, to]) => {
    if (name === 'renameSync' && to === target) {
      mkdirSync(target);
      writeFileSync(path.join(target, 'package.json'), 'theirs');
    }
    return undefined;
  });
  expect(caught(() => commit(racing, false))?.message).toBe(
    'shop could not be read or written (ENOTEMPTY)',
  );
  expect(treeOf(place)).toEqual({ shop: '/', 'shop/package.json': 'theirs' });
});

test('staging folders of processes that live, and of other machines, stay', () => {
  const ours = stagingName('shop', OWNER);
  const living = stagingName('shop', { ...OWNER, pid: 1 });
  const elsewhere = stagingName('shop', { ...OWNER, host: 'there' });
  for (const name of [ours, living, elsewhere]) mkdirSync(path.join(place, name));
  removeStale(realFileSystem, place, OWNER.host, (pid) => pid === 1);
  expect(readdirSync(place).toSorted()).toEqual([living, elsewhere].toSorted());
});

function commit(fs: FileSystem, inPlace: boolean): void {
  commitProject(fs, { target, shown: 'shop', files: FILES, inPlace, owner: OWNER });
}

/** Tries with a fault at the first call, the second, and so on, each time without a target. */
const eachCall = (attempt: (call: number) => boolean): number =>
  eachFault((call) => {
    rmSync(target, { recursive: true, force: true });
    return attempt(call);
  });

/** The paths and texts below a folder; a folder has the text `/`. */
function treeOf(folder: string, below = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const name = path.posix.join(below, entry.name);
    tree[name] = entry.isDirectory() ? '/' : readFileSync(path.join(folder, name), 'utf8');
    if (entry.isDirectory()) Object.assign(tree, treeOf(folder, name));
  }
  return Object.fromEntries(Object.entries(tree).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function after(before: Record<string, string>): Record<string, string> {
  const tree: Record<string, string> = { ...before, shop: '/' };
  for (const { path: file, text } of FILES) {
    tree[`shop/${file}`] = text;
    for (
      let folder = path.posix.dirname(file);
      folder !== '.';
      folder = path.posix.dirname(folder)
    ) {
      tree[`shop/${folder}`] = '/';
    }
  }
  return Object.fromEntries(Object.entries(tree).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
