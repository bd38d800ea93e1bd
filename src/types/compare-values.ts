/** The order of values, each in the one form in which the service answers it. */
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

/** Moments in UTC: those without microseconds have fewer digits. */
export const compareTimestamps = (one: Bound, other: Bound): number =>
  compareTexts(comparableTimestamp(String(one)), comparableTimestamp(String(other)));

/** A canonical moment as a text that compares like its time. */
const comparableTimestamp = (moment: string): string =>
  moment.endsWith('Z') ? moment.slice(0, -1).padEnd(26, '0') : moment;
