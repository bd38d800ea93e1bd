/** New names of a collection in what a team wrote: those that are certain, and no others. */
import { describe, expect, test } from 'vitest';

import { merge } from '../../../src/merge/index.ts';
import { formatFile } from '../../../src/render/format.ts';
import { mergeFollowing, renamesOf } from '../../../src/update/renames.ts';
import type { RenamedText, Renames } from '../../../src/update/renames.ts';

const FILE = 'src/books.ts';
const renames = (texts: Readonly<Record<string, RenamedText>>, ...words: string[]): Renames =>
  renamesOf(new Map(Object.entries(texts)), new Set(words));
const names = (...given: Parameters<typeof renames>): object =>
  Object.fromEntries(renames(...given).names);

describe('a name is certain', () => {
  const renamed = { before: 'createBook(values);\n', now: 'createTitle(values);\n' };

  test('where it becomes one other', () => {
    expect(names({ [FILE]: renamed })).toEqual({ createBook: 'createTitle' });
    const same = { before: 'values();\n', now: 'values();\n' };
    expect(names({ [FILE]: renamed, 'src/other.ts': same })).toEqual({ createBook: 'createTitle' });
  });

  test('not where it becomes several', () => {
    const other = { before: 'createBook(1);\n', now: 'createWork(1);\n' };
    expect(names({ [FILE]: renamed, 'src/other.ts': other })).toEqual({});
  });

  test('not where it is still generated', () => {
    const other = { before: 'go(old, 1);\n', now: 'go(createBook, 1);\n' };
    expect(names({ [FILE]: renamed, 'src/other.ts': other })).toEqual({ old: 'createBook' });
  });

  test('not where it is a word of the collection', () => {
    expect(names({ [FILE]: renamed }, 'createBook')).toEqual({});
  });
});

test('in code of the team, names in SQL follow, and words in texts stay', async () => {
  const texts = {
    before: `query('select from "books"');\nstart();\n`,
    now: `query('select from "titles"');\nstart();\n`,
  };
  const own = `\nquery('delete from "books"');\nlog("books are many", "many books");\n`;
  const result = await mergeFollowing(
    { path: FILE, base: texts.before, ours: texts.before + own, theirs: texts.now },
    renames({ [FILE]: texts }, 'books'),
    { merge, format: formatFile },
  );
  expect(result).toMatchObject({
    kind: 'merged',
    text: `${texts.now}\nquery('delete from "titles"');\nlog("books are many", "many books");\n`,
  });
});
