/** What a narrow terminal shows: whole words, and nothing wider than it but what is to be copied. */
import { describe, expect, test } from 'vitest';

import type { TextCommand } from '../../../src/cli/command.ts';
import { stacked, wrapped } from '../../../src/cli/narrow.ts';
import { GENERATE_OPTIONS, NEW_OPTIONS } from '../../../src/cli/options.ts';
import { parseCommandLine } from '../../../src/cli/parse.ts';

const help = (columns: number, ...typed: string[]): string =>
  (
    parseCommandLine([...typed, '--help'], {
      cwd: '/',
      version: '1.2.3',
      columns,
      shell: undefined,
    }) as TextCommand
  ).text;

test.each([
  ['', 10, ''],
  ['a b', 3, 'a b'],
  ['a bc', 3, 'a\nbc'],
  ['a word that is longer', 5, 'a\nword\nthat\nis\nlonger'],
  ['unbreakable', 4, 'unbreakable'],
  ['one two', 40, 'one two'],
])('%j in %i columns', (text, columns, lines) => {
  expect(wrapped(text, columns)).toBe(lines);
});

test('what stands beside stands below', () => {
  const wide = 'Options:\n  -y, --yes  Ask nothing, ever  [boolean]\n      --from  [string]\n';
  expect(stacked(wide, 20)).toBe(
    'Options:\n  -y, --yes\n      Ask nothing,\n      ever [boolean]\n  --from\n      [string]\n',
  );
});

describe.each([20, 30, 40, 59])('help in %i columns', (columns) => {
  test.each([
    [['new'], NEW_OPTIONS],
    [['generate'], GENERATE_OPTIONS],
  ])('%j', (typed, options) => {
    const lines = help(columns, ...typed).split('\n');
    for (const name of Object.keys(options))
      expect(
        lines.some((line) => line.trim().split(', ').includes(`--${name}`)),
        name,
      ).toBe(true);
    const wide = lines.filter(
      (line) => line.length > columns && !/^ *\S+$/.test(line) && !line.includes('create-service'),
    );
    expect(wide).toEqual([]);
  });

  test('says what wide help says', () => {
    const words = (text: string): string[] => text.split(/\s+/).toSorted();
    expect(words(help(columns, 'generate'))).toEqual(words(help(100, 'generate')));
  });
});
