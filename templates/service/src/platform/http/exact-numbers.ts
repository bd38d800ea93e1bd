/**
 * Exact numbers that JSON represents as strings, because JSON parsers round them: 64-bit integers and
 * decimals. Two strings mean the same number if and only if their canonical forms are equal.
 */
import Type from 'typebox';
import type { TUnsafe } from 'typebox';

import { ORDERED } from './filters.ts';
import type { Filterable } from './filters.ts';
import { documented, range, rangeNote, refine, withCanonical } from './shapes.ts';
import type { Bounds } from './shapes.ts';

const BIGINT = /^(?:0|-?[1-9][0-9]*)$/;
const DECIMAL = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;
/** The maximum length of a decimal, trailing zeros included. */
const MAX_DECIMAL_LENGTH = 2_000;
const BIGINT_PATTERN = '^(?:0|-?[1-9][0-9]{0,18})$';

/** A 64-bit integer. */
export const bigint = ({ minimum, maximum }: Bounds<string> = {}): TUnsafe<string> =>
  refine(
    refine(
      documented(Type.Unsafe<string>({ type: 'string' }), {
        format: 'int64',
        pattern: BIGINT_PATTERN,
        ...rangeNote(minimum, maximum),
      }),
      isBigint,
      'must be an integer of 64 bits as text, such as "42"',
    ),
    (value) =>
      !isBigint(value) ||
      (BigInt(value) >= BigInt(minimum ?? value) && BigInt(value) <= BigInt(maximum ?? value)),
    range(minimum, maximum),
  );

/** A decimal; its canonical form has all digits of the scale. */
export function decimal({
  precision,
  scale,
  minimum,
  maximum,
}: Bounds<string> & { readonly precision: number; readonly scale: number }): TUnsafe<string> {
  const canonical = (value: string): string | undefined =>
    canonicalDecimal(value, precision, scale);
  const shape = refine(
    refine(
      documented(Type.Unsafe<string>({ type: 'string' }), {
        format: 'decimal',
        pattern: decimalPattern(precision, scale),
        ...rangeNote(minimum, maximum),
      }),
      (value) => canonical(value) !== undefined,
      `must be a decimal number as text, such as "${canonical('1') ?? canonical('0')}", ` +
        `with at most ${precision - scale} digits before the point and ${scale} after it`,
    ),
    (value) => {
      const exact = canonical(value);
      if (exact === undefined) return true;
      return (
        compareDecimals(exact, canonical(minimum ?? value) ?? exact) >= 0 &&
        compareDecimals(exact, canonical(maximum ?? value) ?? exact) <= 0
      );
    },
    range(minimum, maximum),
  );
  return withCanonical(shape, canonical);
}

export const byBigint = (): Filterable => ({
  read: (text) => (isBigint(text) ? text : undefined),
  hint: 'it takes a 64-bit integer',
  operators: ORDERED,
  schema: { type: 'string', format: 'int64', pattern: BIGINT_PATTERN },
});

export const byDecimal = (precision: number, scale: number): Filterable => ({
  read: (text) => canonicalDecimal(text, precision, scale),
  hint:
    `it takes a decimal number with at most ${precision - scale} digits before the point ` +
    `and ${scale} after it`,
  operators: ORDERED,
  schema: { type: 'string', format: 'decimal', pattern: decimalPattern(precision, scale) },
});

/** Whether the text is a signed 64-bit integer. */
export function isBigint(text: string): boolean {
  if (text.length > 20 || !BIGINT.test(text)) return false;
  return BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

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

/** A comparison function for decimals of the same scale. */
export function compareDecimals(left: string, right: string): number {
  const difference = BigInt(left.replace('.', '')) - BigInt(right.replace('.', ''));
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Decimals with at most these digits, without a negative zero; trailing zeros of the fraction do not count. */
function decimalPattern(precision: number, scale: number): string {
  const digits = precision - scale;
  const whole = digits > 0 ? `(?:0|[1-9][0-9]{0,${digits - 1}})` : '0';
  const fraction = scale > 0 ? `[0-9]{1,${scale}}0*` : '0+';
  return `^(?!-0(?:\\.0+)?$)-?${whole}(?:\\.${fraction})?$`;
}

/** Removes a character from the end of a text, in linear time; `/0+$/` would take quadratic time. */
function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
