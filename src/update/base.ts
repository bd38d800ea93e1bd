/** Which text a merge starts from, where git could not merge what was generated on two branches. */
import { conflictSides } from './text.ts';

/**
 * The text that was generated last. Where git left its markers in it, it is the side that the
 * team's text goes back to: the one of which the fewest lines are missing there. Taking the other
 * would read as if the team had deleted what the other branch added.
 */
export function baseFor(base: string, disk: string): string {
  const sides = conflictSides(base);
  if (sides === undefined) return base;
  const diskLines = new Set(disk.split('\n'));
  const missing = (text: string): number =>
    text.split('\n').filter((line) => !diskLines.has(line)).length;
  const [ours, theirs] = sides;
  const candidates = [bothSides(base), ours, theirs];
  return candidates.toSorted((one, other) => missing(one) - missing(other))[0] ?? base;
}

/** A text with what both branches added, one after the other. */
const bothSides = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/.test(line))
    .join('\n');
