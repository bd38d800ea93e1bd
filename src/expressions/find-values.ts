/** Searches for values that satisfy conditions, by backtracking over candidates. */
import type { JsonValue } from '../shared/json.ts';
import type { CandidateValues } from './candidate-values.ts';
import { holdsFor } from './evaluate.ts';
import type { MemberValues } from './evaluate.ts';
import { membersOf } from './expression.ts';
import type { Expression } from './expression.ts';

/** A condition over some members. */
export interface ValueCondition {
  readonly names: readonly string[];
  readonly accepts: (values: MemberValues) => boolean;
}

/** What a search found. */
export interface SearchResult {
  /** Absent: nothing was found. */
  readonly values?: MemberValues;
  /** Whether no values can satisfy the conditions; false if the search gave up. */
  readonly isImpossible: boolean;
}

/** The most values that a search tries. */
const MOST_STEPS = 50_000;

/** The condition that a rule holds, or that it is violated. */
export const ruleCondition = (expression: Expression, holds: boolean): ValueCondition => ({
  names: membersOf(expression).map(({ name }) => name),
  accepts: (values) => holdsFor(expression, values) === holds,
});

/** Finds values for all of some members. The first members have their preferred values where that is possible. */
export function findValues(
  candidates: readonly CandidateValues[],
  conditions: readonly ValueCondition[],
): SearchResult {
  const order = new Map(candidates.map(({ name }, at) => [name, at]));
  // A condition is judged as soon as its last member has a value.
  const judged = candidates.map((): ValueCondition[] => []);
  for (const condition of conditions) {
    const last = Math.max(0, ...condition.names.map((name) => order.get(name) ?? 0));
    judged[last]?.push(condition);
  }
  const values: Record<string, JsonValue> = {};
  let steps = 0;
  const search = (at: number): boolean => {
    const candidate = candidates[at];
    // Conditions of no member with candidates are judged here alone.
    if (candidate === undefined) return conditions.every(({ accepts }) => accepts(values));
    for (const value of candidate.values) {
      steps += 1;
      if (steps > MOST_STEPS) return false;
      values[candidate.name] = value;
      if ((judged[at] ?? []).every(({ accepts }) => accepts(values)) && search(at + 1)) return true;
    }
    delete values[candidate.name];
    return false;
  };
  if (search(0)) return { values, isImpossible: false };
  const isImpossible = steps <= MOST_STEPS && candidates.every(({ isComplete }) => isComplete);
  return { isImpossible };
}
