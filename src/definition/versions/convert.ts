/**
 * How the values of a field are told in an older form, and read back. What is emitted loses nothing
 * of what is shown: each stored value has a form of its own there. What a client sends in that form
 * and the field cannot hold is refused in a request; all that would lose something is the team's.
 */
import { compareTimestamps } from '../scalars.ts';
import type { Field, FieldType, JsonValue, PropertyType, ScalarType } from '../types.ts';
import { upTo } from './span.ts';

/** A way from a stored value to its older form and back. */
export type Conversion =
  /** The value itself. */
  | { readonly kind: 'same' }
  /** A number from its exact text, with so many digits behind the point. */
  | { readonly kind: 'number-of-text'; readonly scale: number }
  /** The text of an integer. */
  | { readonly kind: 'text-of-integer' }
  /** An integer as a decimal with so many digits behind the point. */
  | { readonly kind: 'decimal-of-integer'; readonly scale: number }
  /** An exact text with more zeros behind the point. */
  | { readonly kind: 'longer-text'; readonly from: number; readonly to: number }
  /** A day as the moment at which it begins, in UTC. */
  | { readonly kind: 'midnight' }
  /** A list that holds the value alone. */
  | { readonly kind: 'list-of-one' }
  /** The one entry of a list. */
  | { readonly kind: 'only-entry' }
  /** Other names for the values of an enum, from those of today. */
  | { readonly kind: 'values'; readonly names: Readonly<Record<string, string>> }
  /** Two functions that the team writes. */
  | { readonly kind: 'team' };

/** What a version has in place of a field's own type. */
export interface OlderForm {
  readonly type: FieldType;
  readonly conversion: Conversion;
}

const SAME: Conversion = { kind: 'same' };
const TEAM: Conversion = { kind: 'team' };
/** Decimal digits that a double always keeps. */
const EXACT_DIGITS = 15;

/** The form of a field in a version; undefined where it is its own. */
export function olderFormOf(field: Field, version: number): OlderForm | undefined {
  const older = upTo(field.olderTypes, version);
  return older && formOf(field.type, older.type);
}

/** How values of a stored type are told in an older one. */
export function formOf(stored: FieldType, older: PropertyType): OlderForm {
  const type = withBoundsOf(stored, older);
  const conversion = conversionOf(stored, type);
  if (conversion.kind === 'midnight') return { type: beginningsOf(stored), conversion };
  return { type: plain(type), conversion };
}

/** The moments at which days begin. */
function beginningsOf(stored: FieldType): FieldType {
  const { minimum, maximum } = stored as { readonly minimum?: string; readonly maximum?: string };
  return {
    type: 'timestamp',
    minimum: `${minimum ?? '0001-01-01'}T00:00:00.000Z`,
    maximum: `${maximum ?? '9999-12-31'}T00:00:00.000Z`,
    wholeDays: true,
  };
}

/** Without what a type says of versions. */
export function plain(type: FieldType): FieldType {
  if (type.type !== 'enum') return type;
  return { type: 'enum', values: type.values };
}

function conversionOf(stored: FieldType, older: FieldType): Conversion {
  if (older.type === 'list' && stored.type !== 'list') {
    const fits = (older.minItems ?? 0) <= 1 && (older.maxItems ?? 1) >= 1;
    return fits && isSame(stored, older.of) ? { kind: 'list-of-one' } : TEAM;
  }
  if (stored.type === 'list' && older.type !== 'list') {
    const isOne = stored.minItems === 1 && stored.maxItems === 1;
    return isOne && isSame(stored.of, older) ? { kind: 'only-entry' } : TEAM;
  }
  if (stored.type === 'enum' && older.type === 'enum') return betweenEnums(stored, older);
  if (isSame(stored, older)) return SAME;
  switch (stored.type) {
    case 'integer':
    case 'bigint':
    case 'decimal':
      return fromNumber(stored, older);
    case 'number':
      return older.type === 'number' && isWithin(stored, older) ? SAME : TEAM;
    case 'date':
      if (older.type === 'timestamp') return hasBounds(older) ? TEAM : { kind: 'midnight' };
      return (older.type === 'date' && isWithin(stored, older)) || isAnyText(older) ? SAME : TEAM;
    case 'timestamp':
      return older.type === 'timestamp' && isWithin(stored, older) ? SAME : TEAM;
    case 'uuid':
    case 'enum':
      return isAnyText(older) ? SAME : TEAM;
    case 'string':
    case 'text':
      return isWiderText(stored, older) ? SAME : TEAM;
    default:
      return TEAM;
  }
}

type EnumType = Extract<ScalarType, { readonly type: 'enum' }>;
type NumericType = Extract<ScalarType, { readonly type: 'integer' | 'bigint' | 'decimal' }>;

function betweenEnums(stored: EnumType, older: EnumType): Conversion {
  if (older.today !== undefined) {
    const pairs = older.today.map((value, at) => [value, older.values[at] ?? value] as const);
    return { kind: 'values', names: Object.fromEntries(pairs) };
  }
  const versioned = new Set(stored.versioned?.map(({ value }) => value));
  const shown = stored.values.filter((value) => !versioned.has(value));
  return shown.every((value) => older.values.includes(value)) ? SAME : TEAM;
}

function fromNumber(stored: NumericType, older: FieldType): Conversion {
  const scale = stored.type === 'decimal' ? stored.scale : 0;
  if (isAnyText(older)) return stored.type === 'integer' ? { kind: 'text-of-integer' } : SAME;
  if (!isWithin(stored, older)) return TEAM;
  switch (older.type) {
    case 'integer':
      if (scale > 0) return TEAM;
      return stored.type === 'integer' ? SAME : { kind: 'number-of-text', scale };
    case 'number':
      return stored.type === 'integer' ? SAME : { kind: 'number-of-text', scale };
    case 'bigint':
      if (scale > 0) return TEAM;
      return stored.type === 'integer' ? { kind: 'text-of-integer' } : SAME;
    case 'decimal':
      if (stored.type === 'integer') return { kind: 'decimal-of-integer', scale: older.scale };
      if (older.scale < scale) return TEAM;
      // A bigint is no decimal without a fraction: that may be sent as `5.0`.
      return older.scale === scale && stored.type === 'decimal'
        ? SAME
        : { kind: 'longer-text', from: scale, to: older.scale };
    default:
      return TEAM;
  }
}

/** Whether the older type has a place for each value of the stored one. */
function isWithin(stored: FieldType, older: FieldType): boolean {
  const isExact = stored.type !== 'number';
  const [inner, outer] = [rangeOf(stored, isExact), rangeOf(older, isExact)];
  if (inner === undefined || outer === undefined) return false;
  const digits = stored.type === 'decimal' ? stored.precision : 0;
  if (older.type === 'number' && digits > EXACT_DIGITS) return false;
  const compare = stored.type === 'timestamp' ? compareTimestamps : compareNumbers;
  const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
  const by = stored.type === 'date' ? byText : compare;
  const reachesDown =
    outer.least === undefined || (inner.least !== undefined && by(inner.least, outer.least) >= 0);
  const reachesUp =
    outer.most === undefined || (inner.most !== undefined && by(inner.most, outer.most) <= 0);
  return reachesDown && reachesUp;
}

interface Range {
  readonly least: string | undefined;
  readonly most: string | undefined;
}

const SAFE = String(Number.MAX_SAFE_INTEGER);

/**
 * The least and the greatest value of a type, as text; undefined in place of none. Beyond the safe
 * range a double does not tell one integer from the next: so far it is exact.
 */
function rangeOf(type: FieldType, isExact: boolean): Range | undefined {
  switch (type.type) {
    case 'integer':
      return bounded(type, `-${SAFE}`, SAFE);
    case 'bigint':
      return bounded(type, '-9223372036854775808', '9223372036854775807');
    case 'decimal': {
      const whole = '9'.repeat(type.precision - type.scale) || '0';
      const most = type.scale === 0 ? whole : `${whole}.${'9'.repeat(type.scale)}`;
      return bounded(type, `-${most}`, most);
    }
    case 'number':
      if (isExact) return bounded(type, `-${SAFE}`, SAFE);
      return { least: bound(type.minimum), most: bound(type.maximum) };
    case 'date':
    case 'timestamp':
      return { least: type.minimum, most: type.maximum };
    default:
      return undefined;
  }
}

const bound = (value: number | string | undefined): string | undefined =>
  value === undefined ? undefined : exactText(value);

const bounded = (
  { minimum, maximum }: { readonly minimum?: number | string; readonly maximum?: number | string },
  least: string,
  most: string,
): Range => ({ least: bound(minimum) ?? least, most: bound(maximum) ?? most });

/** A number without an exponent. */
function exactText(value: number | string): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(mantissa) ?? [];
  const places = Number(exponent) - fraction.length;
  const digits = whole + fraction;
  if (places >= 0) return sign + digits + '0'.repeat(places);
  return `${sign}0.${digits.padStart(-places, '0')}`;
}

/** Negative, zero or positive, for decimal texts of any length. */
function compareNumbers(one: string, other: string): number {
  const digits = Math.max(...[one, other].map((text) => text.split('.')[1]?.length ?? 0));
  const units = (text: string): bigint => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(digits, '0'));
  };
  const difference = units(one) - units(other);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** An older type without bounds has those that the field says, where it can say them. */
function withBoundsOf(stored: FieldType, older: PropertyType): PropertyType {
  const given = explicitBounds(stored);
  switch (older.type) {
    case 'integer':
    case 'number': {
      const inNumber = (text: string | undefined): number | undefined =>
        text === undefined || Math.abs(Number(text)) > Number(SAFE) ? undefined : Number(text);
      return isNumeric(stored) ? filled(older, inNumber(given.least), inNumber(given.most)) : older;
    }
    case 'bigint':
    case 'decimal': {
      const inText = (text: string | undefined): string | undefined => {
        if (text === undefined || older.type === 'bigint') return text?.replace(/\.0+$/, '');
        const [whole = '', fraction = ''] = text.split('.');
        return older.scale === 0 ? whole : `${whole}.${fraction.padEnd(older.scale, '0')}`;
      };
      return isNumeric(stored) ? filled(older, inText(given.least), inText(given.most)) : older;
    }
    case 'date':
    case 'timestamp':
      return stored.type === older.type ? filled(older, given.least, given.most) : older;
    case 'list':
      return stored.type === 'list' ? older : { ...older, minItems: 1, maxItems: 1 };
    default:
      return older;
  }
}

const isNumeric = ({ type }: FieldType): boolean =>
  ['integer', 'bigint', 'number', 'decimal'].includes(type);

function explicitBounds(type: FieldType): Range {
  if (!('minimum' in type || 'maximum' in type)) return { least: undefined, most: undefined };
  const { minimum, maximum } = type as {
    readonly minimum?: number | string;
    readonly maximum?: number | string;
  };
  return { least: bound(minimum), most: bound(maximum) };
}

function filled<T extends ScalarType, V>(
  type: T,
  minimum: V | undefined,
  maximum: V | undefined,
): T {
  return {
    ...type,
    ...(minimum !== undefined && !('minimum' in type) && { minimum }),
    ...(maximum !== undefined && !('maximum' in type) && { maximum }),
  };
}

const hasBounds = (type: FieldType): boolean => 'minimum' in type || 'maximum' in type;

/** Whether any text at all is a value of the type. */
const isAnyText = (type: FieldType): boolean =>
  (type.type === 'text' && type.maxLength === undefined) ||
  (type.type === 'string' && Object.keys(type).length === 1);

function isWiderText(stored: FieldType, older: FieldType): boolean {
  if (stored.type !== 'string' && stored.type !== 'text') return false;
  if (older.type !== 'string' && older.type !== 'text') return false;
  const {
    minLength: least = 0,
    pattern,
    format,
  } = { pattern: undefined, format: undefined, ...stored } as {
    minLength?: number;
    pattern?: string;
    format?: string;
  };
  const wide = older as {
    minLength?: number;
    maxLength?: number;
    pattern?: string;
    format?: string;
  };
  return (
    (wide.minLength ?? 0) <= least &&
    (wide.maxLength ?? Infinity) >= (stored.maxLength ?? Infinity) &&
    (wide.pattern === undefined || wide.pattern === pattern) &&
    (wide.format === undefined || wide.format === format)
  );
}

const isSame = (one: FieldType, other: FieldType): boolean =>
  JSON.stringify(sorted(plain(one))) === JSON.stringify(sorted(plain(other)));

const sorted = (type: object): object =>
  Object.fromEntries(Object.entries(type).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** A decimal with so many digits behind the point. */
function withScale(decimal: string, scale: number): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  return scale === 0 ? whole : `${whole}.${fraction.slice(0, scale).padEnd(scale, '0')}`;
}

/** A stored value of the definition (a default, an example) in an older form; undefined: unknown. */
export function shownValue(conversion: Conversion, value: JsonValue): JsonValue | undefined {
  switch (conversion.kind) {
    case 'same':
      return value;
    case 'number-of-text':
      return Number(value);
    case 'text-of-integer':
      return String(value);
    case 'decimal-of-integer':
      return Number(value).toFixed(conversion.scale);
    case 'longer-text':
      return withScale(String(value), conversion.to);
    case 'midnight':
      return value === 'today' ? undefined : `${String(value)}T00:00:00.000Z`;
    case 'list-of-one':
      return value === 'now' || value === 'today' ? undefined : [value];
    case 'only-entry':
      return (value as readonly JsonValue[])[0];
    case 'values':
      return conversion.names[String(value)];
    case 'team':
      return undefined;
  }
}

/** What is stored for a value of an older form; undefined: only the team knows. */
export function readBack(conversion: Conversion, value: JsonValue): JsonValue | undefined {
  switch (conversion.kind) {
    case 'same':
      return value;
    case 'number-of-text':
      return Number(value).toFixed(conversion.scale);
    case 'text-of-integer':
    case 'decimal-of-integer':
      return Number(value);
    case 'longer-text':
      return withScale(String(value), conversion.from);
    case 'midnight':
      return String(value).slice(0, 10);
    case 'list-of-one':
      return (value as readonly JsonValue[])[0];
    case 'only-entry':
      return [value];
    case 'values':
      return Object.keys(conversion.names).find((name) => conversion.names[name] === value);
    case 'team':
      return undefined;
  }
}
