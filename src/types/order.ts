/** The order of values, each in the one form in which the service answers it. */
import { compareDecimals } from './exact-decimal.ts';

type Bound = string | number;

/** Numbers of JSON. */
export const byNumber = (one: Bound, other: Bound): number => Number(one) - Number(other);

/** Texts by their units in UTF-16: days and times of a day, whose texts are in their order. */
export const byText = (one: Bound, other: Bound): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** Exact numbers as texts. */
export const byDecimal = (one: Bound, other: Bound): number =>
  compareDecimals(String(one), String(other));

/** Moments in UTC: those without microseconds have fewer digits. */
export const byMoment = (one: Bound, other: Bound): number =>
  byText(comparableMoment(String(one)), comparableMoment(String(other)));

/** A canonical moment as a text that compares like its time. */
export const comparableMoment = (moment: string): string =>
  moment.endsWith('Z') ? moment.slice(0, -1).padEnd(26, '0') : moment;
