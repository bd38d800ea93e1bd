/** The steps of a field with transitions that tests take, and those that they do not. */
import type { CheckDefinition, Field } from '../definition/types.ts';
import { checksAgainst, testableStates } from './check-values.ts';
import type { Samples } from './samples.ts';
import { reachableValues, pathToValue } from './test-steps.ts';

/** The most values of a field that tests bring an item to. */
const MOST_STATES = 20;

/** The most changes that tests try from each value. */
export const MOST_CHANGES = 10;

/** The most steps that tests take from each value: each needs an item of its own. */
export const mostTestedSteps = ({ capacity }: Samples): number =>
  Math.min(MOST_CHANGES, capacity - 1);

/** A step from one value to another that no test takes. */
export interface UntestedStep {
  readonly from: string;
  readonly to: string;
}

/** A value that tests can give an item, and the changes from it. */
export interface TestableState {
  readonly from: string;
  /** The values on the way to it: the first is given to a new item, the last is `from`. */
  readonly way: readonly string[];
  readonly to: readonly string[];
  /** Those that only a hook can make keep the checks, because a check names a member that the service sets. */
  readonly needsHook: readonly StepThatNeedsHook[];
}

/** A step that is refused unless a hook sets what a check asks for. */
export interface StepThatNeedsHook {
  readonly to: string;
  /** The checks that are violated without the hook. */
  readonly checks: readonly CheckDefinition[];
}

/** The values that an item of tests can have without violating a check, in the order of the enum. */
export function testableSteps(
  field: Field,
  { collection, checks, members }: Samples,
): readonly TestableState[] {
  const { transitions } = field;
  if (transitions === undefined) return [];
  const { definition } = collection;
  const usable = testableStates(field, definition, checks);
  const withHooks = testableStates(
    field,
    { ...definition, checks: definition.checks.filter(({ afterHooks }) => !afterHooks) },
    checks,
  );
  const varied = new Set(
    members.flatMap((member) => (member.kind === 'series' ? [member.field.name] : [])),
  );
  const needsHook = (to: string): StepThatNeedsHook[] => {
    if (isUsable(to) || !withHooks.has(to)) return [];
    const violated = checksAgainst(field, to, definition, checks, varied);
    return violated.length === 0 ? [] : [{ to, checks: violated }];
  };
  const isUsable = (value: string): boolean => usable.has(value);
  const reached = reachableValues(transitions, isUsable);
  return transitions.states
    .filter(({ value }) => reached.has(value))
    .slice(0, MOST_STATES)
    .map(({ value: from, steps }) => ({
      from,
      way: pathToValue(reached, from),
      to: steps.map(({ to }) => to).filter(isUsable),
      needsHook: steps.flatMap(({ to }) => needsHook(to)),
    }));
}

/**
 * The steps of a field that no test takes: no values are known with which an item keeps the checks there, or there are
 * more steps than tests take. None of a field that only the service sets: tests send no steps of it.
 */
export function untestedSteps(field: Field, samples: Samples): readonly UntestedStep[] {
  const { transitions, readOnly } = field;
  if (transitions === undefined || readOnly) return [];
  const most = mostTestedSteps(samples);
  const states = samples.obstacle === undefined ? testableSteps(field, samples) : [];
  const tested = new Map(
    states.map(({ from, to, needsHook }) => [
      from,
      new Set([...to.slice(0, most), ...needsHook.slice(0, most).map((step) => step.to)]),
    ]),
  );
  return transitions.states.flatMap(({ value: from, steps }) =>
    steps.flatMap(({ to }) => (tested.get(from)?.has(to) === true ? [] : [{ from, to }])),
  );
}
