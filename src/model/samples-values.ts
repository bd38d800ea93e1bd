/** Example values of every type, in the one form in which the service answers them. */
import { canonicalDecimal, trimZeros } from '../definition/scalars.ts';
import type {
  Field,
  FieldType,
  JsonValue,
  ObjectType,
  Property,
  ScalarType,
} from '../definition/types.ts';
import { differentTexts } from './samples-text.ts';

/** What is known of the place that a value is for. */
export interface Place {
  /** Of the field. */
  readonly name: string;
  /** Values that the definition gives for it; they come first. */
  readonly given?: readonly JsonValue[];
}

const LEAST_BIGINT = -(2n ** 63n);
const GREATEST_BIGINT = 2n ** 63n - 1n;
const DAY = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 0, 31);

/**
 * Different values that a scalar takes, the plainest first; fewer than asked for where there are
 * no more. None for a pattern that nothing was found for.
 */
export function differentValues(type: ScalarType, count: number, place: Place): JsonValue[] {
  const given = (place.given ?? []).filter((value) => value !== 'now' && value !== 'today');
  const more = (): JsonValue[] => {
    switch (type.type) {
      case 'string':
      case 'text':
        return differentTexts(type, count, place.name, given as string[]);
      case 'integer':
        return wholes(
          BigInt(Math.ceil(type.minimum ?? Number.MIN_SAFE_INTEGER)),
          BigInt(Math.floor(type.maximum ?? Number.MAX_SAFE_INTEGER)),
          count,
        ).map(Number);
      case 'bigint':
        return wholes(
          BigInt(type.minimum ?? LEAST_BIGINT),
          BigInt(type.maximum ?? GREATEST_BIGINT),
          count,
        ).map(String);
      case 'number':
        return type.whole === true
          ? wholes(
              BigInt(Math.ceil(type.minimum ?? -1e9)),
              BigInt(Math.floor(type.maximum ?? 1e9)),
              count,
            ).map(Number)
          : numbers(type.minimum ?? -1e9, type.maximum ?? 1e9, count);
      case 'decimal':
        return decimals(type, count);
      case 'boolean':
        return [true, false];
      case 'date':
        return days(type.minimum ?? '0001-01-01', type.maximum ?? '9999-12-31', count);
      case 'timestamp': {
        const minimum = type.minimum ?? '0001-01-01T00:00:00.000Z';
        const maximum = type.maximum ?? '9999-12-31T23:59:59.999Z';
        return type.wholeDays === true
          ? days(minimum.slice(0, 10), maximum.slice(0, 10), count).map(beginningOf)
          : moments(minimum, maximum, count);
      }
      case 'uuid':
        return Array.from(
          { length: count },
          (_none, n) => `8d3f5a1c-4b6e-4f70-9a2b-${String(n + 1).padStart(12, '0')}`,
        );
      case 'enum':
        return [...type.values];
    }
  };
  return [...new Set([...given, ...more()])].slice(0, count);
}

/** One or two values of any type but a reference; none where a pattern has no sample. */
export function exampleValues(member: Field | Property): JsonValue[] {
  const { type, name, example, default: initial } = member;
  const given = [example, initial].filter((value) => value !== undefined);
  return exampleValuesOf(type, { name, given });
}

function exampleValuesOf(type: FieldType, place: Place): JsonValue[] {
  switch (type.type) {
    case 'reference':
      return [];
    case 'json':
      return [
        ...(place.given ?? []),
        { color: 'blue', sizes: [1, 2.5], more: { deep: [null] } },
        [1, 'two'],
      ];
    case 'object':
      return unique([...(place.given ?? []), ...exampleObjects(type)]);
    case 'list': {
      const items = differentValues(type.of, Math.max(type.minItems ?? 0, 3), { name: place.name });
      const most = type.maxItems ?? Infinity;
      const least = type.minItems ?? 0;
      const many = (wanted: number): JsonValue[] => {
        const length = Math.min(
          Math.max(wanted, least),
          most,
          type.uniqueItems ? items.length : Infinity,
        );
        return Array.from({ length }, (_none, at) => items[at % items.length] as JsonValue);
      };
      if (items.length === 0 && least > 0) return [];
      if (items.length === 0) return [[]];
      return unique([...(place.given ?? []), many(2), many(1), many(3)]);
    }
    default:
      return differentValues(type, 2, place);
  }
}

/**
 * Two objects where there are two: one that leaves its defaults to the service, and one with all
 * of its properties.
 */
function exampleObjects({ properties }: ObjectType): JsonValue[] {
  const values = new Map(properties.map((property) => [property.name, exampleValues(property)]));
  if (properties.some(({ required, name }) => required && values.get(name)?.length === 0)) {
    return [];
  }
  const pick = (at: number, withDefaults: boolean): JsonValue =>
    Object.fromEntries(
      properties
        .filter((property) => withDefaults || property.default === undefined)
        .map(({ name, type }): [string, JsonValue] => {
          const some = values.get(name) ?? [];
          const isWhole = withDefaults && type.type === 'object';
          return [name, some.at(isWhole ? -1 : Math.min(at, some.length - 1)) ?? null];
        }),
    );
  return unique([pick(0, false), pick(1, true)]);
}

/** A member of an object, and nothing that the object inherits. */
export const ownMember = (
  value: { readonly [member: string]: JsonValue },
  name: string,
): JsonValue | undefined => (Object.hasOwn(value, name) ? value[name] : undefined);

export function unique(values: readonly JsonValue[]): JsonValue[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const text = JSON.stringify(value);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

const beginningOf = (day: string): string => `${day}T00:00:00.000Z`;

/** Integers of a range: from 1 upwards where that is possible. */
function wholes(minimum: bigint, maximum: bigint, count: number): bigint[] {
  const start = minimum > 1n ? minimum : maximum < 1n ? maximum : 1n;
  const found: bigint[] = [];
  for (let n = start; n <= maximum && found.length < count; n++) found.push(n);
  for (let n = start - 1n; n >= minimum && found.length < count; n--) found.push(n);
  return found;
}

function numbers(minimum: number, maximum: number, count: number): number[] {
  const found = new Set<number>();
  const add = (value: number): void => {
    if (value >= minimum && value <= maximum && found.size < count) found.add(value);
  };
  for (let n = 0; n < count; n++) add(n + 1.5);
  for (let n = 0; n < count; n++) add(Math.ceil(minimum) + n + 0.5);
  for (let n = 0; n <= count; n++) add(minimum + ((maximum - minimum) * n) / Math.max(count, 1));
  return [...found];
}

function decimals(
  { precision, scale, minimum, maximum, whole }: Extract<ScalarType, { type: 'decimal' }>,
  count: number,
): string[] {
  const unit = 10n ** BigInt(scale);
  const most = 10n ** BigInt(precision) - 1n;
  const bound = (text: string | undefined, fallback: bigint): bigint =>
    text === undefined ? fallback : unitsOf(text, precision, scale);
  const [low, high] = [bound(minimum, -most), bound(maximum, most)];
  const found = new Set<bigint>();
  const add = (value: bigint): void => {
    if (value >= low && value <= high && found.size < count) found.add(value);
  };
  // One and a half and so on, where the scale has room for it: then zeros follow in the answer.
  const half = scale > 0 && whole !== true ? unit / 2n : 0n;
  for (let n = 1n; n <= BigInt(count); n++) add(n * unit + half);
  for (let n = 0n; n < BigInt(count); n++) add(low + n * unit);
  const finest = whole === true ? unit : 1n;
  for (let n = 0n; n < BigInt(count); n++) add(low + n * finest);
  return [...found].map((units) => decimalText(units, scale));
}

/** How many of its last digits a decimal has. */
export function unitsOf(text: string, precision: number, scale: number): bigint {
  const canonical = canonicalDecimal(text, precision, scale);
  if (!('text' in canonical)) throw new Error(`${text} is no decimal(${precision}, ${scale})`);
  return BigInt(canonical.text.replace('.', ''));
}

/** A decimal with its whole scale. */
export function decimalText(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const sign = units < 0n ? '-' : '';
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function days(minimum: string, maximum: string, count: number): string[] {
  return around(
    FIRST_DAY,
    DAY,
    count,
    (time) => new Date(time).toISOString().slice(0, 10),
    minimum,
    maximum,
  );
}

function moments(minimum: string, maximum: string, count: number): string[] {
  const shown = (time: number): string => new Date(time).toISOString();
  return around(FIRST_DAY + DAY / 2, DAY / 24, count, shown, minimum, maximum).filter(
    (text) => comparable(text) >= comparable(minimum) && comparable(text) <= comparable(maximum),
  );
}

/** A time as a text that compares like its time. */
export const comparable = (timestamp: string): string =>
  timestamp.endsWith('Z') ? timestamp.slice(0, -1).padEnd(26, '0') : timestamp;

/** Steps from a start upwards, or within the bounds where the start lies outside. */
function around(
  start: number,
  step: number,
  count: number,
  shown: (time: number) => string,
  minimum: string,
  maximum: string,
): string[] {
  const [low, high] = [Date.parse(minimum), Date.parse(maximum)];
  const first = start >= low && start <= high ? start : low;
  const found: string[] = [];
  for (let time = first; time <= high && found.length < count; time += step)
    found.push(shown(time));
  for (let time = first - step; time >= low && found.length < count; time -= step) {
    found.push(shown(time));
  }
  if (found.length === 1 && high > low) found.push(shown(high));
  return found;
}

/** Another spelling of the same value, where its type has one: what clients may send as well. */
export function respelled(type: FieldType, value: JsonValue): JsonValue {
  if (value === null) return null;
  switch (type.type) {
    case 'decimal':
      return String(value).includes('.') ? trimZeros(String(value)).replace(/\.$/, '') : value;
    case 'timestamp':
      return respelledTime(String(value));
    case 'uuid':
      return String(value).toUpperCase();
    case 'list':
      return (value as JsonValue[]).map((item) => respelled(type.of, item));
    case 'object':
      return Object.fromEntries(
        type.properties.flatMap(({ name, type: inner }) => {
          const part = ownMember(value as { readonly [member: string]: JsonValue }, name);
          return part === undefined ? [] : [[name, respelled(inner, part)]];
        }),
      );
    default:
      return value;
  }
}

/** The same moment an hour further east. */
function respelledTime(text: string): string {
  const later = new Date(Date.parse(text) + DAY / 24);
  if (later.getUTCFullYear() > 9999) return text;
  const fraction = text.slice(19, -1).replace(/\.000$/, '');
  return `${later.toISOString().slice(0, 19)}${fraction}+01:00`;
}

/** What is answered for a value that was sent in canonical form: objects have all members. */
export function answered(type: FieldType, value: JsonValue): JsonValue {
  if (type.type !== 'object' || value === null) return value;
  const given = value as { readonly [member: string]: JsonValue };
  return Object.fromEntries(
    type.properties.map(({ name, type: inner, default: initial }) => {
      const part = ownMember(given, name) ?? (Object.hasOwn(given, name) ? null : initial);
      return [name, part === undefined ? null : answered(inner, part)];
    }),
  );
}
