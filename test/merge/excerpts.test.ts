/** Excerpts in the messages of conflicts show where two texts differ. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { excerptsOf, quoteExcerpts } from '../../src/merge/excerpts.ts';
import { places } from './support.ts';

const long = (end: string): string => `${'"books"."title", '.repeat(12)}${end}`;

test('two long lines are shown from shortly before the first difference', () => {
  expect(excerptsOf(long('"isbn"'), long('"pages"'))).toEqual([
    '…tle", "books"."title", "isbn"',
    '…tle", "books"."title", "pages"',
  ]);
});

test('what is cut away at either end is marked', () => {
  const [one, other] = excerptsOf(`${'a'.repeat(100)}b${'c'.repeat(100)}`, 'a'.repeat(90));
  expect(one).toBe(`…${'a'.repeat(34)}b${'c'.repeat(35)}…`);
  expect(other).toBe(`…${'a'.repeat(24)}`);
});

test('of texts of several lines, the first line that differs is shown', () => {
  expect(quoteExcerpts('async () => {\n  one();\n}', 'async () => {\n  two();\n}')).toEqual([
    '"one();"',
    '"two();"',
  ]);
});

test('texts that differ have excerpts that differ, of at most 72 characters', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '"', '🙂'), maxLength: 300 });
  fc.assert(
    fc.property(text, text, text, (start, one, other) => {
      const both = excerptsOf(start + one, start + other);
      for (const excerpt of both) expect([...excerpt].length).toBeLessThanOrEqual(72);
      expect(both[0] === both[1]).toBe(one === other);
    }),
  );
});

describe('a conflict shows the difference', () => {
  test.each([
    ['of lines', 'x.sql', `select ${long('a')}\n`],
    ['of TypeScript', 'x.ts', `export const all =\n  '${long('a')}';\n`],
    ['of JSON', 'x.json', `{ "all": "${long('a').replaceAll('"', '')}" }\n`],
    ['of a comment', 'x.ts', `export {};\n\n/** ${long('a')}. */\nexport const all = 1;\n`],
  ])('%s', async (_, path, base) => {
    const end = /a(?=['". ]|\n)(?![^]*a(?=['". ]|\n))/;
    const [told] = await places(path, {
      base,
      ours: base.replace(end, 'ours'),
      theirs: base.replace(end, 'theirs'),
    });
    expect(told?.what).toMatch(/ours\W.*theirs\W/);
  });
});
