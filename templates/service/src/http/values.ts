/**
 * Values that JSON carries as text, in their one canonical form: two texts mean the same value
 * exactly if their canonical forms are equal.
 */

const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6})0*)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const BIGINT = /^(?:0|-?[1-9][0-9]*)$/;
const DECIMAL = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** The first millisecond of the year 0001, which `Date.UTC` would take for 1901. */
const FIRST = -62_135_596_800_000;
/** The first millisecond that is too late. */
const END = Date.UTC(10_000, 0, 1);

/**
 * A timestamp (RFC 3339, section 5.6) in UTC with `Z`, with three digits of a second, or six
 * where the last three are not zero.
 * @returns undefined where the text is none, names an impossible day or time, is finer than
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
  if (time < FIRST || time >= END) return undefined;
  const digits = fraction.padEnd(6, '0');
  const shown = digits.endsWith('000') ? digits.slice(0, 3) : digits;
  return `${new Date(time).toISOString().slice(0, 19)}.${shown}Z`;
}

/** Whether the text is a day of the calendar as `YYYY-MM-DD`, from the year 0001 on. */
export function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Today in UTC, as `YYYY-MM-DD`. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** Now in UTC. */
export const now = (): string => new Date().toISOString();

/** Whether the text is an integer of 64 bits with a sign. */
export function isBigint(text: string): boolean {
  if (text.length > 20 || !BIGINT.test(text)) return false;
  return BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/**
 * A decimal number with its whole scale: `5` is `5.00` where the scale is 2.
 * @returns undefined where the text is none, or has more digits than precision and scale allow.
 */
export function canonicalDecimal(
  text: string,
  precision: number,
  scale: number,
): string | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > scale) return undefined;
  if (whole !== '0' && whole.length > precision - scale) return undefined;
  if (sign === '-' && whole === '0' && digits === '') return undefined;
  return sign + whole + (scale > 0 ? `.${digits.padEnd(scale, '0')}` : '');
}

/** Compares two decimals of the same scale: below zero, zero or above it, as for a sort. */
export function compareDecimals(left: string, right: string): number {
  const difference = BigInt(left.replace('.', '')) - BigInt(right.replace('.', ''));
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
