/**
 * Lines that three texts share for certain: those at their start and end, and those between that
 * stand in each exactly once and in one order. What is between two of them is compared alone, which
 * keeps the time for large files in proportion to their length.
 */

/** A line by its indexes in the three texts. */
export type Anchor = readonly [ours: number, base: number, theirs: number];

/** The anchors of three texts, in order. */
export function anchorsOf(
  ours: readonly string[],
  base: readonly string[],
  theirs: readonly string[],
): Anchor[] {
  const most = Math.min(ours.length, base.length, theirs.length);
  let start = 0;
  while (start < most && ours[start] === base[start] && base[start] === theirs[start]) start++;
  const fromEnd = (lines: readonly string[], index: number): string | undefined =>
    lines[lines.length - 1 - index];
  let end = 0;
  while (
    end < most - start &&
    fromEnd(ours, end) === fromEnd(base, end) &&
    fromEnd(base, end) === fromEnd(theirs, end)
  ) {
    end++;
  }
  const [linesOfOurs, linesOfBase, linesOfTheirs] = [ours, base, theirs].map((lines) =>
    uniqueLines(lines, start, lines.length - end),
  ) as [Map<string, number>, Map<string, number>, Map<string, number>];
  const shared = [...linesOfBase].flatMap(([line, index]): Anchor[] => {
    const [one, other] = [linesOfOurs.get(line), linesOfTheirs.get(line)];
    return one === undefined || other === undefined ? [] : [[one, index, other]];
  });
  return [
    ...Array.from({ length: start }, (_, index): Anchor => [index, index, index]),
    ...rising(rising(shared, 0), 2),
    ...Array.from({ length: end }, (_, index): Anchor => {
      const left = end - index;
      return [ours.length - left, base.length - left, theirs.length - left];
    }),
  ];
}

/** The lines of a part of a text that stand in it once, by their index. */
function uniqueLines(lines: readonly string[], start: number, end: number): Map<string, number> {
  const found = new Map<string, number>();
  const repeated = new Set<string>();
  for (let index = start; index < end; index++) {
    const line = lines[index] ?? '';
    if (found.has(line)) repeated.add(line);
    found.set(line, index);
  }
  for (const line of repeated) found.delete(line);
  return found;
}

/** The longest run of anchors, not necessarily neighbours, that rise in one of the texts. */
function rising(anchors: readonly Anchor[], text: 0 | 2): Anchor[] {
  /** The anchor that ends the best run of each length, and the one before each. */
  const ends: Anchor[] = [];
  const previous = new Map<Anchor, Anchor | undefined>();
  for (const anchor of anchors) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.[text] ?? 0) < anchor[text]) low = middle + 1;
      else high = middle;
    }
    previous.set(anchor, ends[low - 1]);
    ends[low] = anchor;
  }
  const run: Anchor[] = [];
  for (let at = ends.at(-1); at !== undefined; at = previous.get(at)) run.push(at);
  return run.toReversed();
}
