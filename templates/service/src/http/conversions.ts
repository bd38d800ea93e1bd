/**
 * Members that have another type in an older version: how their values are shown in it, and read
 * back. Each stored value has a form of its own there, so nothing is lost.
 */
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** A way from a stored value to its older form, and back. */
export interface Conversion<Stored, Older> {
  readonly show: (stored: Stored) => Older;
  /** Undefined where no stored value has this form. */
  readonly read: (older: Older) => Stored | undefined;
}

/** The value itself. */
export const unchanged = <Stored, Older>(): Conversion<Stored, Older> => ({
  show: (stored) => stored as unknown as Older,
  read: (older) => older as unknown as Stored,
});

/** A number in place of its exact text with so many digits behind the point. */
export const numberOfText = (scale: number): Conversion<string, number> => ({
  show: Number,
  read: (older) => {
    const text = older.toFixed(scale);
    return Number(text) === older ? text : undefined;
  },
});

/** The text of an integer, with so many zeros behind the point. */
export const textOfInteger = (scale: number): Conversion<number, string> => ({
  show: (stored) => stored.toFixed(scale),
  read: (older) => (INTEGER.test(older) ? Number(older) : undefined),
});

const INTEGER = /^(?:0|-?[1-9]\d*)(?:\.0*)?$/;

/** An exact text with more zeros behind the point than the stored one has. */
export const longerText = (from: number, to: number): Conversion<string, string> => ({
  show: (stored) => `${stored}${from === 0 ? '.' : ''}${'0'.repeat(to - from)}`,
  read: (older) => {
    const end = older.length - (to - from);
    const isExact = /^0*$/.test(older.slice(end));
    return isExact ? older.slice(0, from === 0 ? end - 1 : end) : undefined;
  },
});

const MIDNIGHT = 'T00:00:00.000Z';

/** A day as the moment at which it begins, in UTC. */
export const midnight: Conversion<string, string> = {
  show: (stored) => `${stored}${MIDNIGHT}`,
  read: (older) => {
    const moment = new Date(older).toISOString();
    return moment.endsWith(MIDNIGHT) && !/\.\d{3}0*[1-9]/.test(older)
      ? moment.slice(0, -MIDNIGHT.length)
      : undefined;
  },
};

/** A list that holds the value alone. */
export const listOfOne = <Entry>(): Conversion<Entry, Entry[]> => ({
  show: (stored) => [stored],
  read: ([entry]) => entry,
});

/** The one entry of a list. */
export const onlyEntry = <Entry>(): Conversion<Entry[], Entry> => ({
  show: ([entry]) => entry as Entry,
  read: (older) => [older],
});

/**
 * Values that are shown as others.
 * @param names what each stored value is shown as; of several that are shown as one, the first is
 * what that means when it is sent.
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

/** The same of a value that may be null. */
export const orNull = <From, To>(convert: (value: From) => To, value: From | null): To | null =>
  value === null ? null : convert(value);

/** What is stored for a value that a body was allowed to hold. */
export const reading =
  <Stored, Older>({ read }: Conversion<Stored, Older>) =>
  (older: Older): Stored => {
    const stored = read(older);
    if (stored === undefined) throw new Error('a body holds what cannot be stored');
    return stored;
  };

/**
 * The shape of a member in an older version that takes what can be stored, and no more.
 * @param stored the shape that the member has today.
 * @param hint what is wrong with all other values.
 */
export function convertible<Shape extends TSchema, Stored, Older>(
  shape: Shape,
  { read }: Conversion<Stored, Older>,
  stored: TSchema,
  hint: string,
): Shape {
  const [older, today] = [Compile(shape), Compile(stored)];
  const refined = Type.Refine(
    shape,
    (value: unknown) => {
      if (!older.Check(value)) return true;
      const meant = read(value);
      return meant !== undefined && today.Check(meant);
    },
    () => hint,
  );
  return refined as unknown as Shape;
}
