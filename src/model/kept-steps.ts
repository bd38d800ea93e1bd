/** `stepsKept`: the steps of a field with transitions that tests can take. */
import type { Field } from '../definition/types.ts';
import { isKeptAlone } from './check-values.ts';
import type { Samples } from './samples.ts';
import { reachedValues, wayTo } from './test-steps.ts';

/** A value that tests can give an item, and the changes from it. */
export interface KeptState {
  readonly from: string;
  /** The values on the way to it: the first is given to a new item, the last is `from`. */
  readonly way: readonly string[];
  readonly to: readonly string[];
}

/** The values that an item of tests can have without violating a check, in the order of the ways to them. */
export function stepsKept(
  { name, transitions }: Field,
  { collection, checks }: Samples,
): readonly KeptState[] {
  if (transitions === undefined) return [];
  const { fields, checks: rules } = collection.definition;
  const isUsable = (value: string): boolean => isKeptAlone(fields, rules, checks, { name, value });
  const reached = reachedValues(transitions, isUsable);
  return [...reached.keys()].map((from) => ({
    from,
    way: wayTo(reached, from),
    to: (transitions.states.find(({ value }) => value === from)?.steps ?? [])
      .map(({ to }) => to)
      .filter(isUsable),
  }));
}
