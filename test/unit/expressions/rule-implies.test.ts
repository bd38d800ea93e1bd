/** A rule implies another one only if no row shows the contrary. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { truthOf } from '../../../src/expressions/evaluate.ts';
import type { Expression } from '../../../src/expressions/expression.ts';
import { ruleImplies } from '../../../src/expressions/rule-implies.ts';
import { parseRule } from '../../../src/expressions/parse-rule.ts';
import { typeRule } from '../../../src/expressions/type-rule.ts';
import type { RuleField } from '../../../src/expressions/type-rule.ts';
import type { FieldType } from '../../../src/types/registry.ts';
import { row, rule } from './rules.ts';

const field = (name: string, type: FieldType): RuleField => ({
  name,
  type,
  required: false,
  writeOnly: false,
});
const FIELDS = [
  field('i', { type: 'integer' }),
  field('j', { type: 'integer' }),
  field('n', { type: 'number' }),
  field('d', { type: 'decimal', precision: 6, scale: 2 }),
  field('day', { type: 'date' }),
  field('s', { type: 'enum', values: ['a', 'b', 'c'] }),
  field('t', { type: 'enum', values: ['a', 'b', 'c'] }),
] as const;

function read(text: string, fields: readonly RuleField[] = FIELDS): Expression {
  const syntax = parseRule(text);
  if ('message' in syntax) throw new Error(`${text}: ${syntax.message}`);
  const { expression, problems } = typeRule(syntax, fields);
  if (expression === undefined) throw new Error(`${text}: ${problems[0]?.message}`);
  return expression;
}

describe('rules that imply another one', () => {
  test.each([
    ["s = 'a'", "s in ('a')"],
    ["s in ('a')", "s = 'a'"],
    ["s in ('a', 'b')", "s in ('b', 'c', 'a')"],
    ["s = 'b'", "s in ('a', 'b')"],
    ["s = 'b'", "s != 'a'"],
    ["s not in ('a', 'b')", "s != 'b'"],
    ["not s = 'a'", "s != 'a'"],
    ["not (s = 'a' and i > 1)", "i <= 1 or s != 'a'"],
    ["not (s = 'a' or i > 1)", "s != 'a'"],
    ['i < j', 'j > i'],
    ['i < j', 'i <= j'],
    ['i < j', 'i != j'],
    ['i = j', 'j >= i'],
    ['i > 5', 'i > 4'],
    ['i > 5', 'i >= 5'],
    ['i > 5', 'i != 5'],
    ['i > 5', 'i != 4'],
    ['i = 5', 'i >= 5'],
    ['i = 5', 'i < 6'],
    ['i < 5', 'i <= 5'],
    ['i <= 5', 'i < 6'],
    ['d >= 1.50', 'd > 1.4'],
    ["day > '2026-02-01'", "day > '2025-12-31'"],
    ['i > 1 and j > 1', 'j > 1 and i > 1'],
    ['i > 1 and j > 1', 'i > 0'],
    ['i > 1', 'i > 1 or j > 1'],
    ['i > 1 or j > 1', 'j > 0 or i > 0 or d > 1'],
    ["i > 1 and (s = 'a' or s = 'b')", "s != 'c'"],
    ['i >= 2', 'i > 1'],
    ['i = null', 'i = null or j = null'],
  ])('%s implies %s', (one, other) => {
    expect(ruleImplies(read(one), read(other))).toBe(true);
  });

  test.each([
    ['i > 4', 'i > 5'],
    ['i >= 5', 'i > 5'],
    ['i > 5', 'i < 5'],
    ['i != 5', 'i != 6'],
    ['i != 5', 'i > 5'],
    ['i > 5', 'j > 5'],
    ['i < j', 'i < 5'],
    ['i < j', 'j < i'],
    ['i < j', 'i < n'],
    ['i = 5', 'i = 6'],
    ["s = 'a'", "s = 'b'"],
    ["s = 'a'", "t = 'a'"],
    ["s not in ('a', 'b')", "s = 'a'"],
    ['i < 5', 'i <= 3'],
    ['i > 3', 'i >= 5'],
    ["s in ('a', 'b')", "s = 'a'"],
    ["s = 'a'", 's = t'],
    ['i > 1 or j > 1', 'i > 1'],
    ['i > 1', 'i > 1 and j > 1'],
    ['i = null', 'i != null'],
    ['i = null', 'j = null'],
    ['i = null', 'i = 1'],
    // Where i is null, the one is neither true nor false, and the other is false.
    ['i > 1', 'i != null'],
  ])('%s does not imply %s', (one, other) => {
    expect(ruleImplies(read(one), read(other))).toBe(false);
  });
});

test('a yes is true of all rows', () => {
  const rows = fc.sample(row, { numRuns: 100, seed: 1 });
  const rank = (truth: boolean | undefined): number => (truth === undefined ? 1 : truth ? 2 : 0);
  const counts = { yes: 0, no: 0 };
  const pairs = fc.tuple(rule, rule).chain(([one, other]) =>
    fc.constantFrom<[Expression, Expression]>(
      [one, other],
      [{ kind: 'and', parts: [one, other] }, one],
      [
        { kind: 'not', part: one },
        { kind: 'not', part: { kind: 'and', parts: [other, one] } },
      ],
      [one, { kind: 'or', parts: [other, one] }],
    ),
  );
  fc.assert(
    fc.property(pairs, ([one, other]) => {
      const isYes = ruleImplies(one, other);
      counts[isYes ? 'yes' : 'no'] += 1;
      if (!isYes) return true;
      return rows.every((values) => rank(truthOf(one, values)) <= rank(truthOf(other, values)));
    }),
    { numRuns: 2_000 },
  );
  expect(counts.yes).toBeGreaterThan(1_000);
  expect(counts.no).toBeGreaterThan(100);
});
