/**
 * TypeBox schemas for the field types of definitions. Beside validation, a schema has functions for
 * the canonical form of its values and for the default of an absent one; `complete` applies both.
 */
import { isIPv4, isIPv6 } from 'node:net';

import Type from 'typebox';
import type { Static, TObject, TOptional, TProperties, TSchema, TUnsafe } from 'typebox';
import { IsHostname, IsUri, Set as setFormat } from 'typebox/format';

import { isUuid } from './uuid.ts';
import { canonicalTimestamp, isDate } from './values.ts';

// Defaults that are evaluated when an item is created.
export { now, today } from './values.ts';

/** Key of the function that brings a value into its canonical form. */
export const CANONICAL = Symbol('canonical');
/** Key of the function that makes the default of an absent member. */
export const DEFAULT = Symbol('default');
/** The names of the computed members of an item. */
export const COMPUTED = Symbol('computed');
/** Key of the JSON Schema keywords that document what the schema checks by functions. */
export const KEYWORDS = Symbol('keywords');

/** JSON Schema keywords; `note` describes in words what no standard keyword can express. */
export interface Keywords {
  readonly note?: string;
  readonly [keyword: string]: unknown;
}

/** The type of a value after `complete`: no member is absent. */
export type Complete<T> = T extends readonly (infer Item)[]
  ? Complete<Item>[]
  : T extends object
    ? { [Name in keyof T]-?: Complete<Exclude<T[Name], undefined>> }
    : T;

/**
 * The type of the values of a shape, for functions of any shape. `NoInfer`: TypeScript would infer the type
 * of the shape from them too, through all types that TypeBox knows, which takes it seconds.
 */
export type ValuesOf<Shape extends TSchema> = NoInfer<Complete<Static<Shape>>>;

const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?';
const EMAIL = new RegExp(`^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`, 'u');

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The formats of strings: the test, and the message if it fails. */
const FORMATS = {
  // Internationalized addresses are valid (RFC 6531).
  'idn-email': {
    test: (text) => text.length <= 320 && EMAIL.test(text),
    hint: 'must be an e-mail address',
  },
  uri: { test: IsUri, hint: 'must be a URI with its scheme, such as https://example.org/' },
  hostname: { test: (text) => text.length <= 253 && IsHostname(text), hint: 'must be a host name' },
  ipv4: { test: isIPv4, hint: 'must be an IPv4 address' },
  ipv6: { test: isIPv6, hint: 'must be an IPv6 address' },
  slug: {
    test: (text) => SLUG.test(text),
    hint: 'must be a slug: lower-case letters and digits, separated by single hyphens',
  },
  date: { test: isDate, hint: 'must be a date as YYYY-MM-DD' },
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

/** The message for a text that does not have the format. */
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

/** Inclusive bounds. */
export interface Bounds<T> {
  readonly minimum?: T;
  readonly maximum?: T;
}

/** A string, stored as it was sent. */
export function string({ pattern, ...rules }: StringRules = {}): TUnsafe<string> {
  const shape = refine(
    text(rules),
    (value) => value.isWellFormed() && !value.includes('\0'),
    'must not contain a NUL character or a lone surrogate',
  );
  if (pattern === undefined) return documented(shape, stringKeywords(rules));
  const expression = new RegExp(pattern, 'u');
  const { maxLength = Infinity } = rules;
  return refine(
    documented(shape, { pattern }),
    // Longer strings are refused by maxLength, which bounds the time that a pattern takes.
    (value) => value.length > 2 * maxLength || expression.test(value),
    `must match the pattern ${pattern}`,
  );
}

/** The pattern of a text that PostgreSQL can store. */
export const NO_NUL = '^[^\\u0000]*$';

/** Keywords for what a format checks beyond its name. Patterns mean the same without the `u` flag. */
function stringKeywords({ format, maxLength = Infinity }: StringRules): Keywords {
  if (format === undefined) return { pattern: NO_NUL };
  if (format === 'slug') return { pattern: SLUG.source };
  const longest = { 'idn-email': 320, hostname: 253 }[format as string] ?? Infinity;
  return longest < maxLength ? { maxLength: longest } : {};
}

/** A safe integer. */
export const integer = ({
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
}: Bounds<number> = {}): TUnsafe<number> =>
  Type.Unsafe<number>({ type: 'integer', minimum, maximum });

/** A double. */
export const number = (bounds: Bounds<number> = {}): TUnsafe<number> =>
  Type.Unsafe<number>({ type: 'number', ...bounds });

export const boolean = (): TUnsafe<boolean> => Type.Unsafe<boolean>({ type: 'boolean' });

/** Formats of RFC 3339 with its limits here: no year 0, no leap second, no finer than microseconds. */
export const DATE_PATTERN = '^(?!0000)';
export const TIMESTAMP_PATTERN =
  '^(?!0000).{16}:[0-5][0-9](?:[.][0-9]{1,6}0*)?(?:[Zz]|[+-][0-9:]{5})$';

/** A calendar date, `YYYY-MM-DD`. */
export const date = ({ minimum, maximum }: Bounds<string> = {}): TUnsafe<string> =>
  refine(
    documented(text({ format: 'date' }), {
      pattern: DATE_PATTERN,
      ...rangeNote(minimum, maximum),
    }),
    (value) => value >= (minimum ?? value) && value <= (maximum ?? value),
    range(minimum, maximum),
  );

/** A timestamp (RFC 3339); its canonical form is in UTC. */
export function timestamp({ minimum, maximum }: Bounds<string> = {}): TUnsafe<string> {
  const shape = refine(
    documented(text({ format: 'date-time' }), {
      pattern: TIMESTAMP_PATTERN,
      ...rangeNote(minimum, maximum),
    }),
    (value) => {
      const time = comparableTime(value);
      if (time === undefined) return true;
      return time >= (comparableTime(minimum) ?? time) && time <= (comparableTime(maximum) ?? time);
    },
    range(minimum, maximum),
  );
  return withCanonical(shape, canonicalTimestamp);
}

/** A UUID of any version. */
export const uuid = (): TUnsafe<string> =>
  withCanonical(text({ format: 'uuid' }), (value) => value.toLowerCase());

/** An enum of strings. */
export const oneOf = <const Value extends string>(values: readonly Value[]): TUnsafe<Value> =>
  Type.Unsafe<Value>({ type: 'string', enum: values });

/** An array. */
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
    documented(shape, { uniqueItems: true }),
    (value: unknown) =>
      !Array.isArray(value) ||
      new Set(value.map((item) => complete(items, item))).size === value.length,
    () => 'must not contain duplicates',
  );
}

/** An object with these members and no others. */
export const object = <Members extends TProperties>(members: Members): TObject<Members> =>
  Type.Object(members, { additionalProperties: false });

/** Gives a shape the example that OpenAPI documents have of it. */
export function setExample<Shape extends TSchema>(
  shape: Shape,
  example: NoInfer<Static<Shape>>,
): void {
  Object.assign(shape, { examples: [example] });
}

/**
 * An item as clients read it: its id, what they write of it, what the service alone writes, and the
 * times of its creation and last change.
 * @param $id the name of the schema in OpenAPI documents.
 * @param members `readOnly` are stored, and set by the service; `computed` are computed by each read; `times` are
 * those that items have, and `nullableTimes` those of them that are null in some items. `asAnswered` documents what answers
 * have of a stored member.
 */
export function itemShape(
  $id: string,
  description: string,
  body: TObject,
  {
    id = described('A UUID of version 7.', uuid()),
    exampleId = '01890a5d-ac96-774b-bcce-b302099a8057',
    readOnly = object({}),
    computed = object({}),
    times = ['created_at', 'updated_at'],
    nullableTimes = [],
    asAnswered = (_name, member) => member,
  }: {
    id?: TUnsafe<string>;
    exampleId?: string;
    readOnly?: TObject;
    computed?: TObject;
    times?: readonly string[];
    nullableTimes?: readonly string[];
    asAnswered?: (name: string, member: TSchema) => TSchema;
  } = {},
): TObject {
  const stored = { ...body.properties, ...readOnly.properties };
  const taken = Object.keys(computed.properties).find((name) => Object.hasOwn(stored, name));
  if (taken !== undefined) {
    throw new Error(`${taken} of ${$id} is a field and a computed member: rename one of them.`);
  }
  const written = Object.entries<TSchema>(body.properties)
    .filter(([, { writeOnly: isHidden }]: [string, ShapeParts]) => isHidden !== true)
    .map(([name, member]) => [name, asAnswered(name, member)]);
  const unwritten = Object.entries({ ...readOnly.properties, ...computed.properties }).map(
    ([name, member]) => [name, extend(asAnswered(name, member), { readOnly: true })],
  );
  const members = object({
    id: extend(id, { readOnly: true }),
    ...Object.fromEntries(written),
    ...Object.fromEntries(unwritten),
    ...Object.fromEntries(
      times.map((name) => {
        const time = nullableTimes.includes(name) ? optional(timestamp()) : timestamp();
        return [name, extend(time, { readOnly: true })];
      }),
    ),
  });
  const examples = (body as ShapeParts).examples?.map((example) =>
    complete(members, {
      ...EXAMPLE,
      id: exampleId,
      ...(readOnly as ShapeParts).examples?.[0],
      ...(computed as ShapeParts).examples?.[0],
      ...example,
    }),
  );
  return extend(members, {
    $id,
    description,
    [COMPUTED]: Object.keys(computed.properties),
    ...(examples !== undefined && { examples }),
  });
}

/** What the service alone writes, as examples show it. */
const EXAMPLE = {
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
};

/** Any JSON value except null, of at most `maxBytes` as JSON without blanks. */
export function json({ maxBytes = 65_536 }: { readonly maxBytes?: number } = {}): TUnsafe {
  const shape = documented(Type.Unsafe<unknown>({}), {
    not: { type: 'null' },
    note: `At most ${maxBytes} bytes as JSON, no integers beyond ±9007199254740991, and no NUL characters.`,
  });
  const present = Type.Refine(
    shape,
    (value) => value !== null,
    () => 'must not be null',
  );
  const storable = Type.Refine(
    present,
    isStorable,
    () => 'must not contain integers beyond the safe range, NUL characters or lone surrogates',
  );
  return Type.Refine(
    storable,
    (value) => Buffer.byteLength(JSON.stringify(value)) <= maxBytes,
    () => `must have at most ${maxBytes} bytes as JSON`,
  );
}

/** A member that may be absent or null. An absent one gets the default, or null without a default. */
export function optional<Shape extends TSchema>(
  shape: Shape,
  whenAbsent?: NoInfer<Static<Shape>> | (() => NoInfer<Static<Shape>>),
): TOptional<TUnsafe<Static<Shape> | null>> {
  const widened = nullable(shape) as TUnsafe<Static<Shape> | null>;
  return Type.Optional(withDefault(widened, whenAbsent));
}

/** A member that may be absent, but not null. An absent one gets the default. */
export const defaulting = <Shape extends TSchema>(
  shape: Shape,
  whenAbsent: NoInfer<Static<Shape>> | (() => NoInfer<Static<Shape>>),
): TOptional<TUnsafe<Static<Shape>>> =>
  Type.Optional(withDefault(Type.Unsafe<Static<Shape>>(shape), whenAbsent));

/** A member that keeps the value that the item was created with. */
export const immutable = <Shape extends TSchema>(shape: Shape): Shape =>
  extend(shape, { immutable: true });

/** A member that no client reads. */
export const writeOnly = <Shape extends TSchema>(shape: Shape): Shape =>
  extend(shape, { writeOnly: true });

/** Adds a description for the OpenAPI document. */
export const described = <Shape extends TSchema>(description: string, shape: Shape): Shape =>
  extend(shape, { description });

/** Completes a valid value: absent members get their default or null, strings their canonical form. */
export function complete(shape: TSchema, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const { [CANONICAL]: canonical, items, properties }: ShapeParts = shape;
  if (canonical !== undefined) return canonical(value as string) ?? value;
  if (items !== undefined && Array.isArray(value)) {
    return value.map((item) => complete(items, item));
  }
  if (properties === undefined || typeof value !== 'object') return value;
  const members = value as Record<string, unknown>;
  const completed: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(properties)) {
    const sent = members[name] === undefined ? member[DEFAULT]?.() : members[name];
    completed[name] = complete(member, sent);
  }
  return completed;
}

/** Completes the members of a valid object. */
export const completeMembers = (shape: TObject, members: object): object =>
  complete(shape, members) as object;

/** The parts of a schema that are read outside of TypeBox. */
export interface ShapeParts extends TSchema {
  readonly [CANONICAL]?: (value: string) => string | undefined;
  readonly [DEFAULT]?: () => unknown;
  readonly [COMPUTED]?: readonly string[];
  readonly [KEYWORDS]?: Keywords;
  readonly $id?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly examples?: readonly object[];
  readonly immutable?: boolean;
  readonly writeOnly?: boolean;
  /** Whether an answer may have some of the members alone. */
  readonly sparse?: boolean;
  readonly properties?: Readonly<Record<string, ShapeParts>>;
  readonly items?: ShapeParts;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[] | undefined;
  readonly '~refine'?: readonly Refinement[];
}

/** A check that `Type.Refine` has added. */
interface Refinement {
  readonly check: (value: unknown) => boolean;
  readonly error: (value: unknown) => string;
}

const text = (rules: StringRules | { format: keyof typeof FORMATS }): TUnsafe<string> =>
  Type.Unsafe<string>({ type: 'string', ...rules });

/** A copy of a schema with more properties. A spread would lose non-enumerable ones of TypeBox. */
export const extend = <Shape extends TSchema>(shape: Shape, more: object): Shape =>
  Object.assign(
    Object.defineProperties({}, Object.getOwnPropertyDescriptors(shape)),
    more,
  ) as Shape;

/** Replaces the keywords that document checks by functions. */
export const documented = <Shape extends TSchema>(shape: Shape, keywords: Keywords): Shape =>
  extend(shape, { [KEYWORDS]: keywords });

/** Adds the function that brings valid strings into their canonical form. */
export const withCanonical = (
  shape: TUnsafe<string>,
  canonical: (value: string) => string | undefined,
): TUnsafe<string> => extend(shape, { [CANONICAL]: canonical });

/** Adds a check of strings. */
export const refine = (
  shape: TUnsafe<string>,
  check: (value: string) => boolean,
  message: string,
): TUnsafe<string> =>
  Type.Refine(
    shape,
    (value: unknown) => typeof value !== 'string' || check(value),
    () => message,
  );

function nullable(shape: TSchema): TSchema {
  const {
    type,
    enum: values,
    '~refine': refinements = [],
    [KEYWORDS]: { not: _, ...keywords } = {},
    ...rest
  }: ShapeParts = shape;
  const widened = Type.Unsafe<unknown>({
    ...rest,
    [KEYWORDS]: keywords,
    ...(type !== undefined && { type: [type, 'null'] }),
    ...(values !== undefined && { enum: [...values, null] }),
  });
  return refinements.reduce(
    (refined, { check, error }) =>
      Type.Refine(refined, (value: unknown) => value === null || check(value), error),
    widened,
  );
}

function withDefault<Shape extends TSchema>(shape: Shape, whenAbsent: unknown): Shape {
  if (whenAbsent === undefined) return shape;
  if (typeof whenAbsent === 'function') return extend(shape, { [DEFAULT]: whenAbsent });
  const copy =
    typeof whenAbsent === 'object' ? () => structuredClone(whenAbsent) : () => whenAbsent;
  return extend(shape, { default: whenAbsent, [DEFAULT]: copy });
}

/** Timestamps as strings that compare like their times. */
const comparableTime = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : canonicalTimestamp(value)?.replace(/\.(\d{3})Z$/, '.$1000Z');

/** The message for a value out of the range. */
export const range = (minimum: string | undefined, maximum: string | undefined): string =>
  `must be ${within(minimum, maximum)}`;

function within(minimum: string | undefined, maximum: string | undefined): string {
  if (minimum === undefined) return `at most ${maximum}`;
  if (maximum === undefined) return `at least ${minimum}`;
  return `from ${minimum} to ${maximum}`;
}

/**
 * Documents a range; no keywords if there is none. JSON Schema has none for strings: `x-minimum` and
 * `x-maximum` are extensions.
 */
export const rangeNote = (minimum: string | undefined, maximum: string | undefined): Keywords =>
  minimum === undefined && maximum === undefined
    ? {}
    : {
        note: `A value ${within(minimum, maximum)}.`,
        ...(minimum !== undefined && { 'x-minimum': minimum }),
        ...(maximum !== undefined && { 'x-maximum': maximum }),
      };

/** Whether PostgreSQL and every JSON parser can represent the value exactly. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  // Arrays may have 500,000 items: reading by index avoids creating a key for each.
  if (Array.isArray(value)) return value.every((item) => isStorable(item));
  const members = value as Readonly<Record<string, unknown>>;
  return Object.keys(members).every((name) => isStorable(name) && isStorable(members[name]));
}
