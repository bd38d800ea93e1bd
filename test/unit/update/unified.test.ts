/** The difference of two texts as people read it; git takes it for a patch that leads from one to the other. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';

import { unifiedDiff } from '../../../src/update/unified.ts';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('');

test('a change in the middle, with three lines around it', () => {
  const after = lines(1, 12).replace('\n6\n', '\nsix\nand a half\n');
  expect(unifiedDiff('a.txt', lines(1, 12), after)).toEqual([
    '--- a/a.txt',
    '+++ b/a.txt',
    '@@ -3,7 +3,8 @@',
    ' 3',
    ' 4',
    ' 5',
    '-6',
    '+six',
    '+and a half',
    ' 7',
    ' 8',
    ' 9',
  ]);
});

test('changes whose surroundings meet are one hunk, others are their own', () => {
  const heads = (after: string): readonly string[] =>
    unifiedDiff('a.txt', lines(1, 30), after).filter((line) => line.startsWith('@@'));
  expect(heads(lines(1, 30).replace('\n5\n', '\nV\n').replace('\n12\n', '\nXII\n'))).toEqual([
    '@@ -2,14 +2,14 @@',
  ]);
  expect(heads(lines(1, 30).replace('\n5\n', '\nV\n').replace('\n13\n', '\nXIII\n'))).toEqual([
    '@@ -2,7 +2,7 @@',
    '@@ -10,7 +10,7 @@',
  ]);
});

test('a file that is new, and one that goes', () => {
  expect(unifiedDiff('a.txt', undefined, 'one\ntwo\n')).toEqual([
    '--- /dev/null',
    '+++ b/a.txt',
    '@@ -0,0 +1,2 @@',
    '+one',
    '+two',
  ]);
  expect(unifiedDiff('a.txt', 'one\n', undefined)).toEqual([
    '--- a/a.txt',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-one',
  ]);
});

test('a last line without its end', () => {
  expect(unifiedDiff('a.txt', 'one\ntwo', 'one\ntwo\n')).toEqual([
    '--- a/a.txt',
    '+++ b/a.txt',
    '@@ -1,2 +1,2 @@',
    ' one',
    '-two',
    '\\ No newline at end of file',
    '+two',
  ]);
});

test('nothing for what is the same', () => {
  expect(unifiedDiff('a.txt', 'one\n', 'one\n')).toEqual([]);
  expect(unifiedDiff('a.txt', undefined, undefined)).toEqual([]);
});

const place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

test('git applies it', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', '', '+ d', '- e'), { maxLength: 30 })
    .chain((all) =>
      fc.constantFrom('\n', '').map((end) => (all.length === 0 ? '' : all.join('\n') + end)),
    );
  const file = path.join(place, 'a.txt');
  fc.assert(
    fc.property(text, text, (before, after) => {
      const patch = unifiedDiff('a.txt', before, after);
      // Git does not know empty files in patches without a header of its own.
      if (patch.length === 0 || before === '' || after === '') return;
      writeFileSync(file, before);
      const { status, stderr } = spawnSync('git', ['apply', '--whitespace=nowarn', '-'], {
        cwd: place,
        input: `${patch.join('\n')}\n`,
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([0, '']);
      expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(after);
    }),
    { numRuns: 60 },
  );
});
