/** Comparators of canonical values. */
import { compareDecimals } from './exact-decimal.ts';

type Bound = string | number;

/** Numbers of JSON. */
export const compareNumbers = (one: Bound, other: Bound): number => Number(one) - Number(other);

/** Texts by their units in UTF-16: days and times of a day, whose texts are in their order. */
export const compareTexts = (one: Bound, other: Bound): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** Exact numbers as texts. */
export const compareDecimalValues = (one: Bound, other: Bound): number =>
  compareDecimals(String(one), String(other));

/** Timestamps in UTC, with three or six digits of a second. */
export const compareTimestamps = (one: Bound, other: Bound): number =>
  compareTexts(comparableTimestamp(String(one)), comparableTimestamp(String(other)));

/** A canonical timestamp with six digits of a second, so that texts compare as times. */
const comparableTimestamp = (moment: string): string =>
  moment.endsWith('Z') ? moment.slice(0, -1).padEnd(26, '0') : moment;
