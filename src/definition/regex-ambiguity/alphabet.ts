/**
 * Characters as a pattern tells them apart: all that the same sets of the pattern contain are one
 * class, so that an automaton has a handful of them and not a million.
 */
import type { AST } from '@eslint-community/regexpp';

/** Code points as ranges that are sorted and apart, with both ends. */
export type Ranges = readonly (readonly [first: number, last: number])[];

const HIGHEST = 0x10ffff;

export const ANY_CHARACTER: Ranges = [[0, HIGHEST]];

const DIGITS: Ranges = [[0x30, 0x39]];
const WORDS: Ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** WhiteSpace and LineTerminator of ECMAScript. */
const SPACES: Ranges = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const LINE_ENDS: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

/** The characters that a character, a class or an escape stands for. */
export function rangesOf(
  node: AST.CharacterClassElement | AST.CharacterSet | AST.CharacterClass,
): Ranges {
  switch (node.type) {
    case 'Character':
      return [[node.value, node.value]];
    case 'CharacterClassRange':
      return [[node.min.value, node.max.value]];
    case 'CharacterClass': {
      const inside = union(
        (node.elements as readonly AST.CharacterClassElement[]).flatMap(rangesOf),
      );
      return node.negate ? complement(inside) : inside;
    }
    case 'CharacterSet':
      switch (node.kind) {
        case 'any':
          return complement(LINE_ENDS);
        case 'digit':
          return signed(DIGITS, node.negate);
        case 'word':
          return signed(WORDS, node.negate);
        case 'space':
          return signed(SPACES, node.negate);
        case 'property':
          return matched(node.raw);
      }
    // What is left comes only with the flag v, which patterns do not have.
    // oxlint-disable-next-line no-fallthrough
    default:
      throw new Error(`${node.raw} is unknown`);
  }
}

const signed = (ranges: Ranges, isNegated: boolean): Ranges =>
  isNegated ? complement(ranges) : ranges;

function union(ranges: Ranges): Ranges {
  const joined: [number, number][] = [];
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = joined.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

function complement(ranges: Ranges): Ranges {
  const gaps: [number, number][] = [];
  let from = 0;
  for (const [first, last] of ranges) {
    if (first > from) gaps.push([from, first - 1]);
    from = last + 1;
  }
  if (from <= HIGHEST) gaps.push([from, HIGHEST]);
  return gaps;
}

const SURROGATES = [0xd800, 0xdfff] as const;
let everything: string | undefined;

/** What a property means, the engine says: all code points but surrogates are tried at once. */
function matched(escape: string): Ranges {
  everything ??= textOfAll();
  const found: [number, number][] = [];
  const hole = SURROGATES[1] - SURROGATES[0] + 1;
  const units = 0x10000 - hole;
  const pointAt = (index: number): number => {
    if (index >= units) return 0x10000 + (index - units) / 2;
    return index < SURROGATES[0] ? index : index + hole;
  };
  for (const { index, 0: text } of everything.matchAll(new RegExp(`${escape}+`, 'gu')))
    found.push([pointAt(index), pointAt(index + text.length) - 1]);
  return union(found);
}

function textOfAll(): string {
  const parts: string[] = [];
  for (let start = 0; start <= HIGHEST; start += 0x400) {
    if (start >= SURROGATES[0] && start <= SURROGATES[1]) continue;
    parts.push(String.fromCodePoint(...Array.from({ length: 0x400 }, (_, at) => start + at)));
  }
  return parts.join('');
}

/** For each of the sets, the numbers of the classes that it consists of. */
export function classesOf(sets: readonly Ranges[]): {
  readonly count: number;
  readonly members: readonly (readonly number[])[];
} {
  const changes = new Map<number, number[]>();
  const change = (at: number, set: number): void => {
    const there = changes.get(at);
    if (there === undefined) changes.set(at, [set]);
    else there.push(set);
  };
  for (const [set, ranges] of sets.entries()) {
    for (const [first, last] of ranges) {
      change(first, set);
      change(last + 1, set);
    }
  }
  const known = new Map<string, number>();
  const members: number[][] = sets.map(() => []);
  const open = new Set<number>();
  for (const at of [...changes.keys()].toSorted((one, other) => one - other)) {
    for (const set of changes.get(at) ?? []) {
      if (!open.delete(set)) open.add(set);
    }
    const key = [...open].toSorted((one, other) => one - other).join();
    if (open.size === 0 || known.has(key)) continue;
    for (const set of open) members[set]?.push(known.size);
    known.set(key, known.size);
  }
  return { count: known.size, members };
}
