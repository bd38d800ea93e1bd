/** How a stored value is represented in the type that an older version has for it (`type_in`). */

/** A conversion of a stored value to an older version, and back. */
export type VersionConversion =
  /** The value itself. */
  | { readonly kind: 'same' }
  /** A number from its exact text, with so many digits behind the point. */
  | { readonly kind: 'number-of-text'; readonly scale: number }
  /** The text of an integer. */
  | { readonly kind: 'text-of-integer' }
  /** An integer as a decimal with so many digits behind the point. */
  | { readonly kind: 'decimal-of-integer'; readonly scale: number }
  /** An exact text with more zeros behind the point. */
  | { readonly kind: 'longer-text'; readonly from: number; readonly to: number }
  /** A day as the moment at which it begins, in UTC. */
  | { readonly kind: 'midnight' }
  /** A list that holds the value alone. */
  | { readonly kind: 'list-of-one' }
  /** The one entry of a list. */
  | { readonly kind: 'only-entry' }
  /** The names of enum values in the older version, by their current names. */
  | { readonly kind: 'values'; readonly names: Readonly<Record<string, string>> }
  /** Two functions that the team writes. */
  | { readonly kind: 'team' };

/** The older version has the stored value itself. */
export const SAME_VALUE: VersionConversion = { kind: 'same' };
/** The team writes the conversion. */
export const TEAM_CONVERSION: VersionConversion = { kind: 'team' };
