/**
 * How the time that a backtracking engine takes for a pattern grows with the length of the text.
 * It is worked out, not measured: the same pattern gets the same answer on every machine.
 */
import { RegExpParser } from '@eslint-community/regexpp';

import { automatonOf } from './automaton.ts';
import type { Automaton } from './automaton.ts';
import { ambiguityDegree } from './degree.ts';
import { UnsupportedPattern, graphOf } from './graph.ts';
import { mostSteps } from './most-ways.ts';

export type Ambiguity =
  /** Steps grow with this power of the length, as 1 or 2. */
  | {
      readonly kind: 'polynomial';
      readonly degree: number;
      /** Whether some text of at most this length is known to take more steps than that. */
      readonly takesMore: (longest: number, steps: number) => boolean;
    }
  | { readonly kind: 'exponential' }
  /** It is too large, or has what cannot be told of: a look behind without an end, say. */
  | { readonly kind: 'unknown' };

/** @param pattern one that compiles with the flag `u` */
export function ambiguityOf(pattern: string): Ambiguity {
  try {
    const tree = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
    const automaton: Automaton = automatonOf(graphOf(tree));
    const degree = ambiguityDegree(automaton);
    if (degree === Infinity) return { kind: 'exponential' };
    const takesMore = (longest: number, steps: number): boolean =>
      mostSteps(automaton, longest, steps) > steps;
    return { kind: 'polynomial', degree: degree + 1, takesMore };
  } catch (error) {
    if (error instanceof UnsupportedPattern) return { kind: 'unknown' };
    throw error;
  }
}
