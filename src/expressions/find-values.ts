/** Searches for values that satisfy conditions, by backtracking over candidates. */
import type { JsonValue } from '../shared/json.ts';
import type { CandidateValues } from './candidate-values.ts';
import { holdsFor } from './evaluate.ts';
import type { MemberValues } from './evaluate.ts';
import { comparisonsOf, membersOf } from './expression.ts';
import type { Expression } from './expression.ts';

/** A condition over some members. */
export interface ValueCondition {
  readonly names: readonly string[];
  /** How many comparisons it takes to judge it. */
  readonly cost: number;
  readonly accepts: (values: MemberValues) => boolean;
}

/** What a search found. */
export interface SearchResult {
  /** Absent: nothing was found. */
  readonly values?: MemberValues;
  /** Whether no values can satisfy the conditions; false if the search gave up. */
  readonly isImpossible: boolean;
}

/** How many comparisons are left to searches. One that runs out of them gives up. */
export interface SearchBudget {
  left: number;
}

/** The budget of one search, or of several that share it: some hundredths of a second. */
export const searchBudget = (): SearchBudget => ({ left: 200_000 });

/** The condition that a rule holds, or that it is violated. */
export const ruleCondition = (expression: Expression, holds: boolean): ValueCondition => ({
  names: membersOf(expression).map(({ name }) => name),
  cost: comparisonsOf(expression),
  accepts: (values) => holdsFor(expression, values) === holds,
});

/**
 * Finds values for all of some members. The first members have their preferred values where that is possible.
 * @param budget is that of several searches, if they share one.
 */
export function findValues(
  candidates: readonly CandidateValues[],
  conditions: readonly ValueCondition[],
  budget = searchBudget(),
): SearchResult {
  const order = new Map(candidates.map(({ name }, at) => [name, at]));
  // A condition is judged as soon as its last member has a value.
  const judged = candidates.map((): ValueCondition[] => []);
  for (const condition of conditions) {
    const last = Math.max(0, ...condition.names.map((name) => order.get(name) ?? 0));
    judged[last]?.push(condition);
  }
  const values: Record<string, JsonValue> = {};
  const isAccepted = ({ cost, accepts }: ValueCondition): boolean => {
    budget.left -= cost;
    return accepts(values);
  };
  const search = (at: number): boolean => {
    const candidate = candidates[at];
    // Conditions of no member with candidates are judged here alone.
    if (candidate === undefined) return conditions.every(isAccepted);
    for (const value of candidate.values) {
      budget.left -= 1;
      if (budget.left < 0) return false;
      values[candidate.name] = value;
      if ((judged[at] ?? []).every(isAccepted) && search(at + 1)) return true;
    }
    delete values[candidate.name];
    return false;
  };
  if (search(0)) return { values, isImpossible: false };
  const isImpossible = budget.left >= 0 && candidates.every(({ isComplete }) => isComplete);
  return { isImpossible };
}
