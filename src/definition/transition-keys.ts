/** `transitionKeys`: transitions as one writes them, the inverse of reading. */
import type { TransitionsDefinition } from './types.ts';

/** The keys `transitions` and `initial` of a field. */
export const transitionKeys = ({
  initial,
  states,
}: TransitionsDefinition): {
  readonly transitions: object;
  readonly initial: readonly string[];
} => ({
  transitions: Object.fromEntries(
    states.map(({ value, steps }) => [
      value,
      steps.map(({ to, by }) => (by === undefined ? to : { to, by })),
    ]),
  ),
  initial,
});
