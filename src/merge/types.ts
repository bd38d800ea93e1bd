/** The values of the merge stage. */

/** A place where both sides want different things. */
export interface ConflictPlace {
  /** In the text on disk, from 1. */
  readonly line: number;
  /** A sentence: what collides. */
  readonly what: string;
}

/**
 * How a merge came about.
 * - `kept`: the text on disk, unchanged;
 * - `taken`: the generated text, because the one on disk has no edits;
 * - `lines`: both, merged by lines;
 * - `structure`: both, merged by the structure of TypeScript;
 * - `keys`: both, merged by the keys of JSON or YAML.
 */
export type MergeMethod = 'kept' | 'taken' | 'lines' | 'structure' | 'keys';

export interface Merged {
  readonly kind: 'merged';
  readonly text: string;
  readonly how: MergeMethod;
}

export interface MergeConflict {
  readonly kind: 'conflict';
  /** By line; at least one. */
  readonly places: readonly ConflictPlace[];
  /** The merge in two versions, which differ where the sides conflict; absent in the result of a strategy. */
  readonly versions?: Record<Side, string>;
}

/** `ours` is the text on disk, `theirs` the generated one. */
export type Side = 'ours' | 'theirs';

export type MergeResult = Merged | MergeConflict;

/** The three texts, with LF and a final newline each. */
export interface MergeSides {
  readonly base: string;
  readonly theirs: string;
  /** The text on disk. */
  readonly ours: string;
  /** The side whose text is taken where the sides conflict; absent: such a place is a conflict. */
  readonly prefers?: Side | undefined;
  /** Files of the project that this run removes, by their paths: nothing can be imported from them. */
  readonly removedFiles?: ReadonlySet<string> | undefined;
  /** New names of members by their old ones: comments and edits of a renamed member are kept. */
  readonly renamedMembers?: ReadonlyMap<string, string> | undefined;
}

export const merged = (text: string, how: MergeMethod): Merged => ({ kind: 'merged', text, how });

export const conflict = (places: readonly ConflictPlace[]): MergeConflict => ({
  kind: 'conflict',
  places: places.toSorted((one, other) => one.line - other.line),
});
