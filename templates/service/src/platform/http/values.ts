/**
 * Timestamps and dates. Two strings mean the same time if and only if their canonical forms are equal.
 */

const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6})0*)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The first millisecond of the year 0001; `Date.UTC` would read year 1 as 1901. */
const MIN_TIME = -62_135_596_800_000;
/** The first millisecond after the year 9999. */
const END_TIME = Date.UTC(10_000, 0, 1);

/**
 * A timestamp (RFC 3339, section 5.6) in UTC with `Z`, with three fraction digits, or six if the last
 * three are not zero.
 * @returns undefined if the text is no timestamp, names an impossible date or time, is finer than
 * microseconds, or lies outside the years 0001 to 9999.
 */
export function canonicalTimestamp(text: string): string | undefined {
  const match = TIMESTAMP.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, hours, minutes] = match;
  if (!isDate(`${year}-${month}-${day}`)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return undefined;
  const local = new Date(0);
  local.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  local.setUTCHours(Number(hour), Number(minute), Number(second));
  const offset =
    (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -60_000 : 60_000);
  const time = local.getTime() - offset;
  if (time < MIN_TIME || time >= END_TIME) return undefined;
  const digits = fraction.padEnd(6, '0');
  const fractionDigits = digits.endsWith('000') ? digits.slice(0, 3) : digits;
  return `${new Date(time).toISOString().slice(0, 19)}.${fractionDigits}Z`;
}

/** Whether the text is a calendar date `YYYY-MM-DD` from the year 0001 on. */
export function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day that the month does not have, such as February 30, rolls over to the next month.
  return year > 0 && date.getUTCMonth() === month - 1;
}

/** The current date in UTC, as `YYYY-MM-DD`. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** The current time in UTC. */
export const now = (): string => new Date().toISOString();
