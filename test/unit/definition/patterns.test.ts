/** Patterns: which are slow, which are fast, and what is said of them. */
import { describe, expect, test } from 'vitest';
import { boundedChoices, boundSteps } from '../../../src/definition/pattern-steps.ts';
import { fieldOf, books, lines } from './support.ts';

const text = (pattern: string, rest = ''): string =>
  `it: { type: string, pattern: '${pattern.replaceAll("'", "''")}'${rest} }`;

async function refusal(pattern: string, rest = ''): Promise<string | undefined> {
  const found = lines(await books(text(pattern, rest)));
  expect(found.length).toBeLessThan(2);
  return found[0]?.replace(/^.* error pattern "[^]*?" (?=can|could|does)/, '');
}

describe('patterns that are fast', () => {
  test.each([
    '^97[89][0-9]{10}$',
    '^\\+?[1-9]\\d{1,14}$',
    '^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$',
    '^#[0-9a-f]{6}$',
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    '^\\p{L}+$',
    '^(?:red|green|blue)$',
    '^[^@]+@[^@]+$',
    '^(?!admin)[a-z]+$',
    'a',
    '',
    '.',
    '^.*$',
    '^\\u{1F600}$',
    '^([01]\\d|2[0-3]):[0-5]\\d$',
  ])('%s', async (pattern) => {
    expect(await refusal(pattern)).toBeUndefined();
  });

  test('what is quadratic is fine where the text is short', async () => {
    expect(await refusal('\\s+$', ', max_length: 10000')).toBeUndefined();
    expect(await refusal('\\s+$', ', max_length: 10001')).toMatch(/Lower max_length to 10000/);
  });

  test('a pattern in a list or an object is judged too', async () => {
    const list = "it: { type: list, of: { type: string, pattern: '^(a+)+$' } }";
    expect(lines(await books(list))[0]).toContain('can take exponential time');
    expect(
      (await fieldOf("{ type: list, of: { type: string, pattern: '^a+$' } }")).type,
    ).toMatchObject({ of: { pattern: '^a+$' } });
  });
});

describe('patterns that are slow', () => {
  test.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '^([a-z]+)*$',
    '^(?:.*,)+$',
    '^(\\w+\\s?)*$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
  ])('%s takes exponential time, however short the text', async (pattern) => {
    const expected = 'can take exponential time. Write it without repetitions that overlap.';
    expect(await refusal(pattern)).toBe(expected);
    expect(await refusal(pattern, ', max_length: 100')).toBe(expected);
  });

  test.each(['\\d+x', 'a+b', '^a*a*$', '^.*.*=.*$'])('%s needs a max_length', async (pattern) => {
    expect(await refusal(pattern)).toMatch(
      /^can take time that grows with the (square|power \d) of the length\. Write a max_length of \d+ or less(, or anchor it with \^)?\.$/,
    );
    expect(await refusal(pattern, ', max_length: 50')).toBeUndefined();
  });

  test('many optional characters in a row', async () => {
    const expected =
      'can take more than a hundred million steps. Write it without repetitions that overlap.';
    expect(await refusal('^(?:a?){30}a{30}$', ', max_length: 100')).toBe(expected);
    expect(await refusal('^(?:a?){30}a{30}$', ', max_length: 5')).toBeUndefined();
    expect(await refusal(`^${'a?'.repeat(40)}${'a'.repeat(40)}$`)).toBe(expected);
    const apart = Array.from({ length: 26 }, (_, index) => `${String.fromCharCode(97 + index)}?`);
    expect(await refusal(`^${apart.join('')}$`)).toBeUndefined();
  }, 20_000);
});

describe('patterns that do not compile', () => {
  test.each([
    '(',
    '[',
    '*',
    'a{2,1}',
    '\\-',
    '\\p{Nope}',
    '(?<a>.)(?<a>.)',
    '\\k<x>',
    '{',
    ']',
    '\\1',
  ])('%s', async (pattern) => {
    expect(await refusal(pattern)).toMatch(
      /^does not compile: [a-z].*[^.]\. Write a regular expression of ECMAScript\.$/,
    );
  });
});

test.each(['(?<=a*)b', '^(?:a?){2000}$'])('%s cannot be told of', async (pattern) => {
  expect(await refusal(pattern)).toBe('could not be proved to be fast. Write a simpler one.');
});

describe('the bound of steps', () => {
  test.each([
    ['^abc$', 100, 6],
    ['abc', 100, 400],
    ['^a*$', 100, 303],
    ['^a{2,4}$', 100, 15],
    ['^[\\]a-z]{3}\\p{L}\\u{1F600}$', 10, 8],
    ['^a+b*$', 10, 363],
  ])('%s', (pattern, length, steps) => {
    expect(boundSteps(pattern, length)).toBe(steps);
  });

  test.each([
    ['^abc[?{2,9}]\\?\\{$', 0],
    ['a?b{1,8}c{3}', 4],
    ['(?:a?){3}', 3],
    ['(?:a|b|c|d){3}[a-z]{5}|x', 9],
    ['(?=a)(?<n>b)(?!c)d??', 1],
    ['a*b+c{2,}', 0],
  ])('%s has 2^%d ways of bounded repetition', (pattern, power) => {
    expect(boundedChoices(pattern)).toBe(power);
  });

  test.each(['(a)', 'a|b', '(?=a)', '\\1', '\\k<a>', '(?:a)*'])('%s is not plain', (pattern) => {
    expect(boundSteps(pattern, 10)).toBeUndefined();
  });
});
