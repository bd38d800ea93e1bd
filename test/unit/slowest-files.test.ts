/** The end of a test run: which files took longest. */
import { expect, test } from 'vitest';

import { slowestFiles } from '../support/slowest-files.ts';

test('the ten slowest files are named, slowest first, with their share of the time of all', () => {
  const files = Array.from({ length: 12 }, (_, n) => ({
    path: `/project/test/${n}.ts`,
    duration: 1000,
  }));
  files.push({ path: '/project/test/slow.ts', duration: 12_000 });
  const lines = slowestFiles(files, '/project').trimEnd().split('\n');
  expect(lines).toHaveLength(11);
  expect(lines.slice(0, 3)).toEqual([
    'The slowest of 13 files:',
    '   12.0 s  50.0 %  test/slow.ts',
    '    1.0 s   4.2 %  test/0.ts',
  ]);
});
