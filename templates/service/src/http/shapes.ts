/**
 * The shapes of values, as TypeBox schemas: what a body may hold, and what it means in full. A
 * shape knows the one canonical form of its values, and what an absent one stands for.
 */
import { isIPv4, isIPv6 } from 'node:net';

import Type from 'typebox';
import type { Static, TObject, TOptional, TProperties, TSchema, TUnsafe } from 'typebox';
import { IsHostname, IsUri, Set as setFormat } from 'typebox/format';

import { isUuid } from './uuid.ts';
import {
  canonicalDecimal,
  canonicalTimestamp,
  compareDecimals,
  isBigint,
  isDate,
} from './values.ts';

// Defaults that move: what they are is decided when an item is made.
export { now, today } from './values.ts';

/** Gives a value its canonical form; the key of a function on shapes whose values have several. */
export const CANONICAL = Symbol('canonical');
/** What an absent member stands for; the key of a function on shapes that have a default. */
export const DEFAULT = Symbol('default');
/** What a shape checks by functions, as the keywords of a JSON Schema: for the OpenAPI document. */
export const KEYWORDS = Symbol('keywords');

/** Keywords, and what none of them can say. */
export interface Keywords {
  readonly note?: string;
  readonly [keyword: string]: unknown;
}

/** A value with every member there: what a body means once defaults and nulls are filled in. */
export type Complete<T> = T extends readonly (infer Item)[]
  ? Complete<Item>[]
  : T extends object
    ? { [Name in keyof T]-?: Complete<Exclude<T[Name], undefined>> }
    : T;

const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?';
const EMAIL = new RegExp(`^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`, 'u');

/** What a `format` asks of a text, and how that is told to a person. */
const FORMATS = {
  // Addresses beyond ASCII are addresses too (RFC 6531).
  'idn-email': {
    test: (text) => text.length <= 320 && EMAIL.test(text),
    hint: 'must be an e-mail address',
  },
  uri: { test: IsUri, hint: 'must be a URI with its scheme, such as https://example.org/' },
  hostname: { test: (text) => text.length <= 253 && IsHostname(text), hint: 'must be a host name' },
  ipv4: { test: isIPv4, hint: 'must be an IPv4 address' },
  ipv6: { test: isIPv6, hint: 'must be an IPv6 address' },
  slug: {
    test: (text) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text),
    hint: 'must be a slug: lower-case letters and digits, with single hyphens between',
  },
  int64: { test: isBigint, hint: 'must be an integer of 64 bits as text, such as "42"' },
  date: { test: isDate, hint: 'must be a day as YYYY-MM-DD' },
  'date-time': {
    test: (text) => canonicalTimestamp(text) !== undefined,
    hint: 'must be a time with its offset, such as 2026-01-31T12:00:00Z, no finer than microseconds',
  },
  uuid: {
    test: isUuid,
    hint: 'must be a UUID',
  },
} as const satisfies Record<string, { test: (text: string) => boolean; hint: string }>;

for (const [name, { test }] of Object.entries(FORMATS)) setFormat(name, test);

/** What a format asks for, in words. */
export const formatHint = (name: string): string =>
  FORMATS[name as keyof typeof FORMATS]?.hint ?? `must be a ${name}`;

interface StringRules {
  /** Lengths are counted in code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** ECMAScript with the `u` flag, unanchored. */
  readonly pattern?: string;
  readonly format?: 'idn-email' | 'uri' | 'hostname' | 'ipv4' | 'ipv6' | 'slug';
}

/** Both ends belong to the range. */
interface Bounds<T> {
  readonly minimum?: T;
  readonly maximum?: T;
}

/** A text, kept as it came. */
export function string({ pattern, ...rules }: StringRules = {}): TUnsafe<string> {
  const shape = refine(
    text(rules),
    (value) => value.isWellFormed() && !value.includes('\0'),
    'must not hold a NUL character or half of a surrogate pair',
  );
  if (pattern === undefined) return shape;
  const expression = new RegExp(pattern, 'u');
  const { maxLength = Infinity } = rules;
  return refine(
    told(shape, { pattern }),
    // The length bounds the time that a pattern takes, so a text that is too long is not looked at.
    (value) => value.length > 2 * maxLength || expression.test(value),
    `must match the pattern ${pattern}`,
  );
}

/** An integer, within what a double holds exactly. */
export const integer = ({
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
}: Bounds<number> = {}): TUnsafe<number> =>
  Type.Unsafe<number>({ type: 'integer', minimum, maximum });

/** Any number that a double can hold. */
export const number = (bounds: Bounds<number> = {}): TUnsafe<number> =>
  Type.Unsafe<number>({ type: 'number', ...bounds });

/** An integer of 64 bits, carried as text because JSON readers round it. */
export const bigint = ({ minimum, maximum }: Bounds<string> = {}): TUnsafe<string> =>
  refine(
    told(text({ format: 'int64' }), {
      pattern: '^(?:0|-?[1-9][0-9]{0,18})$',
      ...rangeNote(minimum, maximum),
    }),
    (value) =>
      !isBigint(value) ||
      (BigInt(value) >= BigInt(minimum ?? value) && BigInt(value) <= BigInt(maximum ?? value)),
    range(minimum, maximum),
  );

/** An exact decimal number, carried as text; it is answered with its whole scale. */
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
      told(text({}), {
        format: 'decimal',
        pattern: decimalPattern(precision, scale),
        ...rangeNote(minimum, maximum),
      }),
      (value) => canonical(value) !== undefined,
      `must be a decimal number as text, such as "${canonical('1') ?? canonical('0')}", ` +
        `with at most ${precision - scale} digits before the point and ${scale} after it`,
    ),
    (value) => {
      const given = canonical(value);
      if (given === undefined) return true;
      return (
        compareDecimals(given, canonical(minimum ?? value) ?? given) >= 0 &&
        compareDecimals(given, canonical(maximum ?? value) ?? given) <= 0
      );
    },
    range(minimum, maximum),
  );
  return withCanonical(shape, canonical);
}

export const boolean = (): TUnsafe<boolean> => Type.Unsafe<boolean>({ type: 'boolean' });

/** A day of the calendar, `YYYY-MM-DD`. */
export const date = ({ minimum, maximum }: Bounds<string> = {}): TUnsafe<string> =>
  refine(
    told(text({ format: 'date' }), rangeNote(minimum, maximum)),
    (value) => value >= (minimum ?? value) && value <= (maximum ?? value),
    range(minimum, maximum),
  );

/** A point in time (RFC 3339), answered in UTC. */
export function timestamp({ minimum, maximum }: Bounds<string> = {}): TUnsafe<string> {
  const shape = refine(
    told(text({ format: 'date-time' }), rangeNote(minimum, maximum)),
    (value) => {
      const given = instant(value);
      if (given === undefined) return true;
      return given >= (instant(minimum) ?? given) && given <= (instant(maximum) ?? given);
    },
    range(minimum, maximum),
  );
  return withCanonical(shape, canonicalTimestamp);
}

/** A UUID of any version. */
export const uuid = (): TUnsafe<string> =>
  withCanonical(text({ format: 'uuid' }), (value) => value.toLowerCase());

/** One of some texts. */
export const oneOf = <const Value extends string>(values: readonly Value[]): TUnsafe<Value> =>
  Type.Unsafe<Value>({ type: 'string', enum: values });

/** An array whose items have one shape. */
export function list<Item extends TSchema>(
  items: Item,
  {
    uniqueItems = false,
    ...rules
  }: {
    readonly minItems?: number;
    readonly maxItems?: number;
    readonly uniqueItems?: boolean;
  } = {},
): TUnsafe<Static<Item>[]> {
  const shape = Type.Unsafe<Static<Item>[]>({ type: 'array', items, ...rules });
  if (!uniqueItems) return shape;
  return Type.Refine(
    told(shape, { uniqueItems: true }),
    (value) =>
      !Array.isArray(value) ||
      new Set(value.map((item) => complete(items, item))).size === value.length,
    () => 'must not hold an item twice',
  );
}

/** An object with these members and no others. */
export const object = <Members extends TProperties>(members: Members): TObject<Members> =>
  Type.Object(members, { additionalProperties: false });

/** Any JSON value but null. */
export const json = (): TUnsafe =>
  Type.Refine(
    Type.Refine(
      told(Type.Unsafe<unknown>({}), { not: { type: 'null' } }),
      (value) => value !== null,
      () => 'must not be null',
    ),
    isStorable,
    () =>
      'must not hold integers beyond the safe range, NUL characters or halves of surrogate pairs',
  );

/** A member that may be absent or null; absent, it is its default, or null where it has none. */
export function optional<Shape extends TSchema>(
  shape: Shape,
  whenAbsent?: Static<Shape> | (() => Static<Shape>),
): TOptional<TUnsafe<Static<Shape> | null>> {
  return Type.Optional(withDefault(nullable(shape), whenAbsent));
}

/** A member that may not be null, but may be absent: then it is its default. */
export const defaulting = <Shape extends TSchema>(
  shape: Shape,
  whenAbsent: Static<Shape> | (() => Static<Shape>),
): TOptional<TUnsafe<Static<Shape>>> =>
  Type.Optional(withDefault(Type.Unsafe<Static<Shape>>(shape), whenAbsent));

/** A shape with words for people, in the OpenAPI document. */
export const described = <Shape extends TSchema>(description: string, shape: Shape): Shape =>
  extend(shape, { description });

/** Fills a value in: absent members become their default or null, texts their canonical form. */
export function complete<Shape extends TSchema>(
  shape: Shape,
  value: Static<Shape>,
): Complete<Static<Shape>>;
export function complete(shape: ShapeParts, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (shape[CANONICAL] !== undefined) return shape[CANONICAL](value as string) ?? value;
  if (shape.items !== undefined && Array.isArray(value)) {
    const { items } = shape;
    return value.map((item) => complete(items, item));
  }
  if (shape.properties === undefined || typeof value !== 'object') return value;
  const members = value as Record<string, unknown>;
  const completed: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(shape.properties)) {
    const given = members[name] === undefined ? member[DEFAULT]?.() : members[name];
    completed[name] = complete(member, given);
  }
  return completed;
}

/** The parts of a shape that are read when values are filled in or patched. */
export interface ShapeParts extends TSchema {
  readonly [CANONICAL]?: (value: string) => string | undefined;
  readonly [DEFAULT]?: () => unknown;
  readonly [KEYWORDS]?: Keywords;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ShapeParts>>;
  readonly items?: ShapeParts;
}

const text = (rules: StringRules | { format: keyof typeof FORMATS }): TUnsafe<string> =>
  Type.Unsafe<string>({ type: 'string', ...rules });

/** A copy of a shape with more to it. TypeBox keeps refinements where a spread does not see them. */
const extend = <Shape extends TSchema>(shape: Shape, more: object): Shape =>
  Object.assign(
    Object.defineProperties({}, Object.getOwnPropertyDescriptors(shape)),
    more,
  ) as Shape;

/** A shape with keywords for what it is going to check by a function. */
const told = <Shape extends TSchema>(shape: Shape, keywords: Keywords): Shape =>
  extend(shape, { [KEYWORDS]: keywords });

const withCanonical = (
  shape: TUnsafe<string>,
  canonical: (value: string) => string | undefined,
): TUnsafe<string> => extend(shape, { [CANONICAL]: canonical });

const refine = (
  shape: TUnsafe<string>,
  check: (value: string) => boolean,
  message: string,
): TUnsafe<string> =>
  Type.Refine(
    shape,
    (value: unknown) => typeof value !== 'string' || check(value),
    () => message,
  );

function nullable<Shape extends TSchema>(shape: Shape): TUnsafe<Static<Shape> | null> {
  const {
    type,
    enum: values,
    '~refine': refinements = [],
    [KEYWORDS]: { not: _, ...keywords } = {},
    ...rest
  }: NullableParts = shape;
  const widened = Type.Unsafe<Static<Shape> | null>({
    ...rest,
    [KEYWORDS]: keywords,
    ...(type !== undefined && { type: [type, 'null'] }),
    ...(values !== undefined && { enum: [...values, null] }),
  });
  return refinements.reduce<TUnsafe<Static<Shape> | null>>(
    (refined, { check, error }) =>
      Type.Refine(refined, (value: unknown) => value === null || check(value), error),
    widened,
  );
}

interface NullableParts extends TSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly [KEYWORDS]?: Keywords;
  readonly '~refine'?: readonly {
    readonly check: (value: unknown) => boolean;
    readonly error: (value: unknown) => string;
  }[];
}

function withDefault<Shape extends TSchema>(shape: Shape, whenAbsent: unknown): Shape {
  if (whenAbsent === undefined) return shape;
  if (typeof whenAbsent === 'function') return extend(shape, { [DEFAULT]: whenAbsent });
  const copy =
    typeof whenAbsent === 'object' ? () => structuredClone(whenAbsent) : () => whenAbsent;
  return extend(shape, { default: whenAbsent, [DEFAULT]: copy });
}

/** Timestamps as texts that compare like their times. */
const instant = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : canonicalTimestamp(value)?.replace(/\.(\d{3})Z$/, '.$1000Z');

/** What a range asks for, in words. */
const range = (minimum: string | undefined, maximum: string | undefined): string =>
  `must be ${within(minimum, maximum)}`;

function within(minimum: string | undefined, maximum: string | undefined): string {
  if (minimum === undefined) return `at most ${maximum}`;
  if (maximum === undefined) return `at least ${minimum}`;
  return `from ${minimum} to ${maximum}`;
}

/** The same as a sentence by itself; nothing where there is no range. */
const rangeNote = (minimum: string | undefined, maximum: string | undefined): Keywords =>
  minimum === undefined && maximum === undefined
    ? {}
    : { note: `A value ${within(minimum, maximum)}.` };

/** Decimals within these digits; a zero behind them is no further digit. */
function decimalPattern(precision: number, scale: number): string {
  const digits = precision - scale;
  const whole = digits > 0 ? `(?:0|[1-9][0-9]{0,${digits - 1}})` : '0';
  const fraction = scale > 0 ? `[0-9]{1,${scale}}0*` : '0+';
  return `^-?${whole}(?:\\.${fraction})?$`;
}

/** Whether PostgreSQL and every JSON reader can hold the value as it is. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, part]) => isStorable(name) && isStorable(part));
}
