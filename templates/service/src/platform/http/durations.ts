/**
 * Durations (ISO 8601) of weeks, days, hours, minutes and seconds, whose lengths are fixed: a day has 24
 * hours. Two strings mean the same duration if and only if their canonical forms are equal.
 */
import Type from 'typebox';
import type { TUnsafe } from 'typebox';

import { ORDERED } from './filters.ts';
import type { Filterable } from './filters.ts';
import { documented, range, rangeNote, refine, withCanonical } from './shapes.ts';
import type { Bounds } from './shapes.ts';

/** Weeks, days, hours, minutes, seconds and the fraction of a second. */
const DURATION =
  /^P(?:([0-9]{1,10})W|(?=[0-9T])(?:([0-9]{1,10})D)?(?:T(?=[0-9])(?:([0-9]{1,10})H)?(?:([0-9]{1,10})M)?(?:([0-9]{1,10})(?:\.([0-9]{1,6})0*)?S)?)?)$/;
/** A year or a month: `M` before the `T`. */
const YEAR_OR_MONTH = /^P[0-9WD]*[YM]/;

/** In microseconds. */
const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** 100,000 days; their microseconds are a safe integer. */
const MAXIMUM = 'PT2400000H';
const MAX_MICROSECONDS = 100_000 * DAY;

/** A duration of at most 100,000 days, compared by its length: `P1D` equals `PT24H`. */
export function duration({ minimum, maximum = MAXIMUM }: Bounds<string> = {}): TUnsafe<string> {
  // The format `duration` of JSON Schema has no fractions.
  const keywords = { pattern: DURATION.source, ...rangeNote(minimum, maximum) };
  const form = refine(
    refine(
      documented(Type.Unsafe<string>({ type: 'string' }), keywords),
      (value) => DURATION.test(value) || YEAR_OR_MONTH.test(value),
      'must be a duration such as P7D or PT1H30M, no finer than microseconds',
    ),
    (value) => !YEAR_OR_MONTH.test(value),
    'must have no years or months, because their length varies: use weeks, days, hours, minutes or seconds',
  );
  const bounded = refine(
    form,
    (value) =>
      !DURATION.test(value) ||
      (compareDurations(value, minimum ?? value) >= 0 && compareDurations(value, maximum) <= 0),
    range(minimum, maximum),
  );
  return withCanonical(bounded, canonicalDuration);
}

export const byDuration = (): Filterable => ({
  read: canonicalDuration,
  hint: `it takes a duration of weeks, days, hours, minutes and seconds, such as P7D, at most ${MAXIMUM}`,
  operators: ORDERED,
  schema: {
    type: 'string',
    pattern: DURATION.source,
    'x-maximum': MAXIMUM,
  },
});

/**
 * A duration in hours, minutes and seconds without those that are zero: `P1DT30M` is `PT24H30M`. It is the
 * text of PostgreSQL's interval in the style `iso_8601`.
 * @returns undefined if the text is no duration, has years or months, is finer than microseconds, or
 * exceeds 100,000 days.
 */
export function canonicalDuration(text: string): string | undefined {
  const length = microsecondsOf(text);
  if (length === undefined || length > MAX_MICROSECONDS) return undefined;
  const hours = Math.floor(length / HOUR);
  const minutes = Math.floor((length % HOUR) / MINUTE);
  const seconds = (length % MINUTE) / SECOND;
  const written = part(hours, 'H') + part(minutes, 'M') + part(seconds, 'S');
  return `PT${written === '' ? '0S' : written}`;
}

const part = (value: number, unit: string): string => (value === 0 ? '' : `${value}${unit}`);

/** A comparison function for durations. */
export const compareDurations = (left: string, right: string): number =>
  (microsecondsOf(left) ?? 0) - (microsecondsOf(right) ?? 0);

/**
 * The length of a duration: exact up to 100,000 days, rounded beyond.
 * @returns undefined if the text is no duration.
 */
export function microsecondsOf(text: string): number | undefined {
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  const [weeks, days, hours, minutes, seconds, fraction = ''] = match.slice(1);
  return (
    Number(weeks ?? 0) * 7 * DAY +
    Number(days ?? 0) * DAY +
    Number(hours ?? 0) * HOUR +
    Number(minutes ?? 0) * MINUTE +
    Number(seconds ?? 0) * SECOND +
    Number(fraction.padEnd(6, '0'))
  );
}

/**
 * A duration in a version of the API that has a string in its place. Only the canonical form is read,
 * because strings are answered as sent.
 */
export const durationAsText = {
  keywords: {
    pattern:
      '^PT(?:0S|(?=[0-9])(?:[1-9][0-9]{0,6}H)?(?:(?:[1-9]|[1-5][0-9])M)?' +
      '(?:(?:[1-9]|[1-5][0-9]|(?:[0-9]|[1-5][0-9])[.][0-9]{0,5}[1-9])S)?)$',
    'x-maximum': MAXIMUM,
  },
  show: (stored: string): string => stored,
  read: (older: string): string | undefined =>
    canonicalDuration(older) === older ? older : undefined,
};
