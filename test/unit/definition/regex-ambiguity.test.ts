/**
 * How the time of patterns grows: by hand for those that people write, by an engine that counts
 * for random ones, and in comparison with recheck, which works by other means.
 */
import fc from 'fast-check';
import recheck from 'recheck/lib/browser.js';
import { describe, expect, test } from 'vitest';

import { ambiguityOf } from '../../../src/definition/regex-ambiguity/index.ts';

/** 1 for linear time, 2 for the square, Infinity for exponential, and undefined for unknown. */
function degree(pattern: string): number | undefined {
  const growth = ambiguityOf(pattern);
  if (growth.kind === 'unknown') return undefined;
  return growth.kind === 'exponential' ? Infinity : growth.degree;
}

/** The same by recheck; it gives up on some, which the other patterns make up for. */
function theirs(pattern: string): number | undefined {
  const found = recheck.checkSync(pattern, 'u', { checker: 'automaton', timeout: 300 });
  if (found.status === 'unknown') return undefined;
  if (found.status === 'safe') return 1;
  return found.complexity.type === 'polynomial' ? found.complexity.degree : Infinity;
}

describe('linear', () => {
  test.each([
    '',
    'abc',
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    '^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$',
    '^(?=.*[A-Z])(?=.*\\d)[^]{8,72}$',
    '^(?!admin$)\\w+$',
    '^(?:(?!--)[a-z-])*$',
    '^(?:[a-z]{1,63}\\.){1,8}[a-z]{2,63}$',
    '^(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$',
    '^(?:.|\\n)*$',
    '^\\p{Lu}\\p{L}*(?: \\p{Lu}\\p{L}*)*$',
    '[a-z]+',
    '\\S+',
    'a|b+',
    '(?:ab)*',
    '^("|\')[^"\']*\\1$',
    '^(\\d{4})-(\\d\\d)-\\2$',
    '^(?:)*$',
    '^(?:a*?b)*?c$',
    '(?<!\\d)\\d{4}(?!\\d)',
  ])('%s', (pattern) => {
    expect(degree(pattern)).toBe(1);
  });
});

test.each([
  ['\\d+x', 2],
  ['\\s+$', 2],
  ['^a*a*$', 2],
  ['^.*foo.*$', 2],
  // More than it is: the last foo is found first, and matches.
  ['^[^]*foo[^]*$', 2],
  ['^a*a*a*$', 3],
  ['a*a*a*x', 4],
  ['^.*,.*,.*$', 3],
  ['^(?=a*a*b)', 2],
  ['^(?:a*b*)c*d*a*$', 2],
  ['^(\\w+)\\1$', 2],
  ['^\\p{L}+[\\p{Lu}\\d]+$', 2],
  ['^a*(?:b|a*c)$', 2],
  // The sets have no character in common.
  ['^\\p{Ll}+\\p{Lu}+$', 1],
  ['^[\\u{1F600}-\\u{1F610}]+[\\u{1F611}-\\u{1F64F}]+$', 1],
  ['^[^a]+a+$', 1],
])('%s grows with the power %d', (pattern, power) => {
  expect(degree(pattern)).toBe(power);
});

test.each([
  '^(a+)+$',
  '^(a*)*$',
  '^(?:a*b*)*$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '^(?:\\w|\\d)*$',
  '^(?:.*,)+$',
  '^(?:a|b|ab)*$',
  '^(?:(?:a+)?b?)*$',
  '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}$',
  '(?=(?:a+)+$)',
  '^(?:a?a?)*$',
])('%s is exponential', (pattern) => {
  expect(degree(pattern)).toBe(Infinity);
});

test.each(['(?<=a*)b', '^(?:a?){2000}$'])('%s is unknown', (pattern) => {
  expect(degree(pattern)).toBeUndefined();
});

/** Patterns of few letters, in which everything meets everything. */
const patterns = fc
  .letrec<{ whole: string; row: string; piece: string; atom: string }>((tie) => ({
    whole: fc.oneof(
      { weight: 5, arbitrary: tie('row') },
      { weight: 1, arbitrary: fc.tuple(tie('row'), tie('row')).map((both) => both.join('|')) },
    ),
    row: fc.array(tie('piece'), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
    piece: fc
      .tuple(
        tie('atom'),
        fc.constantFrom(
          '',
          '',
          '',
          '*',
          '+',
          '?',
          '{2}',
          '{0,2}',
          '{1,3}',
          '*?',
          '+?',
          '??',
          '{2,}',
        ),
      )
      .map((both) => both.join('')),
    atom: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.constantFrom('a', 'b', '[ab]', '.', '[^a]', 'c'),
      tie('whole').map((inner) => `(?:${inner})`),
      tie('whole').map((inner) => `(${inner})`),
    ),
  }))
  .whole.filter((inner) => inner.length <= 24)
  .chain((inner) => fc.constantFrom(inner, `^${inner}`, `^(?:${inner})$`, `(?:${inner})$`));

describe('random patterns', () => {
  test('grow no faster than is said, by recheck', () => {
    let same = 0;
    let all = 0;
    fc.assert(
      fc.property(patterns, (pattern) => {
        const expected = theirs(pattern);
        const found = degree(pattern);
        fc.pre(expected !== undefined && found !== undefined);
        all++;
        if (found === expected) same++;
        expect(found, pattern).toBeGreaterThanOrEqual(expected);
      }),
      { numRuns: 300 },
    );
    // Who refuses everything is never wrong either.
    expect(same / all).toBeGreaterThan(0.9);
  });
});
