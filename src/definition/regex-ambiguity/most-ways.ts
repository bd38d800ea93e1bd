/**
 * How many ways there are on texts that are made to have many: what an analysis of growth does
 * not see, because it stops growing at some length, as with `a?a?a?…aaa`. Character after
 * character, the texts with the most ways go on.
 */
import type { Automaton } from './automaton.ts';
import { START_STATE } from './automaton.ts';

/** How many texts go on. */
const KEPT = 8;
/** Texts grow no longer than this, and all of them together take no more additions than that. */
const LONGEST = 2000;
const MOST_WORK = 20_000_000;

interface Text {
  /** How many ways lead to each state. */
  readonly ways: ReadonlyMap<number, number>;
  /** How many steps were taken, on this text and all that it begins with. */
  readonly steps: number;
}

/** The most steps on a text that was found; the search ends where that is more than `enough`. */
export function mostSteps({ next }: Automaton, longest: number, enough: number): number {
  let texts: readonly Text[] = [{ ways: new Map([[START_STATE, 1]]), steps: 1 }];
  let most = 1;
  let work = 0;
  for (let length = 0; length < Math.min(longest, LONGEST) && texts.length > 0; length++) {
    const longer = new Map<string, Text>();
    for (const { ways, steps } of texts) {
      const classes = next[START_STATE]?.length ?? 0;
      for (let one = 0; one < classes; one++) {
        const after = new Map<number, number>();
        let sum = 0;
        for (const [state, count] of ways) {
          for (const target of next[state]?.[one] ?? []) {
            after.set(target, (after.get(target) ?? 0) + count);
            sum += count;
            work++;
          }
        }
        if (sum === 0) continue;
        most = Math.max(most, steps + sum);
        if (most > enough || work > MOST_WORK) return most;
        // Texts that come to the same are one.
        const key = [...after]
          .map(([state, count]) => `${state}:${count}`)
          .toSorted()
          .join();
        const known = longer.get(key);
        if (known === undefined || known.steps < steps + sum)
          longer.set(key, { ways: after, steps: steps + sum });
      }
    }
    texts = [...longer.values()].toSorted((one, other) => other.steps - one.steps).slice(0, KEPT);
  }
  return most;
}
