/** What a change of definitions breaks, and for whom. */
import type { CollectionDefinition } from '../definition/types.ts';
import type { Position } from '../reading/position.ts';
import type { BreakCode } from './break-catalogue.ts';

/** The context in which two states of a version are compared. */
export interface ComparisonContext {
  readonly placeOf: PlaceOf;
  /** Whether the current definitions list the member under `sort`, `filter`, `search` or `include`. */
  readonly isListed: (listed: ListedMember) => boolean;
  /** The names in the current definitions; absent: those of the version. */
  readonly currentNames?: CurrentNames;
}

/** Looks up names of a version in the current definitions. */
export interface CurrentNames {
  /** The collection that has this name in the version. */
  readonly collection: (name: string) => CollectionDefinition | undefined;
  /** The current name of a member. */
  readonly member: (collection: string, name: string) => string;
  /** The name in the previous definitions of a collection of the version. */
  readonly before: (name: string) => string;
}

/**
 * The position of a key in the file of a collection, or of the service; if the key is not written, the
 * position of the collection, or of the service.
 */
export type PlaceOf = (key: string, collection?: Position) => Position;

/** A change that breaks clients of a version. */
export interface Break {
  readonly code: BreakCode;
  /** The position in the new definitions; for something removed, the position of what contained it. */
  readonly at: Position;
  /** What changed. */
  readonly what: string;
  /** Which clients break, and how. */
  readonly who: string;
  readonly advice: Advice;
}

/** A sentence that says what to write instead. */
export type Advice = (way: AdviceContext) => string;

/** The versions that an advice names. */
export interface AdviceContext {
  /** The highest version that breaks; `until: last` keeps something for it and all lower ones. */
  readonly last: number;
  /** The lowest version that may have the change. */
  readonly next: number;
  /** `Write …`, with “Add version N” before it if that version does not exist. */
  readonly write: (text: string) => string;
}

/** An advice that is the same for all versions. */
export const plainAdvice =
  (text: string): Advice =>
  () =>
    text;

/** A member in a list of its collection, by the names of a version. */
export interface ListedMember {
  readonly collection: string;
  readonly list: 'sort' | 'filter' | 'search' | 'include';
  readonly member: string;
}
