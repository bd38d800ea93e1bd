/**
 * Values that JSON carries as text: exact numbers, dates, moments and UUIDs. Each is brought to
 * the one form in which the service answers it, so that equal values are equal texts.
 */
import { counted } from './quote.ts';

const LEAST_BIGINT = -(2n ** 63n);
const GREATEST_BIGINT = 2n ** 63n - 1n;

/** A 64-bit integer as text: undefined where it is none, or has a plus, zeros or a minus zero. */
export function canonicalBigint(text: string): string | undefined {
  if (!/^(?:0|-?[1-9][0-9]{0,18})$/.test(text)) return undefined;
  const value = BigInt(text);
  return value >= LEAST_BIGINT && value <= GREATEST_BIGINT ? text : undefined;
}

/** The text without the zeros at its end. `/0+$/` would take time that grows with the square of its length. */
export function trimZeros(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '0') end--;
  return text.slice(0, end);
}

/** Why a text is no decimal of this size, or its form with the whole scale. */
export type DecimalResult = { readonly text: string } | { readonly problem: string };

/** A decimal with the whole scale: `5` with a scale of 2 is `5.00`. */
export function canonicalDecimal(text: string, precision: number, scale: number): DecimalResult {
  const parts = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text);
  if (parts === null) return { problem: 'is not a decimal number' };
  const sign = parts[1]!;
  const whole = parts[2]!;
  const fraction = trimZeros(parts[3] ?? '');
  if (sign === '-' && whole === '0' && fraction === '') return { problem: 'is a negative zero' };
  if (fraction.length > scale) {
    return {
      problem: `has ${counted(fraction.length, 'digit')} behind the point: scale is ${scale}`,
    };
  }
  const places = whole === '0' ? 0 : whole.length;
  if (places > precision - scale) {
    const before = precision - scale;
    const problem = `has ${counted(places, 'digit')} before the point: precision ${precision} and scale ${scale} leave ${before}`;
    return { problem };
  }
  return {
    text: scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${fraction.padEnd(scale, '0')}`,
  };
}

/** Negative, zero or positive, as the first of two canonical numbers is less, equal or greater. */
export function compareExact(a: string, b: string): number {
  // Canonical forms of one type have one scale, so that the digits alone tell.
  const difference = BigInt(a.replace('.', '')) - BigInt(b.replace('.', ''));
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Whether a text is a day that exists, from 0001-01-01 to 9999-12-31. */
export function isDate(text: string): boolean {
  const parts = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const TIMESTAMP =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,6}))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$/;

/** A moment in UTC with `Z` and three digits of a second, or six where the last are not zero. */
export function canonicalTimestamp(text: string): string | undefined {
  const parts = TIMESTAMP.exec(text);
  if (parts === null || !isDate(parts[1]!)) return undefined;
  const [hour, minute, second] = [Number(parts[2]), Number(parts[3]), Number(parts[4])];
  const [offsetHour, offsetMinute] = [Number(parts[7] ?? 0), Number(parts[8] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) {
    return undefined;
  }
  const offset = (parts[6] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const moment = new Date(`${parts[1]}T00:00:00.000Z`);
  moment.setUTCHours(hour, minute - offset, second);
  const year = moment.getUTCFullYear();
  if (year < 1 || year > 9999) return undefined;
  const micros = (parts[5] ?? '').padEnd(6, '0');
  const fraction = micros.endsWith('000') ? micros.slice(0, 3) : micros;
  return `${moment.toISOString().slice(0, 19)}.${fraction}Z`;
}

/** Negative, zero or positive, as the first of two canonical moments is earlier or later. */
export function compareTimestamps(a: string, b: string): number {
  const [first, second] = [a, b].map((text) => text.slice(0, -1).padEnd(26, '0'));
  return first! < second! ? -1 : first! > second! ? 1 : 0;
}

/** A UUID in lower case. */
export function canonicalUuid(text: string): string | undefined {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
  return form.test(text) ? text.toLowerCase() : undefined;
}
