/**
 * A pattern as a graph of the steps that a backtracking engine takes: what it tries first comes
 * first. Where the graph says more than the engine does, it has more ways, never fewer.
 */
import type { AST } from '@eslint-community/regexpp';

import { ANY_CHARACTER, rangesOf } from './alphabet.ts';
import type { Ranges } from './alphabet.ts';

/** Repetitions that come to more characters than this are taken to be without an end. */
const MOST_COPIED = 1000;
/** A group that is no longer than this is written out where a reference repeats it. */
const LONGEST_REPEATED = 20;
const MOST_CHARACTERS = 3000;

/** Thrown for a pattern that cannot be analysed: it is too large, or has syntax that the graph does not represent. */
export class UnsupportedPattern extends Error {}

export type Step =
  | { readonly kind: 'character'; readonly ranges: Ranges; readonly next: Step }
  | { readonly kind: 'choice'; readonly ways: readonly Step[] }
  | { readonly kind: 'start' | 'end'; readonly next: Step }
  /** A round of a repetition begins, and ends: the engine refuses one that consumes nothing. */
  | { readonly kind: 'round-begins' | 'round-ends'; readonly round: number; readonly next: Step }
  | { readonly kind: 'match' }
  /** The end of a part that is tried beside the rest. */
  | { readonly kind: 'aside' };

export interface Graph {
  readonly first: Step;
  /** Whether reaching the end means a match: not where something is assumed to hold. */
  readonly isExact: boolean;
}

/** @throws UnsupportedPattern */
export function graphOf(pattern: AST.Pattern): Graph {
  const builder = new Builder();
  const first = builder.disjunction(pattern.alternatives, { kind: 'match' });
  return { first, isExact: builder.isExact };
}

class Builder {
  isExact = true;
  #characters = 0;
  #rounds = 0;

  disjunction(alternatives: readonly AST.Alternative[], next: Step): Step {
    return choice(
      alternatives.map(({ elements }) =>
        elements.reduceRight((after, element) => this.#element(element, after), next),
      ),
    );
  }

  #element(element: AST.Element, next: Step): Step {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.#character(rangesOf(element), next);
      case 'CapturingGroup':
        return this.disjunction(element.alternatives, next);
      case 'Group':
        if (element.modifiers !== null) throw new UnsupportedPattern('modifiers');
        return this.disjunction(element.alternatives, next);
      case 'Quantifier':
        return this.#repetition(element, next);
      case 'Assertion':
        return this.#assertion(element, next);
      case 'Backreference':
        return this.#reference(element, next);
      case 'ExpressionCharacterClass':
        throw new UnsupportedPattern('a class of the flag v');
    }
  }

  #character(ranges: Ranges, next: Step): Step {
    this.#characters++;
    if (this.#characters > MOST_CHARACTERS) throw new UnsupportedPattern('too many characters');
    return { kind: 'character', ranges, next };
  }

  #repetition(quantifier: AST.Quantifier, next: Step): Step {
    const { element, greedy } = quantifier;
    const canBeEmpty = widthOf(element).minimum === 0;
    const isLong = (times: number): boolean => times * sizeOf(element) > MOST_COPIED;
    const isLoop = quantifier.max === Infinity || isLong(quantifier.max);
    // Rounds that consume tell by themselves how many they are; empty ones do not.
    if (isLoop && quantifier.max !== Infinity && canBeEmpty)
      throw new UnsupportedPattern('long repetition');
    const least = isLong(quantifier.min) ? 0 : quantifier.min;
    if (isLong(quantifier.min) && canBeEmpty) throw new UnsupportedPattern('long repetition');

    const either = (again: Step, on: Step): readonly Step[] => (greedy ? [again, on] : [on, again]);
    const round = (after: Step): Step => {
      if (!canBeEmpty) return this.#element(element, after);
      const number = this.#rounds++;
      const ends: Step = { kind: 'round-ends', round: number, next: after };
      return { kind: 'round-begins', round: number, next: this.#element(element, ends) };
    };

    let step = next;
    if (isLoop) {
      const ways: Step[] = [];
      const loop: Step = { kind: 'choice', ways };
      ways.push(...either(round(loop), next));
      step = loop;
    } else {
      for (let copy = least; copy < quantifier.max; copy++)
        step = { kind: 'choice', ways: either(round(step), next) };
    }
    for (let copy = 0; copy < least; copy++) step = this.#element(element, step);
    return step;
  }

  #assertion(assertion: AST.Assertion, next: Step): Step {
    if (assertion.kind === 'start' || assertion.kind === 'end') {
      return { kind: assertion.kind, next };
    }
    this.isExact = false;
    switch (assertion.kind) {
      case 'word':
        return next;
      case 'lookahead':
        return choice([this.disjunction(assertion.alternatives, { kind: 'aside' }), next]);
      case 'lookbehind':
        // It is read backwards, and bounded: a constant at each place.
        if (widthOfAll(assertion.alternatives).maximum === Infinity) {
          throw new UnsupportedPattern('a look behind without an end');
        }
        return next;
    }
  }

  /** A reference repeats one text, however long; any text of such a length is more than that. */
  #reference({ resolved }: AST.Backreference, next: Step): Step {
    this.isExact = false;
    const groups = Array.isArray(resolved) ? resolved : [resolved];
    const most = Math.max(...groups.map((group) => widthOfAll(group.alternatives).maximum));
    if (most > LONGEST_REPEATED) {
      const ways: Step[] = [];
      const loop: Step = { kind: 'choice', ways };
      ways.push(this.#character(ANY_CHARACTER, loop), next);
      return loop;
    }
    let step = next;
    for (let copy = 0; copy < most; copy++)
      step = choice([this.#character(ANY_CHARACTER, step), next]);
    return step;
  }
}

const choice = (ways: readonly Step[]): Step =>
  ways.length === 1 && ways[0] !== undefined ? ways[0] : { kind: 'choice', ways };

/** How many characters an element is written with, with its bounded repetitions written out. */
function sizeOf(element: AST.Element): number {
  switch (element.type) {
    case 'Quantifier':
      return (
        sizeOf(element.element) *
        Math.max(1, element.min, element.max === Infinity ? 1 : element.max)
      );
    case 'CapturingGroup':
    case 'Group':
      return element.alternatives
        .flatMap(({ elements }) => elements)
        .reduce((sum, one) => sum + sizeOf(one), 0);
    default:
      return 1;
  }
}

interface Width {
  readonly minimum: number;
  readonly maximum: number;
}

/** How many characters an element consumes. */
function widthOf(element: AST.Element): Width {
  switch (element.type) {
    case 'Assertion':
      return { minimum: 0, maximum: 0 };
    case 'Backreference':
      // What it repeats may hold another one: only where that ends is known.
      return { minimum: 0, maximum: Infinity };
    case 'CapturingGroup':
    case 'Group':
      return widthOfAll(element.alternatives);
    case 'Quantifier': {
      const { minimum, maximum } = widthOf(element.element);
      return {
        minimum: minimum * element.min,
        maximum: maximum === 0 ? 0 : element.max === 0 ? 0 : maximum * element.max,
      };
    }
    default:
      return { minimum: 1, maximum: 1 };
  }
}

function widthOfAll(alternatives: readonly AST.Alternative[]): Width {
  const widths = alternatives.map(({ elements }) => elements.map(widthOf));
  const sum = (one: readonly Width[], end: keyof Width): number =>
    one.reduce((total, width) => total + width[end], 0);
  return {
    minimum: Math.min(...widths.map((one) => sum(one, 'minimum'))),
    maximum: Math.max(...widths.map((one) => sum(one, 'maximum'))),
  };
}
