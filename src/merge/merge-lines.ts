/**
 * Merges three texts by lines with diff3 (Khanna, Kunal and Pierce, "A Formal Investigation of Diff3", 2007), between
 * anchor lines. `LineRules` says which conflicts of diff3 are resolved.
 */
import { diff3MergeRegions, diffIndices } from 'node-diff3';
import type { IUnstableRegion } from 'node-diff3';

import { anchorsOf } from './anchors.ts';
import type { Anchor } from './anchors.ts';
import { quoteExcerpt, quoteExcerpts } from './excerpts.ts';
import { conflict, merged } from './types.ts';
import type { MergeResult, ConflictPlace, MergeSides, Side } from './types.ts';

export interface LineRules {
  /**
   * Whether changes of neighbouring lines are apart. Git says no; where no structure helps, a line
   * that one side alone changed is its edit, and survives.
   */
  readonly neighbours: 'conflict' | 'apart';
  /**
   * Where both sides add different lines at one place: a conflict; both, those on disk first; or
   * the same, and lines that both added once (`union`).
   */
  readonly additions: 'conflict' | 'both' | 'union';
  /**
   * Lines that mean the same wherever in their neighbourhood they are: what one side adds of these
   * within what the other changes stays, after it.
   */
  readonly isLoose?: (line: string) => boolean;
}

/** The rules of git: adjacent changes conflict, and so do additions of both sides at one place. */
export const GIT_RULES: LineRules = { neighbours: 'conflict', additions: 'conflict' };

/** Merges three plain texts by lines; where a side is preferred, that succeeds. */
export function mergeLines(texts: MergeSides, rules: LineRules): MergeResult {
  const [ours, base, theirs] = [texts.ours, texts.base, texts.theirs].map((text) =>
    text.split('\n'),
  ) as [string[], string[], string[]];
  const end: Anchor = [ours.length, base.length, theirs.length];
  const lines: string[] = [];
  const places: ConflictPlace[] = [];
  let from: Anchor = [0, 0, 0];
  for (const anchor of [...anchorsOf(ours, base, theirs), end]) {
    const regions = diff3MergeRegions(
      ours.slice(from[0], anchor[0]),
      base.slice(from[1], anchor[1]),
      theirs.slice(from[2], anchor[2]),
    );
    for (const region of regions) {
      const content = region.stable ? region.bufferContent : resolve(region, rules, texts.prefers);
      if (content !== undefined) lines.push(...content);
      else if (!region.stable) places.push(placeOf(region, from[0]));
    }
    lines.push(...ours.slice(anchor[0], anchor[0] + 1));
    from = [anchor[0] + 1, anchor[1] + 1, anchor[2] + 1];
  }
  return places.length > 0 ? conflict(places) : merged(lines.join('\n'), 'lines');
}

/** A run of lines of the base that one side replaced. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** The lines of a region that both sides changed; undefined where they conflict and no side is preferred. */
function resolve(
  region: IUnstableRegion<string>,
  rules: LineRules,
  side: Side | undefined,
): readonly string[] | undefined {
  const { aContent, oContent: base, bContent } = region;
  if (isSame(aContent, bContent)) return aContent;
  if (rules.neighbours === 'conflict' && rules.additions === 'conflict') {
    return side && { ours: aContent, theirs: bContent }[side];
  }
  const ours = changesOf(base, aContent);
  const theirs = changesOf(base, bContent);
  const result: string[] = [];
  let at = 0;
  while (ours.length > 0 || theirs.length > 0) {
    const [mine, other] = [ours[0], theirs[0]];
    if (mine !== undefined && other !== undefined && meet(mine, other)) {
      const both = together(mine, other, rules) ?? looselyTogether(ours, theirs, rules);
      if (both === undefined) {
        if (side === undefined) return undefined;
        const overlap = takeOverlap(ours, theirs);
        result.push(...base.slice(at, overlap.start), ...applied(base, overlap, overlap[side]));
        at = overlap.end;
        continue;
      }
      result.push(...base.slice(at, Math.min(mine.start, other.start)), ...both);
      at = Math.max(mine.end, other.end);
      ours.shift();
      theirs.shift();
      continue;
    }
    if (rules.neighbours === 'conflict') return undefined;
    const isMine = other === undefined || (mine !== undefined && isBefore(mine, other));
    const next = (isMine ? ours : theirs).shift();
    if (next === undefined) return undefined;
    result.push(...base.slice(at, next.start), ...next.lines);
    at = next.end;
  }
  return [...result, ...base.slice(at)];
}

const changesOf = (base: string[], side: string[]): Change[] =>
  diffIndices(base, side).map(({ buffer1: [start, length], buffer2Content: lines }) => ({
    start,
    end: start + length,
    lines,
  }));

/** Whether two changes overlap, or add at one place. */
const meet = (one: Change, other: Change): boolean =>
  one.start === other.start
    ? isAddition(one) === isAddition(other)
    : one.start < other.end && other.start < one.end;

const isAddition = ({ start, end }: Change): boolean => start === end;

const isBefore = (one: Change, other: Change): boolean =>
  one.start < other.start || (one.start === other.start && one.end < other.end);

/** What two changes that meet come to, where that is clear. */
function together(mine: Change, other: Change, rules: LineRules): readonly string[] | undefined {
  const isOneRun = mine.start === other.start && mine.end === other.end;
  if (isOneRun && isSame(mine.lines, other.lines)) return mine.lines;
  if (!isOneRun || !isAddition(mine) || rules.additions === 'conflict') return undefined;
  const told = new Set(mine.lines.filter((line) => line.trim() !== ''));
  if (rules.additions === 'union') {
    return [...mine.lines, ...other.lines.filter((line) => !told.has(line))];
  }
  // Lines that both sides added: keeping both would say them twice.
  if (other.lines.some((line) => told.has(line))) return undefined;
  return [...mine.lines, ...other.lines];
}

/** What the first changes come to where one side added loose lines within what the other changed. */
function looselyTogether(
  ours: Change[],
  theirs: Change[],
  { isLoose = () => false }: LineRules,
): readonly string[] | undefined {
  for (const [few, [around]] of [
    [ours, theirs],
    [theirs, ours],
  ] as const) {
    if (around === undefined) continue;
    const end = few.findIndex((one) => !meet(one, around));
    const within = few.slice(0, end === -1 ? few.length : end);
    const added = within.flatMap(({ lines }) => lines);
    if (!within.every(isAddition) || !added.every(isLoose)) continue;
    // Leaves the last one: the caller takes it.
    few.splice(0, within.length - 1);
    return [...around.lines, ...added];
  }
  return undefined;
}

/** Lines of the base that changes of both sides cover, with these changes. */
interface Overlap {
  readonly start: number;
  readonly end: number;
  readonly ours: readonly Change[];
  readonly theirs: readonly Change[];
}

/** Takes the first changes of both sides, which meet, and all that meet what these cover. */
function takeOverlap(ours: Change[], theirs: Change[]): Overlap {
  const start = Math.min(ours[0]?.start ?? Infinity, theirs[0]?.start ?? Infinity);
  let end = start;
  const taken = { ours: [] as Change[], theirs: [] as Change[] };
  const isIn = (change: Change | undefined): change is Change =>
    change !== undefined && (change.start < end || change.start === start);
  for (;;) {
    const from = isIn(ours[0]) ? ours : theirs;
    const [change] = from;
    if (!isIn(change)) return { start, end, ...taken };
    taken[from === ours ? 'ours' : 'theirs'].push(change);
    from.shift();
    end = Math.max(end, change.end);
  }
}

/** The lines of the base in a range, with changes of one side. */
function applied(
  base: readonly string[],
  { start, end }: Overlap,
  changes: readonly Change[],
): readonly string[] {
  let at = start;
  const before = changes.flatMap((change) => {
    const lines = [...base.slice(at, change.start), ...change.lines];
    at = change.end;
    return lines;
  });
  return [...before, ...base.slice(at, end)];
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index]);

/** Where a region stands on disk, and what collides; it was found from a line, an index, onwards. */
function placeOf(region: IUnstableRegion<string>, from: number): ConflictPlace {
  const { aStart, aContent, oContent, bContent } = region;
  const first = aContent.findIndex((line, index) => line !== oContent[index]);
  const line = from + aStart + Math.max(first, 0) + 1;
  const mine = different(aContent, oContent);
  const theirs = different(bContent, oContent);
  const before = quoteExcerpt(oContent.find((text) => text.trim() !== '') ?? '');
  const [here, generated] =
    mine !== undefined && theirs !== undefined
      ? quoteExcerpts(mine, theirs)
      : [mine, theirs].map((text) => (text === undefined ? 'nothing' : quoteExcerpt(text)));
  if (oContent.length === 0) {
    return { line, what: `added here: ${here}; generated at the same place: ${generated}` };
  }
  if (aContent.length === 0) {
    return { line, what: `removed here: ${before}; generated now: ${generated}` };
  }
  if (bContent.length === 0) {
    return { line, what: `changed here to ${here}; no longer generated: ${before}` };
  }
  return { line, what: `changed here to ${here}; generated now: ${generated}` };
}

/** The first line of a side that the base does not have, for a sentence. */
function different(side: readonly string[], base: readonly string[]): string | undefined {
  const known = new Set(base);
  return side.find((text) => text.trim() !== '' && !known.has(text));
}
