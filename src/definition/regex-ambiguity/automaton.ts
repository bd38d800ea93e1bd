/**
 * The graph of a pattern as an automaton: a state is "this character of the pattern was just
 * consumed", and leads by each class of characters to the states that the engine would try, in
 * its order. What the engine never comes to, because something before it surely matches, is left out.
 */
import { ANY_CHARACTER, classesOf } from './alphabet.ts';
import { UnsupportedPattern } from './graph.ts';
import type { Graph, Step } from './graph.ts';

const MOST_WAYS = 300_000;

export interface Automaton {
  /** For each state and class: the states that follow; one that follows in two ways is there twice. */
  readonly next: readonly (readonly (readonly number[])[])[];
}

/** The start state, before the first character. */
export const START_STATE = 0;

type Character = Extract<Step, { readonly kind: 'character' }>;

/** What comes after a character, up to what surely matches. */
interface Following {
  readonly characters: readonly Character[];
  /** Whether the text matches if nothing before does, whatever follows. */
  readonly matches: boolean;
  /** Whether it matches if it ends here. */
  readonly matchesAtEnd: boolean;
}

/** @throws UnsupportedPattern */
export function automatonOf({ first, isExact }: Graph): Automaton {
  const follower = new Follower(isExact);
  // A match is looked for at each place, the first one first; where it can only begin there, not.
  const search: Character = { kind: 'character', ranges: ANY_CHARACTER, next: first };
  const begin = follower.after(first, true);
  const later = follower.after(first, false);
  const isSearched = later.characters.length > 0 || later.matches || later.matchesAtEnd;
  const searching = (one: Following): Following =>
    (one.matches && isExact) || !isSearched
      ? one
      : { ...one, characters: [...one.characters, search] };

  const followings: Following[] = [searching(begin)];
  const numbers = new Map<Character, number>();
  const states: Character[] = [];
  const take = (found: Following): void => {
    for (const character of found.characters) {
      if (numbers.has(character)) continue;
      states.push(character);
      numbers.set(character, states.length);
    }
  };
  take(searching(begin));
  for (let at = 0; at < states.length; at++) {
    const state = states[at];
    if (state === undefined) break;
    const found = state === search ? searching(later) : follower.after(state.next, false);
    followings.push(found);
    take(found);
  }

  const { count, members } = classesOf([ANY_CHARACTER, ...states.map(({ ranges }) => ranges)]);
  const next = followings.map(({ characters }) => {
    const byClass: number[][] = Array.from({ length: count }, () => []);
    for (const character of characters) {
      const number = numbers.get(character) ?? 0;
      for (const one of members[number] ?? []) byClass[one]?.push(number);
    }
    return byClass;
  });
  return { next: isExact ? withoutUnreached(next, followings) : next };
}

/** Walks from a character to those that may follow it. */
class Follower {
  #ways = 0;
  readonly #isExact: boolean;

  constructor(isExact: boolean) {
    this.#isExact = isExact;
  }

  /** @throws UnsupportedPattern */
  after(step: Step, isAtStart: boolean): Following {
    const characters: Character[] = [];
    let matches = false;
    let matchesAtEnd = false;
    const walk = (from: Step, isAtEnd: boolean, begun: ReadonlySet<number>): void => {
      if (matches && this.#isExact) return;
      this.#ways++;
      if (this.#ways > MOST_WAYS) throw new UnsupportedPattern('too many ways');
      switch (from.kind) {
        case 'character':
          if (!isAtEnd) characters.push(from);
          return;
        case 'choice':
          for (const way of from.ways) walk(way, isAtEnd, begun);
          return;
        case 'start':
          if (isAtStart) walk(from.next, isAtEnd, begun);
          return;
        case 'end':
          walk(from.next, true, begun);
          return;
        case 'round-begins':
          walk(from.next, isAtEnd, new Set([...begun, from.round]));
          return;
        case 'round-ends':
          if (!begun.has(from.round)) walk(from.next, isAtEnd, begun);
          return;
        case 'match':
          if (isAtEnd) matchesAtEnd = true;
          else matches = true;
          return;
        case 'aside':
      }
    };
    walk(step, false, new Set());
    return { characters, matches, matchesAtEnd };
  }
}

/** Leaves out what comes after a state from which every text matches. */
function withoutUnreached(
  next: Automaton['next'],
  followings: readonly Following[],
): Automaton['next'] {
  const isSure = followings.map(() => true);
  for (let changed = true; changed;) {
    changed = false;
    for (const [state, { matches, matchesAtEnd }] of followings.entries()) {
      if (isSure[state] !== true || matches) continue;
      const goesOn = next[state]?.every((targets) => targets.some((target) => isSure[target]));
      if (matchesAtEnd && goesOn === true) continue;
      isSure[state] = false;
      changed = true;
    }
  }
  return next.map((byClass) =>
    byClass.map((targets) => {
      const sure = targets.findIndex((target) => isSure[target]);
      return sure === -1 ? targets : targets.slice(0, sure + 1);
    }),
  );
}
