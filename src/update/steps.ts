/**
 * What a newer version asks of an older project beyond a merge: files that are called otherwise
 * now. The team's edits go along. A step is named by the version that it came with, and is taken
 * once, on the way past that version.
 */
import { compareVersions } from './versions.ts';

/** A file that is called otherwise from a version on. */
export interface Step {
  /** The first version that yields the file under its new name. */
  readonly version: string;
  readonly from: string;
  readonly to: string;
}

/** All steps, the oldest first. No layout has changed since the first version. */
export const STEPS: readonly Step[] = [];

/** The moves on the way from a version to this one: new paths by old ones. */
export function movesSince(
  version: string,
  steps: readonly Step[] = STEPS,
): ReadonlyMap<string, string> {
  const moves = new Map<string, string>();
  for (const { version: at, from, to } of steps) {
    if (compareVersions(at, version) <= 0) continue;
    // What was moved before and is moved again is found under its first name.
    const origin = [...moves].find(([, target]) => target === from)?.[0] ?? from;
    moves.set(origin, to);
  }
  return moves;
}
