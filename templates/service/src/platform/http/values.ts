/**
 * Values that JSON represents as strings: timestamps, dates, 64-bit integers and decimals. Two strings
 * mean the same value if and only if their canonical forms are equal.
 */

const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6})0*)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const BIGINT = /^(?:0|-?[1-9][0-9]*)$/;
const DECIMAL = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

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

/** Whether the text is a signed 64-bit integer. */
export function isBigint(text: string): boolean {
  if (text.length > 20 || !BIGINT.test(text)) return false;
  return BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** The maximum length of a decimal, trailing zeros included. */
const MAX_DECIMAL_LENGTH = 2_000;

/**
 * A decimal number with all digits of its scale: `5` is `5.00` for scale 2.
 * @returns undefined if the text is no decimal, is longer than 2,000 characters, or has more digits
 * than precision and scale allow.
 */
export function canonicalDecimal(
  text: string,
  precision: number,
  scale: number,
): string | undefined {
  const match = text.length > MAX_DECIMAL_LENGTH ? null : DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  const digits = trimEnd(fraction, '0');
  if (digits.length > scale) return undefined;
  if (whole !== '0' && whole.length > precision - scale) return undefined;
  if (sign === '-' && whole === '0' && digits === '') return undefined;
  return sign + whole + (scale > 0 ? `.${digits.padEnd(scale, '0')}` : '');
}

/** Removes a character from the end of a text, in linear time; `/0+$/` would take quadratic time. */
export function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** A comparison function for decimals of the same scale. */
export function compareDecimals(left: string, right: string): number {
  const difference = BigInt(left.replace('.', '')) - BigInt(right.replace('.', ''));
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
