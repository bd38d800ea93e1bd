/**
 * How a migration makes values of one type of those of another, in SQL. A conversion never changes a
 * value silently: it keeps it, refuses it, or is known to lose something of it.
 */
import { literal } from '../shared/sql.ts';

/** A conversion, as expressions over another one. They are never applied to null. */
export interface SqlConversion {
  readonly sql: (value: string) => string;
  /** Which values can be converted; absent: all. */
  readonly fits?: (value: string) => string;
  /** What is lost of values that can be converted. */
  readonly losses?: readonly string[];
  /** Whether each value of the old type is one of the new type. */
  readonly isWider: boolean;
  /** Whether values stay as they are in the database. */
  readonly isIdentity?: true;
}

/** Values stay as they are; `isWider`: the new type accepts all of them. */
export const unchanged = (isWider = true): SqlConversion => ({
  sql: (value) => value,
  isWider,
  isIdentity: true,
});

/** A text becomes a value that it is the spelling of, and nothing else does. */
export const castOf = (cast: string, fits: (value: string) => string): SqlConversion => ({
  sql: (value) => `(${value})::${cast}`,
  fits,
  isWider: false,
});

/** A condition that a text matches a regular expression of PostgreSQL. */
export const sqlMatches = (value: string, pattern: string): string =>
  `${value} ~ ${literal(pattern)}`;

/** A condition that is asked only where another one holds: SQL gives no order to `and`. */
export const guardedCondition = (first: string, second: string): string =>
  `case when ${first} then ${second} else false end`;

export const sqlBetween = (value: string, minimum: string, maximum: string): string =>
  `${value} between ${minimum} and ${maximum}`;
