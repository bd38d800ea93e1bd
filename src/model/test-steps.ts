/** How tests take the steps of a field with transitions: where items begin, and the way to each value. */
import type { Field, TransitionsDefinition } from '../definition/types.ts';

/** The value that items of tests begin with; undefined if the field has no transitions, or if the service sets it. */
export function startValue({
  transitions,
  default: defaultValue,
  readOnly,
}: Field): string | undefined {
  if (transitions === undefined || readOnly) return undefined;
  return typeof defaultValue === 'string' ? defaultValue : transitions.initial[0];
}

/**
 * The values that an item can have, each with the value before it on a shortest way; undefined for an
 * initial value.
 * @param isUsable whether tests can give an item the value.
 */
export function reachableValues(
  { initial, states }: Pick<TransitionsDefinition, 'initial' | 'states'>,
  isUsable: (value: string) => boolean = () => true,
): ReadonlyMap<string, string | undefined> {
  const stepsOf = new Map(states.map(({ value, steps }) => [value, steps]));
  const reached = new Map<string, string | undefined>(
    initial.filter(isUsable).map((value) => [value, undefined]),
  );
  // A map yields the entries that are added while it is walked.
  for (const [from] of reached) {
    for (const { to } of stepsOf.get(from) ?? []) {
      if (!reached.has(to) && isUsable(to)) reached.set(to, from);
    }
  }
  return reached;
}

/** The way to a value: an initial value, the values after it, and the value itself. */
export function pathToValue(
  reached: ReadonlyMap<string, string | undefined>,
  value: string,
): readonly string[] {
  const way = [value];
  for (let before = reached.get(value); before !== undefined; before = reached.get(before)) {
    way.unshift(before);
  }
  return way;
}
