/** What a change of definitions breaks, and for whom. */
import type { CollectionDefinition } from '../definition/types.ts';
import type { Position } from '../reading/position.ts';
import type { BreakCode } from './break-catalogue.ts';
import type { ListedMember } from './trace.ts';

/** The context in which two states of a version are compared. */
export interface ComparisonContext {
  readonly placeOf: PlaceOf;
  /** Whether a member is listed for versions that can be asked for it. */
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
  /** The last version that breaks: what is kept for it is kept for all versions before it. */
  readonly last: number;
  /** The first version that the change may be in. */
  readonly next: number;
  /** `Write …`; where that version is not there yet, it is to be added first. */
  readonly write: (text: string) => string;
}

/** An advice that is the same for all versions. */
export const plainAdvice =
  (text: string): Advice =>
  () =>
    text;
