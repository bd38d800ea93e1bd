/** What a change of definitions breaks, and for whom. */
import type { CollectionDefinition } from '../definition/types.ts';
import type { Position } from '../reading/position.ts';
import type { BreakCode } from './break-catalogue.ts';
import type { ListedMember } from './trace.ts';

/** What is to be known beside the two states of a version. */
export interface ComparisonContext {
  readonly placeOf: PlaceOf;
  /** Whether a member is listed for versions that can be asked for it. */
  readonly isListed: (listed: ListedMember) => boolean;
  /** What stands in the definitions now; absent: just what the version sees. */
  readonly currentNames?: CurrentNames;
}

/** The names that definitions have now, where those of a version are others. */
export interface CurrentNames {
  /** The collection that a version sees under a name. */
  readonly collection: (name: string) => CollectionDefinition | undefined;
  /** What a member of it is called. */
  readonly member: (collection: string, name: string) => string;
  /** What a collection was called in the definitions before that a version saw then. */
  readonly before: (name: string) => string;
}

/**
 * The place of a key, which is no part of a definition: in the file of a collection, or in that of
 * the service. Where the key is not written, it is that of the collection, or of the service.
 */
export type PlaceOf = (key: string, collection?: Position) => Position;

/** One difference between what the clients of a version were promised and what they would get. */
export interface Break {
  readonly code: BreakCode;
  /** Where it stands in the new definitions; of what is gone, where that is which it is gone from. */
  readonly at: Position;
  /** What is different. */
  readonly what: string;
  /** Whose requests fail then, or who reads what they cannot read. */
  readonly who: string;
  readonly advice: Advice;
}

/** A sentence that says what to write instead. */
export type Advice = (way: AdviceContext) => string;

/** The way on for a change that is not for these clients. */
export interface AdviceContext {
  /** The last of the versions that break: what is kept for it is kept for all before it. */
  readonly last: number;
  /** The first version that the change may be in. */
  readonly next: number;
  /** `Write …`; where that version is not there yet, it is to be added first. */
  readonly write: (text: string) => string;
}

/** An advice that asks for no other version. */
export const plainAdvice =
  (text: string): Advice =>
  () =>
    text;
