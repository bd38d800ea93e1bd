/**
 * Lossless conversions between the stored type of a member and its type in an older version of the
 * API (`type_in` in the definition).
 */
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

import { documented, KEYWORDS } from './shapes.ts';
import type { Keywords, ShapeParts } from './shapes.ts';

/** Converts stored values to their form in an older version, and back. */
export interface Conversion<Stored, Older> {
  readonly show: (stored: Stored) => Older;
  /** Undefined if no stored value has this form. */
  readonly read: (older: Older) => Stored | undefined;
  /** Keywords of the older form, for the OpenAPI document. */
  readonly keywords?: Keywords;
}

/** The same value, under another TypeScript type. */
export const unchanged = <Stored, Older>(): Conversion<Stored, Older> => ({
  show: (stored) => stored as unknown as Older,
  read: (older) => older as unknown as Stored,
});

/** A decimal string with `scale` fraction digits, of `precision` digits in all, as a number. */
export const numberOfText = (scale: number, precision = 300): Conversion<string, number> => ({
  keywords: {
    multipleOf: 10 ** -scale,
    minimum: -largest(precision, scale),
    maximum: largest(precision, scale),
  },
  show: Number,
  read: (older) => {
    const text = older.toFixed(scale);
    return Number(text) === older ? text : undefined;
  },
});

/** The largest decimal of so many digits. */
const largest = (precision: number, scale: number): number =>
  Number(`${'9'.repeat(precision - scale)}.${'9'.repeat(scale)}`);

/** An integer as a string. Only the canonical form is read, because strings are answered as sent. */
export const textOfInteger: Conversion<number, string> = {
  keywords: { pattern: '^(?:0|-?[1-9][0-9]{0,15})$' },
  show: String,
  read: (older) => (String(Number(older)) === older ? Number(older) : undefined),
};

/** A decimal as a string. Only the form with exactly `scale` fraction digits is read. */
export function textOfDecimal(precision: number, scale: number): Conversion<string, string> {
  const digits = precision - scale;
  const whole = digits === 0 ? '0' : `(?:0|[1-9][0-9]{0,${digits - 1}})`;
  const fraction = scale === 0 ? '' : `[.][0-9]{${scale}}`;
  return {
    keywords: { pattern: `^(?!-0(?:[.]0+)?$)-?${whole}${fraction}$` },
    show: (stored) => stored,
    read: (older) => (withScale(older, scale) === older ? older : undefined),
  };
}

/** A UUID as a string. Only the lower-case form is read. */
export const textOfUuid: Conversion<string, string> = {
  keywords: { format: 'uuid', pattern: '^[^A-Z]*$' },
  show: (stored) => stored,
  read: (older) => (older.toLowerCase() === older ? older : undefined),
};

/** An integer as a decimal with `scale` fraction digits. */
export const decimalOfInteger = (scale: number): Conversion<number, string> => ({
  keywords: {
    pattern: '^(?:0|-?[1-9][0-9]*)(?:[.]0+)?$',
    'x-minimum': String(Number.MIN_SAFE_INTEGER),
    'x-maximum': String(Number.MAX_SAFE_INTEGER),
  },
  show: (stored) => stored.toFixed(scale),
  read: (older) => {
    const text = withScale(older, 0);
    return text === undefined ? undefined : Number(text);
  },
});

/** A decimal with `from` fraction digits as one with `to` digits, which are more. */
export const longerText = (from: number, to: number): Conversion<string, string> => ({
  show: (stored) => withScale(stored, to) ?? stored,
  read: (older) => withScale(older, from),
});

/** A decimal padded or cut to `scale` fraction digits; undefined if that would cut non-zero digits. */
function withScale(decimal: string, scale: number): string | undefined {
  const [whole = '', fraction = ''] = decimal.split('.');
  if (/[1-9]/.test(fraction.slice(scale))) return undefined;
  return scale === 0 ? whole : `${whole}.${fraction.slice(0, scale).padEnd(scale, '0')}`;
}

const MIDNIGHT = 'T00:00:00.000Z';

/** A date as the timestamp of its midnight in UTC. */
export const midnight: Conversion<string, string> = {
  keywords: { pattern: '^(?!0000).{10}[Tt]00:00:00(?:[.]0+)?(?:[Zz]|[+-]00:00)$' },
  // Only SQL can store dates outside the years 0001 to 9999: they are shown unchanged.
  show: (stored) => (/^\d{4}-\d{2}-\d{2}$/.test(stored) ? `${stored}${MIDNIGHT}` : stored),
  read: (older) => {
    const moment = new Date(older).toISOString();
    return moment.endsWith(MIDNIGHT) && !/\.\d{3}0*[1-9]/.test(older)
      ? moment.slice(0, -MIDNIGHT.length)
      : undefined;
  },
};

/** A value as a list of one entry. */
export const listOfOne = <Entry>(): Conversion<Entry, Entry[]> => ({
  show: (stored) => [stored],
  read: ([entry]) => entry,
});

/** A list of one entry as that entry. */
export const onlyEntry = <Entry>(): Conversion<Entry[], Entry> => ({
  show: ([entry]) => entry as Entry,
  read: (older) => [older],
});

/**
 * Enum values under other names.
 * @param names the older name of each stored value. If several values have one name, reading that
 * name gives the first.
 */
export function shownAs<const Names extends Readonly<Record<string, string>>>(
  names: Names,
): Conversion<keyof Names & string, Names[keyof Names]> {
  const stored = Object.keys(names);
  return {
    show: (value) => names[value],
    read: (older) => stored.find((value) => names[value] === older),
  };
}

/** Applies a conversion to a value that may be null. */
export const orNull = <From, To>(convert: (value: From) => To, value: From | null): To | null =>
  value === null ? null : convert(value);

/** `read` of a conversion for validated values, which can always be read. */
export const reading =
  <Stored, Older>({ read }: Conversion<Stored, Older>) =>
  (older: Older): Stored => {
    const stored = read(older);
    if (stored === undefined) throw new Error('a validated value cannot be converted');
    return stored;
  };

/**
 * Refines the schema of a member in an older version to values that can be stored.
 * @param stored the schema of the stored values.
 * @param hint the message for all other values.
 */
export function convertible<Shape extends TSchema, Stored, Older>(
  shape: Shape,
  { read, keywords }: Conversion<Stored, Older>,
  stored: TSchema,
  hint: string,
): Shape {
  const [olderSchema, storedSchema] = [Compile(shape), Compile(stored)];
  const { minimum, maximum, [KEYWORDS]: own }: ShapeParts = shape;
  const refined = Type.Refine(
    documented(shape, {
      ...keywords,
      ...own,
      ...(keywords?.['pattern'] !== undefined && { pattern: keywords['pattern'] }),
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum }),
      note: [...(own?.note === undefined ? [] : [own.note]), `It ${hint}.`].join(' '),
    }),
    (value: unknown) => {
      if (!olderSchema.Check(value)) return true;
      const converted = read(value);
      return converted !== undefined && storedSchema.Check(converted);
    },
    () => hint,
  );
  return refined as unknown as Shape;
}
