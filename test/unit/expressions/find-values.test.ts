/** The search for values of checks: its work is bounded, whatever the rules are. */
import { expect, test } from 'vitest';

import type { CandidateValues } from '../../../src/expressions/candidate-values.ts';
import { findValues, searchBudget } from '../../../src/expressions/find-values.ts';
import type { ValueCondition } from '../../../src/expressions/find-values.ts';

const NAMES = Array.from({ length: 12 }, (_, at) => `member_${at}`);
const VALUES = Array.from({ length: 12 }, (_, at) => at);

const candidates = (names: readonly string[]): CandidateValues[] =>
  names.map((name) => ({ name, values: VALUES, isComplete: true }));

/** A condition of all members that nothing satisfies, and how often it was judged. */
function never(names: readonly string[], cost: number) {
  const judged = { times: 0 };
  const condition: ValueCondition = {
    names,
    cost,
    accepts() {
      judged.times += 1;
      return false;
    },
  };
  return { condition, judged };
}

test('tries all values where they are few', () => {
  const { condition, judged } = never(NAMES.slice(0, 3), 1);
  expect(findValues(candidates(NAMES.slice(0, 3)), [condition])).toEqual({ isImpossible: true });
  expect(judged.times).toBe(12 ** 3);
});

test.each([1, 40, 1000])('gives up after 200,000 comparisons, of which a rule has %i', (cost) => {
  const { condition, judged } = never(NAMES, cost);
  expect(findValues(candidates(NAMES), [condition])).toEqual({ isImpossible: false });
  expect(judged.times).toBeGreaterThan(100_000 / (cost + 1));
  expect(judged.times * cost).toBeLessThanOrEqual(200_000 + cost);
});

test('searches that share a budget stop when it is used up', () => {
  const budget = searchBudget();
  const first = never(NAMES, 1);
  findValues(candidates(NAMES), [first.condition], budget);
  const second = never(NAMES.slice(0, 1), 1);
  expect(findValues(candidates(NAMES.slice(0, 1)), [second.condition], budget)).toEqual({
    isImpossible: false,
  });
  expect(second.judged.times).toBe(0);
});
