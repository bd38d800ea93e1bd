/** Ranges of the four number types, and conversions between these types. */
import type { JsonValue } from '../shared/json.ts';
import type { BigintType } from './bigint.ts';
import { areBoundsWithin, filledBounds } from './bounds.ts';
import type { Bounds } from './bounds.ts';
import type { DecimalType } from './decimal.ts';
import {
  compareDecimals,
  exactText,
  MIN_BIGINT,
  MAX_BIGINT,
  largestDecimal,
} from './exact-decimal.ts';
import { MAX_SAFE_TEXT } from './exact-decimal.ts';
import type { IntegerType } from './integer.ts';
import type { NumberType } from './number.ts';
import type { FieldType } from './registry.ts';
import { sqlBetween, unchanged } from './sql-conversion.ts';
import type { SqlConversion } from './sql-conversion.ts';
import { isUnboundedText } from './text.ts';
import { SAME_VALUE, TEAM_CONVERSION } from './version-conversion.ts';
import type { VersionConversion } from './version-conversion.ts';

type NumericType = IntegerType | BigintType | NumberType | DecimalType;
type ExactType = Exclude<NumericType, NumberType>;

const isNumeric = (type: FieldType): type is NumericType =>
  type.type === 'integer' ||
  type.type === 'bigint' ||
  type.type === 'number' ||
  type.type === 'decimal';

/** Decimal digits that a double always keeps, and that all integers and bigints have at most. */
const DIGITS = { number: 15, integer: 16, bigint: 19 };
/** The bounds of the two types of whole numbers. */
const WHOLE = {
  integer: [`-${MAX_SAFE_TEXT}`, MAX_SAFE_TEXT],
  bigint: [String(MIN_BIGINT), String(MAX_BIGINT)],
} as const;

/** The SQL of how numbers of one type become those of another; undefined if `from` is not a number. */
export function convertNumber(from: FieldType, to: NumericType): SqlConversion | undefined {
  if (!isNumeric(from)) return undefined;
  if (to.type === 'number') return toNumber(from);
  return to.type === 'decimal' ? toDecimal(from, to.precision, to.scale) : toWhole(from, to.type);
}

function toWhole(from: NumericType, to: 'integer' | 'bigint'): SqlConversion {
  if (from.type === 'integer' || from.type === to) return unchanged();
  const [minimum, maximum] = WHOLE[to];
  if (from.type === 'bigint') {
    return { ...unchanged(false), fits: (value) => sqlBetween(value, minimum, maximum) };
  }
  const rounded = (value: string): string => `round(${value})`;
  const losses = ['the digits behind the point'];
  if (from.type === 'number') {
    // What a double holds beyond these is no integer that it holds exactly.
    const fits = (value: string): string =>
      sqlBetween(rounded(value), `-${MAX_SAFE_TEXT}`, MAX_SAFE_TEXT);
    return { sql: (value) => `${rounded(value)}::bigint`, fits, losses, isWider: false };
  }
  const fits = (value: string): string => sqlBetween(rounded(value), minimum, maximum);
  const isWider = from.scale === 0 && from.precision < DIGITS[to];
  return {
    sql: (value) => `${rounded(value)}::bigint`,
    ...(!isWider && { fits }),
    ...(from.scale > 0 && { losses }),
    isWider,
  };
}

function toNumber(from: NumericType): SqlConversion {
  if (from.type === 'number') return unchanged();
  const sql = (value: string): string => `(${value})::double precision`;
  if (from.type === 'integer') return { sql, isWider: true };
  if (from.type === 'bigint') {
    return {
      sql,
      fits: (value) => sqlBetween(value, `-${MAX_SAFE_TEXT}`, MAX_SAFE_TEXT),
      isWider: false,
    };
  }
  if (from.precision <= DIGITS.number) return { sql, isWider: true };
  return {
    sql,
    // The greatest double has 309 digits.
    fits: (value) => `abs(${value}) < 1e308`,
    losses: [`digits after the first ${DIGITS.number}`],
    isWider: false,
  };
}

function toDecimal(from: NumericType, precision: number, scale: number): SqlConversion {
  const whole = precision - scale;
  const cast = `numeric(${precision}, ${scale})`;
  const sql = (value: string): string => `(${value})::${cast}`;
  const fits = (value: string): string => `abs(round(${value}, ${scale})) < 1e${whole}`;
  const losses = [`digits behind the point after the first ${scale}`];
  if (from.type === 'decimal') {
    if (from.precision === precision && from.scale === scale) return unchanged();
    const digits = from.precision - from.scale;
    if (scale >= from.scale) {
      const isWider = whole >= digits;
      return { sql, ...(!isWider && { fits }), isWider };
    }
    return { sql, fits, losses, isWider: false };
  }
  if (from.type === 'number') {
    // By its text: a cast would keep no more than 15 digits.
    const exact = (value: string): string => `(${value})::text::numeric`;
    return {
      sql: (value) => sql(exact(value)),
      fits: (value) => fits(exact(value)),
      losses,
      isWider: false,
    };
  }
  const isWider = whole >= DIGITS[from.type];
  return { sql, ...(!isWider && { fits }), isWider };
}

/** How exact numbers are represented in the type of an older version. */
export function exactNumberConversion(stored: ExactType, older: FieldType): VersionConversion {
  const isInteger = stored.type === 'integer';
  if (isUnboundedText(older)) return isInteger ? { kind: 'text-of-integer' } : SAME_VALUE;
  if (!isNumeric(older) || !isWithin(stored, older)) return TEAM_CONVERSION;
  const scale = stored.type === 'decimal' ? stored.scale : 0;
  if (older.type === 'number') return isInteger ? SAME_VALUE : { kind: 'number-of-text', scale };
  if (older.type === 'decimal') {
    if (isInteger) return { kind: 'decimal-of-integer', scale: older.scale };
    if (older.scale < scale) return TEAM_CONVERSION;
    // A bigint is no decimal without a fraction: that may be sent as `5.0`.
    return older.scale === scale && stored.type === 'decimal'
      ? SAME_VALUE
      : { kind: 'longer-text', from: scale, to: older.scale };
  }
  if (scale > 0) return TEAM_CONVERSION;
  if (older.type === 'integer') return isInteger ? SAME_VALUE : { kind: 'number-of-text', scale };
  return isInteger ? { kind: 'text-of-integer' } : SAME_VALUE;
}

/** Whether an older type can represent each number of the stored type. */
export function isWithin(stored: NumericType, older: NumericType): boolean {
  const isExact = stored.type !== 'number';
  const [inner, outer] = [rangeOf(stored, isExact), rangeOf(older, isExact)];
  const digits = stored.type === 'decimal' ? stored.precision : 0;
  if (older.type === 'number' && digits > DIGITS.number) return false;
  return areBoundsWithin(inner, outer, compareDecimals);
}

/**
 * The least and the greatest number of a type, as texts. Beyond the safe range a double does not tell
 * one integer from the next: so far it is exact.
 */
function rangeOf(type: NumericType, isExact: boolean): Bounds<string> {
  const own = textBounds(type);
  if (type.type === 'number')
    return isExact ? { minimum: `-${MAX_SAFE_TEXT}`, maximum: MAX_SAFE_TEXT, ...own } : own;
  if (type.type === 'decimal') {
    const largest = largestDecimal(type.precision, type.scale);
    return { minimum: `-${largest}`, maximum: largest, ...own };
  }
  const [minimum, maximum] = WHOLE[type.type];
  return { minimum, maximum, ...own };
}

/** The bounds of a type, as texts without exponents. */
function textBounds({ minimum, maximum }: Bounds<string | number>): Bounds<string> {
  return {
    ...(minimum !== undefined && { minimum: exactText(minimum) }),
    ...(maximum !== undefined && { maximum: exactText(maximum) }),
  };
}

/** An older type without bounds has those of the stored numbers. @param inForm undefined: it cannot say it. */
export function withNumericBounds<T extends NumericType>(
  older: T,
  stored: FieldType,
  inForm: (text: string) => string | number | undefined,
): T {
  if (!isNumeric(stored)) return older;
  const { minimum, maximum } = textBounds(stored);
  return filledBounds(
    older,
    minimum === undefined ? undefined : inForm(minimum),
    maximum === undefined ? undefined : inForm(maximum),
  );
}

/** A bound as a number of JSON, where that holds it exactly. */
export const safeNumber = (text: string): number | undefined =>
  Math.abs(Number(text)) > Number(MAX_SAFE_TEXT) ? undefined : Number(text);

/** How whole numbers are compared with those of an older type that may have fractions. */
export const wholeNumberComparison = (older: FieldType) =>
  older.type === 'integer' || older.type === 'bigint'
    ? undefined
    : { cast: 'numeric', position: 'numeric::bigint' };

/** Integers of a range: from 1 upwards where that is possible. */
export function wholeNumbers(minimum: bigint, maximum: bigint, count: number): bigint[] {
  const start = minimum > 1n ? minimum : maximum < 1n ? maximum : 1n;
  const found: bigint[] = [];
  for (let n = start; n <= maximum && found.length < count; n++) found.push(n);
  for (let n = start - 1n; n >= minimum && found.length < count; n--) found.push(n);
  return found;
}

/** Values that every exact number type refuses. */
export const REFUSED_EXACT: readonly (readonly [string, JsonValue])[] = [
  ['a number', 5],
  ['no number', 'five'],
  ['empty', ''],
  ['with a leading zero', '05'],
  ['with a plus sign', '+5'],
  ['negative zero', '-0'],
];
