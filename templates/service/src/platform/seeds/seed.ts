/** A seed: an item of `seeds/<collection>.yaml`, and the error that lists what is wrong with seeds. */
import { createHash } from 'node:crypto';

/** Where something stands in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** An item to create, as its file has it. */
export interface Seed {
  readonly collection: string;
  /** Unique in its file; references of other seeds use it. */
  readonly name: string;
  readonly id: string;
  /** Its members. Integers are bigints. */
  readonly members: Readonly<Record<string, unknown>>;
  /** A member as it is written, without quotes: the name of another seed may look like a number. */
  readonly textOf: (member: string) => string | undefined;
  /** Where the name stands. */
  readonly place: Place;
  /** Where the value of a member stands; the place of the seed if it has none. */
  readonly placeOf: (member: string) => Place;
}

/** Something that is wrong in a file of seeds. */
export interface SeedProblem {
  readonly place: Place;
  /** What is wrong, and what to write. */
  readonly text: string;
}

/** Lists all problems, one a line. */
export class InvalidSeeds extends Error {
  constructor(problems: readonly SeedProblem[]) {
    const lines = problems
      .toSorted(({ place: one }, { place: other }) =>
        one.file === other.file
          ? one.line - other.line || one.column - other.column
          : one.file < other.file
            ? -1
            : 1,
      )
      .map(({ place, text }) => `${place.file}:${place.line}:${place.column} error ${text}`);
    super(lines.join('\n'));
  }
}

/**
 * The id of a seed: the same in each run and on each machine, so that a second run finds the item. It is
 * a UUID of version 7 with the time 0, so seeds come first in the order of creation.
 */
export function seedId(collection: string, name: string): string {
  const hash = createHash('sha256').update(`${collection}/${name}`).digest('hex');
  const variant = ((Number.parseInt(hash.slice(3, 4), 16) & 3) | 8).toString(16);
  return `00000000-0000-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}
