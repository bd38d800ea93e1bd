/** A project is changed whole or not at all: at whatever call the file system fails or we die. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { realFileSystem } from '../../../src/disk/file-system.ts';
import type { FileSystem } from '../../../src/disk/file-system.ts';
import { applyChanges, recover, wasInterrupted } from '../../../src/disk/journal.ts';
import type { FileChange } from '../../../src/disk/journal.ts';
import { UserError } from '../../../src/shared/errors.ts';
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
const CHANGES: readonly FileChange[] = [
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
const carry = (fs: FileSystem, changes = CHANGES): void => applyChanges(fs, place, changes, shown);

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
    const wasBegun = wasInterrupted(realFileSystem, place);
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

test('the manifest is the last file that a run changes, whenever it dies', () => {
  const manifest = '.create-service/manifest';
  /** Whether the manifest says that all is done, and something is not. */
  const isEarly = (): boolean => {
    const tree = treeOf(place);
    const isWhole = Object.entries(AFTER).every(([file, text]) => tree[file] === text);
    return tree[manifest] === AFTER[manifest] && !isWhole;
  };
  const early: string[] = [];
  let first = 0;
  eachCall((call) => {
    prepare();
    const error = caught(() => carry(dyingAt(call)));
    if (isEarly()) early.push(`run, ${call}`);
    if (first === 0 && wasInterrupted(realFileSystem, place)) first = call;
    return error !== undefined;
  });
  // And where the next run finishes what was begun.
  eachCall((call) => {
    prepare();
    caught(() => carry(dyingAt(first)));
    const error = caught(() => recover(dyingAt(call), place, shown));
    if (isEarly()) early.push(`recovery, ${call}`);
    return error !== undefined;
  });
  expect(first).toBeGreaterThan(0);
  expect(early).toEqual([]);
});

test('a failure at any call leaves the permissions of all files as they were', () => {
  const modes = (): string =>
    Object.keys(BEFORE)
      .map((file) => `${file} ${(statSync(at(file)).mode & 0o777).toString(8)}`)
      .join('\n');
  const seen = new Set<string>();
  eachCall((call) => {
    prepare();
    chmodSync(at('src/app.ts'), 0o640);
    chmodSync(at('src/old/routes.ts'), 0o755);
    chmodSync(at('.create-service/manifest'), 0o600);
    seen.add(modes());
    const error = caught(() => carry(failingAt(call, 'ENOSPC')));
    if (error !== undefined) seen.add(modes());
    return error !== undefined;
  });
  expect([...seen]).toHaveLength(1);
});

test('what somebody changes in the record after a death is finished all the same', () => {
  const base = '.create-service/base/src/app.ts.base';
  const finished: unknown[] = [];
  eachCall((call) => {
    prepare();
    const error = caught(() => carry(dyingAt(call)));
    const isOpen =
      wasInterrupted(realFileSystem, place) && readFileSync(at(base), 'utf8') === 'one\n';
    if (isOpen) {
      writeFileSync(at(base), 'changed since\n');
      finished.push([recover(realFileSystem, place, shown), treeOf(place)]);
    }
    return error !== undefined;
  });
  expect(finished.length).toBeGreaterThan(0);
  expect(finished).toEqual(finished.map(() => [{ beside: [] }, AFTER]));
});

test('what somebody changes after a death is not written over', () => {
  const kept = new Set<string>();
  eachCall((call) => {
    prepare();
    const error = caught(() => carry(dyingAt(call)));
    if (!wasInterrupted(realFileSystem, place)) return error !== undefined;
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

test('what somebody changes after a death is not removed', () => {
  let times = 0;
  eachCall((call) => {
    prepare();
    const error = caught(() => carry(dyingAt(call)));
    const removed = at('src/old/routes.ts');
    if (!wasInterrupted(realFileSystem, place)) return error !== undefined;
    mkdirSync(path.dirname(removed), { recursive: true });
    writeFileSync(removed, 'changed since\n');
    recover(realFileSystem, place, shown);
    expect(readFileSync(removed, 'utf8')).toBe('changed since\n');
    times += 1;
    return error !== undefined;
  });
  expect(times).toBeGreaterThan(0);
});

test('a run that is done and cannot be cleared away is not one that was broken off', () => {
  prepare();
  const isFolder = (_name: string, [file]: readonly unknown[]): boolean =>
    file === at('.create-service/run');
  carry(
    vetoing(realFileSystem, (name, args) =>
      name === 'rmSync' && isFolder(name, args) ? 'EBUSY' : undefined,
    ),
  );
  expect(wasInterrupted(realFileSystem, place)).toBe(false);
  expect(recover(realFileSystem, place, shown)).toBeUndefined();
  expect(treeOf(place)).toEqual(AFTER);
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
    expect(() => carry(realFileSystem)).toThrow('src/app.ts was changed during this run');
    expect(treeOf(place)).toEqual({ ...BEFORE, 'src/app.ts': 'typed just now\n' });
  });

  test('that appear between look and write stop the run', () => {
    prepare();
    mkdirSync(at('src/new/deep'), { recursive: true });
    writeFileSync(at('src/new/deep/routes.ts'), 'theirs\n');
    expect(() => carry(realFileSystem)).toThrow('routes.ts was changed during this run');
  });

  test('with a file where a folder is needed are refused, and nothing is written', () => {
    prepare();
    writeFileSync(at('src/new'), 'a file\n');
    expect(() => carry(realFileSystem)).toThrow(/src\/new\/deep\/routes\.ts/);
    expect(treeOf(place)).toEqual({ ...BEFORE, 'src/new': 'a file\n' });
  });

  test.each(['write', 'remove'])(
    'in a folder that is a link out of the project are refused: %s',
    (kind) => {
      const outside = mkdtempSync(path.join(tmpdir(), 'create-service-outside-'));
      try {
        writeFileSync(path.join(outside, 'routes.ts'), 'theirs\n');
        prepare();
        symlinkSync(outside, at('src/linked'));
        const linked = 'src/linked/routes.ts';
        const theirs = { before: hashOf('theirs\n') };
        for (const file of [linked, 'src/linked/deep/routes.ts']) {
          const change = { path: file, ...(kind === 'write' && { raw: 'x\n' }) };
          const changes = [...CHANGES, { ...change, ...(file === linked && theirs) }];
          expect(() => carry(realFileSystem, changes)).toThrow(
            `${file} is not inside this project`,
          );
        }
        rmSync(at('src/linked'));
        expect(treeOf(place)).toEqual(BEFORE);
        expect(treeOf(outside)).toEqual({ 'routes.ts': 'theirs\n' });
      } finally {
        rmSync(outside, { recursive: true });
      }
    },
  );

  test('in a folder whose name begins with that of the project are refused', () => {
    const beside = `${place}-beside`;
    mkdirSync(beside);
    try {
      prepare();
      symlinkSync(beside, at('src/linked'));
      const change = { path: 'src/linked/routes.ts', raw: 'x\n' };
      expect(() => carry(realFileSystem, [change])).toThrow('is not inside this project');
      expect(treeOf(beside)).toEqual({});
    } finally {
      rmSync(beside, { recursive: true });
    }
  });

  test('in a folder that is a link to nothing are refused', () => {
    prepare();
    symlinkSync(path.join(place, '../nothing-there'), at('src/linked'));
    const change = { path: 'src/linked/routes.ts', raw: 'x\n' };
    expect(() => carry(realFileSystem, [change])).toThrow('is not inside this project');
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

describe('a journal that somebody has written', () => {
  const OUTSIDE = [
    '../outside.txt',
    'src/../../outside.txt',
    '/tmp/outside.txt',
    'C:/outside.txt',
    'c:outside.txt',
    '..\\outside.txt',
    'src\\outside.txt',
    'src//app.ts',
    'src/./app.ts',
    '.. /outside.txt',
    '.git/hooks/pre-commit',
    '.GIT/config',
    '',
  ];

  test.each(OUTSIDE)('and that names %j is refused, and nothing of it is done', (file) => {
    prepare();
    mkdirSync(at('.create-service/run/new'), { recursive: true });
    writeFileSync(at('.create-service/run/new/1'), 'forged\n');
    const entries = [
      { path: 'src/mine.ts', kind: 'remove', before: hashOf('mine\n') },
      { path: file, kind: 'write', before: null },
    ];
    writeFileSync(at('.create-service/run/journal.json'), JSON.stringify(entries));
    const tree = treeOf(place);
    expect(() => recover(realFileSystem, place, shown)).toThrow('is not inside this project');
    expect(treeOf(place)).toEqual(tree);
  });

  test.each([
    '[{"path":1,"kind":"write","before":null}]',
    '[{"path":"x","kind":"link","before":null}]',
    '[{"path":"x","kind":"write"}]',
    '[{"path":"x","kind":"remove","before":1}]',
    '[null]',
    '{}',
    'x',
    '',
  ])('and that says %s is refused', (text) => {
    prepare();
    mkdirSync(at('.create-service/run'), { recursive: true });
    writeFileSync(at('.create-service/run/journal.json'), text);
    expect(() => recover(realFileSystem, place, shown)).toThrow(
      '.create-service/run/journal.json cannot be read: it is the journal of a run that was killed',
    );
  });

  test('and that goes through a link out of the project is refused', () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'create-service-outside-'));
    try {
      writeFileSync(path.join(outside, 'a.txt'), 'theirs\n');
      prepare();
      symlinkSync(outside, at('src/linked'));
      mkdirSync(at('.create-service/run'), { recursive: true });
      const entry = { path: 'src/linked/a.txt', kind: 'remove', before: hashOf('theirs\n') };
      writeFileSync(at('.create-service/run/journal.json'), JSON.stringify([entry]));
      expect(() => recover(realFileSystem, place, shown)).toThrow('is not inside this project');
      expect(treeOf(outside)).toEqual({ 'a.txt': 'theirs\n' });
    } finally {
      rmSync(outside, { recursive: true });
    }
  });
});
