/** Exact numbers as decimal texts, of any length: `-12.50`. */
import { counted } from '../reading/quote.ts';

/** The greatest integer that JSON parsers keep, as text. */
export const MAX_SAFE_TEXT = String(Number.MAX_SAFE_INTEGER);
export const MIN_BIGINT = -(2n ** 63n);
export const MAX_BIGINT = 2n ** 63n - 1n;

/** The exact numbers of a type. */
export interface ExactRange {
  readonly minimum: string;
  readonly maximum: string;
  /** Digits behind the point. */
  readonly scale: number;
}

/** The text without the zeros at its end. `/0+$/` would take time that grows with the square of its length. */
function trimZeros(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '0') end--;
  return text.slice(0, end);
}

/** A 64-bit integer as text: undefined where it is none, or has a plus, zeros or a minus zero. */
export function canonicalBigint(text: string): string | undefined {
  if (!/^(?:0|-?[1-9][0-9]{0,18})$/.test(text)) return undefined;
  const value = BigInt(text);
  return value >= MIN_BIGINT && value <= MAX_BIGINT ? text : undefined;
}

/** A decimal with its whole scale, or why the text is none of this size. */
type DecimalResult = { readonly text: string } | { readonly problem: string };

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

/** Negative, zero or positive for two decimals, whatever their scales. */
export function compareDecimals(one: string, other: string): number {
  const digits = Math.max(fractionOf(one).length, fractionOf(other).length);
  const units = (text: string): bigint => BigInt(withScale(text, digits).replace('.', ''));
  const difference = units(one) - units(other);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

const fractionOf = (text: string): string => text.split('.')[1] ?? '';

/** A decimal with so many digits behind the point, padded or cut. */
export function withScale(decimal: string, scale: number): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  return scale === 0 ? whole : `${whole}.${fraction.slice(0, scale).padEnd(scale, '0')}`;
}

/** The greatest decimal of a size: `999.99`. */
export const largestDecimal = (precision: number, scale: number): string =>
  ('9'.repeat(precision - scale) || '0') + (scale === 0 ? '' : `.${'9'.repeat(scale)}`);

/** A number without an exponent. */
export function exactText(value: number | string): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(mantissa) ?? [];
  const places = Number(exponent) - fraction.length;
  const digits = whole + fraction;
  if (places >= 0) return sign + digits + '0'.repeat(places);
  return `${sign}0.${digits.padStart(-places, '0')}`;
}

/** A decimal of this size as a number of its last digits: `1.50` is 150 for scale 2. */
export function unitsOf(text: string, precision: number, scale: number): bigint {
  const canonical = canonicalDecimal(text, precision, scale);
  if (!('text' in canonical)) throw new Error(`${text} is no decimal(${precision}, ${scale})`);
  return BigInt(canonical.text.replace('.', ''));
}

/** A decimal of so many of its last digits: the inverse of `unitsOf`. */
export function decimalText(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const sign = units < 0n ? '-' : '';
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
