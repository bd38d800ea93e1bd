/**
 * Times of day (RFC 3339, section 5.6, `partial-time`): without date and offset. Two strings mean the
 * same time if and only if their canonical forms are equal.
 */
import Type from 'typebox';
import type { TUnsafe } from 'typebox';

import { ORDERED } from './filters.ts';
import type { Filterable } from './filters.ts';
import { documented, range, rangeNote, refine, withCanonical } from './shapes.ts';
import type { Bounds } from './shapes.ts';

const TIME = /^((?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])(?:\.(?:0+|([0-9]{0,5}[1-9])0*))?$/;

/** A time of day, `HH:MM:SS`, with up to six fraction digits. */
export function time({ minimum, maximum }: Bounds<string> = {}): TUnsafe<string> {
  const shape = refine(
    refine(
      // The format `time` of JSON Schema requires an offset.
      documented(Type.Unsafe<string>({ type: 'string' }), {
        pattern: TIME.source,
        ...rangeNote(minimum, maximum),
      }),
      (value) => canonicalTime(value) !== undefined,
      'must be a time of day without offset, such as 09:30:00, no finer than microseconds',
    ),
    (value) => {
      const exact = canonicalTime(value);
      if (exact === undefined) return true;
      return (
        exact >= (canonicalTime(minimum ?? value) ?? exact) &&
        exact <= (canonicalTime(maximum ?? value) ?? exact)
      );
    },
    range(minimum, maximum),
  );
  return withCanonical(shape, canonicalTime);
}

export const byTime = (): Filterable => ({
  read: canonicalTime,
  hint: 'it takes a time of day such as 09:30:00',
  operators: ORDERED,
  schema: { type: 'string', pattern: TIME.source },
});

/**
 * A time of day as PostgreSQL writes it: a fraction only if it is not zero, without trailing zeros.
 * Canonical forms, compared by code point, are in the order of their times.
 * @returns undefined if the text is no time from 00:00:00 to 23:59:59.999999, or is finer than
 * microseconds.
 */
export function canonicalTime(text: string): string | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [, seconds = '', fraction] = match;
  return fraction === undefined ? seconds : `${seconds}.${fraction}`;
}

/**
 * A time in a version of the API that has a string in its place. Only the canonical form is read, because
 * strings are answered as sent.
 */
export const timeAsText = {
  keywords: { pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{0,5}[1-9])?$' },
  show: (stored: string): string => stored,
  read: (older: string): string | undefined => (canonicalTime(older) === older ? older : undefined),
};
