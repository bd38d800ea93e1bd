/** Merges by lines, against what git makes of the same texts. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';

import { anchorsOf } from '../../src/merge/anchors.ts';
import { merge } from '../../src/merge/index.ts';
import { mergeLines, GIT_RULES } from '../../src/merge/merge-lines.ts';
import { mergedOf, mergedText, places } from './support.ts';

const text = (...lines: string[]): string => `${lines.join('\n')}\n`;

describe('a file that one side alone changed', () => {
  const base = text('FROM node:24', 'WORKDIR /app', 'COPY . .');
  const other = text('FROM node:24', 'WORKDIR /srv', 'COPY . .');

  test('the generator: what it generates now is taken', async () => {
    expect(await merge({ path: 'Dockerfile', base, theirs: other, ours: base })).toEqual({
      kind: 'merged',
      text: other,
      how: 'taken',
    });
  });

  test('the team: its text is kept to the byte', async () => {
    const ours = `\uFEFF${other.replaceAll('\n', '\r\n').trimEnd()}`;
    expect(await merge({ path: 'Dockerfile', base, theirs: base, ours })).toEqual({
      kind: 'merged',
      text: ours,
      how: 'kept',
    });
  });

  test('both in the same way: kept', async () => {
    expect((await mergedOf('Dockerfile', { base, theirs: other, ours: other })).how).toBe('kept');
  });
});

describe('what is no edit', () => {
  const base = text('a', 'b', 'c');
  const theirs = text('a', 'B', 'c');

  test('CRLF throughout: the change comes with CRLF', async () => {
    expect(await mergedText('x.sql', { base, theirs, ours: 'a\r\nb\r\nc\r\n' })).toBe(
      'a\r\nB\r\nc\r\n',
    );
  });

  test('CRLF throughout, and an edit', async () => {
    expect(await mergedText('x.sql', { base, theirs, ours: 'a\r\nb\r\nc\r\nd\r\n' })).toBe(
      'a\r\nB\r\nc\r\nd\r\n',
    );
  });

  test('a byte order mark stays', async () => {
    expect(await mergedText('x.sql', { base, theirs, ours: `\uFEFF${base}` })).toBe(
      `\uFEFF${theirs}`,
    );
  });

  test('no newline at the end', async () => {
    expect(await mergedText('x.sql', { base, theirs, ours: 'a\nb\nc' })).toBe(theirs);
  });

  test('some lines with CRLF: one kind of line endings comes out', async () => {
    expect(await mergedText('x.sql', { base, theirs, ours: 'a\r\nb\nc\n' })).toBe(theirs);
  });
});

describe('both sides changed', () => {
  const base = text('one', 'two', 'three', 'four', 'five');

  test('lines apart: both survive', async () => {
    const theirs = text('one', 'two', 'three', 'four', 'FIVE');
    const ours = text('ONE', 'two', 'three', 'four', 'five');
    expect(await mergedText('x.sql', { base, theirs, ours })).toBe(
      text('ONE', 'two', 'three', 'four', 'FIVE'),
    );
  });

  test('neighbouring lines: both survive', async () => {
    const theirs = text('one', 'two', 'THREE', 'four', 'five');
    const ours = text('one', 'TWO', 'three', 'FOUR', 'five');
    expect(await mergedText('x.sql', { base, theirs, ours })).toBe(
      text('one', 'TWO', 'THREE', 'FOUR', 'five'),
    );
  });

  test('one line differently: a conflict that names it', async () => {
    const theirs = text('one', 'two', 'drei', 'four', 'five');
    const ours = text('zero', 'one', 'two', 'trois', 'four', 'five');
    expect(await places('x.sql', { base, theirs, ours })).toEqual([
      { line: 4, what: 'changed here to "trois"; generated now: "drei"' },
    ]);
  });

  test('removed here, changed by the generator: a conflict', async () => {
    const theirs = text('one', 'two', 'drei', 'four', 'five');
    const ours = text('one', 'two', 'four', 'five');
    expect(await places('x.sql', { base, theirs, ours })).toEqual([
      { line: 3, what: 'removed here: "three"; generated now: "drei"' },
    ]);
  });

  test('changed here, removed by the generator: a conflict', async () => {
    const theirs = text('one', 'two', 'four', 'five');
    const ours = text('one', 'two', 'drei', 'four', 'five');
    expect(await places('x.sql', { base, theirs, ours })).toEqual([
      { line: 3, what: 'changed here to "drei"; no longer generated: "three"' },
    ]);
  });

  test('every conflict is told, not only the first', async () => {
    const theirs = text('1', 'two', 'three', 'four', '5');
    const ours = text('I', 'two', 'three', 'four', 'V');
    expect((await places('x.sql', { base, theirs, ours })).map(({ line }) => line)).toEqual([1, 5]);
  });

  test('two paragraphs at the end of a README: both, the one on disk first', async () => {
    const readme = text('# Bookshop', '', 'Books.');
    const theirs = `${readme}\n## Tags\n\nTags of books.\n`;
    const ours = `${readme}\n## On call\n\nAsk Ada.\n`;
    expect(await mergedText('README.md', { base: readme, theirs, ours })).toBe(
      `${readme}\n## On call\n\nAsk Ada.\n\n## Tags\n\nTags of books.\n`,
    );
  });

  test('two paragraphs with one heading: a conflict, for both would say it twice', async () => {
    const readme = text('# Bookshop', '', 'Books.');
    const theirs = `${readme}\n## Tags\n\nTags of books.\n`;
    const ours = `${readme}\n## Tags\n\nAsk Ada.\n`;
    expect(await places('README.md', { base: readme, theirs, ours })).toMatchObject([{ line: 5 }]);
  });

  test('rows of a table that both sides widen', async () => {
    const rows = (...all: string[]): string => text('# Paths', '', ...all);
    const before = rows(
      '| Path | Answers |',
      '| ---- | ------- |',
      '| `/a` | 200     |',
      '| `/z` | 204     |',
    );
    const theirs = rows(
      '| Path | Answers   |',
      '| ---- | --------- |',
      '| `/a` | 200, an a |',
      '| `/z` | 204       |',
    );
    const ours = rows(
      '| Path      | Answers |',
      '| --------- | ------- |',
      '| `/a`      | 200     |',
      '| `/longer` | 201     |',
      '| `/z`      | 204     |',
    );
    expect(await mergedText('README.md', { base: before, theirs, ours })).toBe(
      rows(
        '| Path      | Answers   |',
        '| --------- | --------- |',
        '| `/a`      | 200, an a |',
        '| `/longer` | 201       |',
        '| `/z`      | 204       |',
      ),
    );
  });

  describe('a row that the team added to a table', () => {
    const table = (...rows: string[]): string =>
      text('# Paths', '', '| Path | Answers |', '| ---- | ------- |', ...rows, '', 'More.');
    const before = table('| /a | 200 |', '| /b | 201 |', '| /c | 204 |');
    const ours = table('| /a | 200 |', '| /b | 201 |', '| /ours | 202 |', '| /c | 204 |');

    test('stands where it stood, when a cell of each row around it changes', async () => {
      const theirs = table('| /v1/a | 200 |', '| /v1/b | 201 |', '| /v1/c | 204 |');
      const result = await mergedText('README.md', { base: before, theirs, ours });
      expect(result.match(/\/[\w/]+/g)).toEqual(['/v1/a', '/v1/b', '/ours', '/v1/c']);
    });

    test('stays when the rows around it go', async () => {
      const theirs = table('| /a | 200 |');
      const result = await mergedText('README.md', { base: before, theirs, ours });
      expect(result.match(/\/\w+/g)).toEqual(['/a', '/ours']);
    });

    test('stays with the cell that the team changed in the next row, when the rows around it go', async () => {
      const theirs = table('| /a | 200 |', '| /c | 204 |');
      const edited = table('| /a | 200 |', '| /ours | 202 |', '| /b | 201 |', '| **/c** | 204 |');
      const result = await mergedText('README.md', { base: before, theirs, ours: edited });
      expect(result.match(/[*/]+\w+[*]*/g)).toEqual(['/a', '/ours', '**/c**']);
    });

    test('and a cell that it changed, beside one that is generated anew', async () => {
      const theirs = table('| /a | 200 |', '| /b | 201, a b |', '| /c | 204 |');
      const edited = table('| /a | 200 |', '| **/b** | 201 |', '| /c | 204 |');
      expect(await mergedText('README.md', { base: before, theirs, ours: edited })).toContain(
        '| **/b** | 201, a b |',
      );
    });

    test('with a pipe in a cell, beside one that is generated anew', async () => {
      const [old, now] = ['| x \\| y | 201 |', '| x \\| y | 201, a b |'];
      const result = await mergedText('README.md', {
        base: table(old),
        theirs: table(now),
        ours: table('| **x** \\| y | 201 |'),
      });
      expect(result).toContain('\n| **x** \\| y | 201, a b |\n');
    });

    test('in a table to which it added a column, beside a new row: a conflict', async () => {
      const one = table('| /a | 200 |');
      const theirs = table('| /a | 201 |', '| /b | 200 |');
      const widened = one
        .replace('| Answers |', '| Answers | By |')
        .replace('| ------- |', '| ------- | -- |')
        .replace('| 200 |', '| 200 | Ada |');
      expect(await places('README.md', { base: one, theirs, ours: widened })).toHaveLength(1);
    });

    test('a cell that both change: a conflict at its line', async () => {
      const theirs = table('| /a | 200 |', '| /v1/b | 201 |', '| /c | 204 |');
      const edited = table('| /a | 200 |', '| /our/b | 201 |', '| /c | 204 |');
      expect(await places('README.md', { base: before, theirs, ours: edited })).toMatchObject([
        { line: 6 },
      ]);
    });
  });

  test('lines of an ignore file: all of them, each once', async () => {
    const ignored = text('node_modules/', 'dist/');
    const theirs = text('node_modules/', 'dist/', 'coverage/', '.data/');
    const ours = text('node_modules/', 'dist/', '.idea/', 'coverage/');
    expect(await mergedText('.gitignore', { base: ignored, theirs, ours })).toBe(
      text('node_modules/', 'dist/', '.idea/', 'coverage/', '.data/'),
    );
  });
});

test('lines that may stand anywhere nearby stay, and so does the change of the next line', () => {
  const result = mergeLines(
    {
      base: text('a', 'b', 'c', 'd', 'e'),
      theirs: text('a', 'B', 'd', 'e'),
      ours: text('a', 'b', '+ one', '+ two', 'c', 'D', 'e'),
    },
    { neighbours: 'apart', additions: 'both', isLoose: (line) => line.startsWith('+ ') },
  );
  expect(result).toMatchObject({ text: text('a', 'B', '+ one', '+ two', 'D', 'e') });
});

test('a line that a text has several times is no anchor, however often it has it', () => {
  const ours = ['a', '}', 'own', 'z'];
  for (const count of [2, 3, 4]) {
    const base = ['b', ...Array.from({ length: count }, () => '}'), 'y'];
    const theirs = ['c', ...Array.from({ length: count }, () => '}'), 'x'];
    expect(anchorsOf(ours, base, theirs)).toEqual([]);
  }
  expect(anchorsOf(ours, ['b', '}', 'y'], ['c', '}', 'x'])).toEqual([[1, 1, 1]]);
});

test('a file of many thousand lines, most of which repeat, is merged in no time', async () => {
  const member = (index: number): string[] => [
    '{',
    '  "type": "string",',
    `  "name": ${index}`,
    '},',
  ];
  const base = text(...Array.from({ length: 5000 }, (_, index) => member(index)).flat());
  const theirs = base.replace('"name": 4000\n', '"name": 4000,\n  "now": 1\n');
  const ours = base.replace('"name": 1000\n', '"name": 1000,\n  "own": 1\n');
  const result = await mergedText('openapi.txt', { base, theirs, ours });
  expect(result).toBe(ours.replace('"name": 4000\n', '"name": 4000,\n  "now": 1\n'));
});

describe('without a base', () => {
  test('a file that is what is generated now, laid out otherwise, is kept', async () => {
    const theirs = text('export const a = 1;');
    const ours = 'export const a = 1\r\n';
    expect(await merge({ path: 'a.ts', base: undefined, theirs, ours })).toEqual({
      kind: 'merged',
      text: ours,
      how: 'kept',
    });
  });

  test('any other is a conflict at the first line that differs', async () => {
    const result = await merge({
      path: 'x.sql',
      base: undefined,
      theirs: 'a\nb\n',
      ours: 'a\nc\n',
    });
    expect(result).toMatchObject({ kind: 'conflict', places: [{ line: 2 }] });
  });
});

describe('properties', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '{', '}', '', 'constructor'), {
    maxLength: 12,
  });
  const file = lines.map((all) => text(...all));
  const anyName = fc.constantFrom('x.sql', 'README.md', '.gitignore', 'Dockerfile');

  test('what one side alone changed is that side', async () => {
    await fc.assert(
      fc.asyncProperty(anyName, file, file, async (target, base, other) => {
        expect(await mergedText(target, { base, theirs: base, ours: other })).toBe(other);
        expect(await mergedText(target, { base, theirs: other, ours: base })).toBe(other);
        expect(await mergedText(target, { base, theirs: other, ours: other })).toBe(other);
      }),
    );
  });

  test('a merge is settled: merged again with what was generated, it stays', async () => {
    await fc.assert(
      fc.asyncProperty(anyName, file, file, file, async (target, base, theirs, ours) => {
        const result = await merge({ path: target, base, theirs, ours });
        if (result.kind === 'conflict') return;
        expect(await mergedText(target, { base: theirs, theirs, ours: result.text })).toBe(
          result.text,
        );
      }),
    );
  });

  test('lines that one side alone changed, added or removed survive', async () => {
    // Each line of the base belongs to one side, which may change it, remove it, or add after it.
    const line = fc.record({
      side: fc.constantFrom('theirs', 'ours'),
      edit: fc.constantFrom('none', 'change', 'remove', 'add'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 20 }), async (all) => {
        const side = (own: string): string[] =>
          all.flatMap((entry, index) => {
            const old = [`line ${index}`];
            if (own !== 'both' && entry.side !== own) return old;
            if (entry.edit === 'change') return [`changed ${index}`];
            if (entry.edit === 'add') return [...old, `added ${index}`];
            return entry.edit === 'remove' ? [] : old;
          });
        const base = text('first', ...all.map((_, index) => `line ${index}`));
        const result = await mergedText('x.sql', {
          base,
          theirs: text('first', ...side('theirs')),
          ours: text('first', ...side('ours')),
        });
        expect(result).toBe(text('first', ...side('both')));
      }),
    );
  });
});

describe('beside git', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'merge-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What `git merge-file` makes of it; undefined where it conflicts. */
  function gitMerge(base: string, theirs: string, ours: string): string | undefined {
    const [one, two, three] = ['ours', 'base', 'theirs'].map((name) => path.join(folder, name));
    writeFileSync(one!, ours);
    writeFileSync(two!, base);
    writeFileSync(three!, theirs);
    const { status, stdout } = spawnSync('git', ['merge-file', '-p', one!, two!, three!], {
      encoding: 'utf8',
    });
    return status === 0 ? stdout : undefined;
  }

  test('a strict merge conflicts where git does, and yields its text elsewhere', () => {
    const file = fc
      .array(fc.nat({ max: 3 }), { minLength: 30, maxLength: 30 })
      .map((edits) => ({ edits }));
    // Distinct lines: of lines that repeat, several alignments are equally right.
    const apply = (edits: readonly number[], side: string): string =>
      text(
        ...edits.flatMap((edit, index) => {
          if (edit === 1 && index % 7 === 0) return [`${side} ${index}`];
          if (edit === 2 && index % 5 === 0) return [];
          if (edit === 3 && index % 6 === 0) return [`line ${index}`, `${side} after ${index}`];
          return [`line ${index}`];
        }),
      );
    const base = text(...Array.from({ length: 30 }, (_, index) => `line ${index}`));
    fc.assert(
      fc.property(file, file, (here, generated) => {
        const ours = apply(here.edits, 'ours');
        const theirs = apply(generated.edits, 'theirs');
        const result = mergeLines({ base, theirs, ours }, GIT_RULES);
        const git = gitMerge(base, theirs, ours);
        expect(result.kind === 'merged' ? result.text : undefined).toBe(git);
      }),
      { numRuns: 60 },
    );
  });
});
