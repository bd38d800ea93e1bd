/** `testableSteps`: the steps of a field with transitions that tests can take. */
import type { Field } from '../definition/types.ts';
import { testableStates } from './check-values.ts';
import type { Samples } from './samples.ts';
import { reachedValues, wayTo } from './test-steps.ts';

/** The most values of a field that tests bring an item to. */
const MOST_STATES = 20;

/** A value that tests can give an item, and the changes from it. */
export interface TestableState {
  readonly from: string;
  /** The values on the way to it: the first is given to a new item, the last is `from`. */
  readonly way: readonly string[];
  readonly to: readonly string[];
}

/** The values that an item of tests can have without violating a check, in the order of the enum. */
export function testableSteps(
  field: Field,
  { collection, checks }: Samples,
): readonly TestableState[] {
  const { transitions } = field;
  if (transitions === undefined) return [];
  const usable = testableStates(field, collection.definition, checks);
  const isUsable = (value: string): boolean => usable.has(value);
  const reached = reachedValues(transitions, isUsable);
  return transitions.states
    .filter(({ value }) => reached.has(value))
    .slice(0, MOST_STATES)
    .map(({ value: from, steps }) => ({
      from,
      way: wayTo(reached, from),
      to: steps.map(({ to }) => to).filter(isUsable),
    }));
}
