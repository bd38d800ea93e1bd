/**
 * How a value of one scalar type becomes one of another, in SQL. A conversion never changes a
 * value silently: it keeps it, refuses it, or is known to lose something of it.
 */
import type { FieldType, ReferenceType, RenamedValue, ScalarType } from '../definition/types.ts';
import { literal } from '../model/sql.ts';
import { pairUp } from './pairs.ts';

/** The types whose values are no JSON in the database. */
export type PlainType = ScalarType | ReferenceType;

/** A conversion, as expressions over another one; none of them is asked for null. */
export interface Conversion {
  readonly sql: (value: string) => string;
  /** Which values can be converted; absent: all. */
  readonly fits?: (value: string) => string;
  /** What is lost of values that can be converted. */
  readonly losses?: readonly string[];
  /** Whether each value of the old type is one of the new type. */
  readonly isWider: boolean;
}

/** Values stay as they are; `isWider`: each of them may. */
export const unchanged = (isWider = true): Conversion => ({ sql: (value) => value, isWider });

const SAFE = String(Number.MAX_SAFE_INTEGER);
const LARGEST_BIGINT = '9223372036854775807';
const LEAST_BIGINT = '-9223372036854775808';
/** Decimal digits that a double always keeps, and that all integers and bigints have at most. */
const DIGITS = { number: 15, integer: 16, bigint: 19 };

/** How values of one type become those of another; undefined where none of them would. */
export function convert(from: PlainType, to: PlainType): Conversion | undefined {
  if (isText(from)) return isText(to) ? textToText(from, to) : fromText(to);
  if (isText(to)) return { sql: (value) => textOf(from, value), isWider: to.type !== 'enum' };
  if (isId(from) || isId(to)) return isId(from) && isId(to) ? unchanged() : undefined;
  switch (from.type) {
    case 'boolean':
      return to.type === 'boolean' ? unchanged() : undefined;
    case 'date':
      if (to.type === 'date') return unchanged();
      if (to.type !== 'timestamp') return undefined;
      return { sql: (value) => `(${value})::timestamp at time zone 'UTC'`, isWider: true };
    case 'timestamp':
      if (to.type === 'timestamp') return unchanged();
      if (to.type !== 'date') return undefined;
      return {
        sql: (value) => `((${value}) at time zone 'UTC')::date`,
        losses: ['the time of the day'],
        isWider: false,
      };
    default:
      return isNumeric(from) && isNumeric(to) ? betweenNumbers(from, to) : undefined;
  }
}

type TextType = Extract<PlainType, { readonly type: 'string' | 'text' | 'enum' }>;
type EnumType = Extract<PlainType, { readonly type: 'enum' }>;
type NumericType = Extract<
  PlainType,
  { readonly type: 'integer' | 'bigint' | 'number' | 'decimal' }
>;

const isText = (type: PlainType): type is TextType =>
  type.type === 'string' || type.type === 'text' || type.type === 'enum';
const isId = (type: PlainType): boolean => type.type === 'uuid' || type.type === 'reference';
const isNumeric = (type: PlainType): type is NumericType =>
  ['integer', 'bigint', 'number', 'decimal'].includes(type.type);

/** Texts stay, but for renamed values of an enum; a constraint of the column tells which may. */
function textToText(from: TextType, to: TextType): Conversion {
  if (to.type !== 'enum') return unchanged();
  if (from.type !== 'enum') return unchanged(false);
  const { values } = to;
  const renames = renamedValues(from, to);
  const isWider = from.values.every((value) => values.includes(renames.get(value) ?? value));
  if (renames.size === 0) return unchanged(isWider);
  const cases = [...renames].map(([was, is]) => `when ${literal(was)} then ${literal(is)}`);
  return { sql: (value) => `case ${value} ${cases.join(' ')} else ${value} end`, isWider };
}

/** What each value of an enum that has another name now is called, by its old name. */
export function renamedValues(from: EnumType, to: EnumType): ReadonlyMap<string, string> {
  const { kept } = pairUp(namedValues(from), namedValues(to));
  return new Map(
    kept.flatMap(({ before, now }) => (before.name === now.name ? [] : [[before.name, now.name]])),
  );
}

/** Values whose old name is none that the enum had. */
export const unfoundedValues = (from: FieldType, to: FieldType): readonly RenamedValue[] =>
  from.type === 'enum' && to.type === 'enum'
    ? pairUp(namedValues(from), namedValues(to)).unfounded
    : [];

const namedValues = ({ values, renamed }: EnumType): readonly RenamedValue[] =>
  values.map((name) => renamed?.find((one) => one.name === name) ?? { name });

/** The text that the service answers for a value. */
export function textOf(type: PlainType, value: string): string {
  switch (type.type) {
    case 'string':
    case 'text':
    case 'enum':
      return value;
    case 'date':
      return `to_char(${value}, 'YYYY-MM-DD')`;
    case 'timestamp': {
      const utc = `(${value}) at time zone 'UTC'`;
      return (
        `to_char(${utc}, 'YYYY-MM-DD"T"HH24:MI:SS.') || case ` +
        `when to_char(${utc}, 'US') like '%000' then to_char(${utc}, 'MS') ` +
        `else to_char(${utc}, 'US') end || 'Z'`
      );
    }
    default:
      return `(${value})::text`;
  }
}

/** What the conversion of a text needs it to look like. */
const LOOKS = {
  whole: String.raw`^(0|-?[1-9][0-9]{0,18})$`,
  number: String.raw`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?$`,
  date: String.raw`^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`,
  time: String.raw`^[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`,
  uuid: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
};

const looks = (value: string, like: string): string => `${value} ~ ${literal(like)}`;
/** A condition that is asked only where another one holds: SQL gives no order to `and`. */
const both = (first: string, second: string): string =>
  `case when ${first} then ${second} else false end`;

/** A text becomes a value that it is the spelling of, and nothing else does. */
function fromText(to: Exclude<PlainType, TextType>): Conversion {
  const strict = (cast: string, fits: (value: string) => string): Conversion => ({
    sql: (value) => `(${value})::${cast}`,
    fits,
    isWider: false,
  });
  switch (to.type) {
    case 'integer':
      return strict('bigint', (value) =>
        both(looks(value, LOOKS.whole), between(`${value}::numeric`, `-${SAFE}`, SAFE)),
      );
    case 'bigint':
      return strict('bigint', (value) =>
        both(looks(value, LOOKS.whole), between(`${value}::numeric`, LEAST_BIGINT, LARGEST_BIGINT)),
      );
    case 'number':
      return strict('double precision', (value) => looks(value, LOOKS.number));
    case 'decimal':
      return strict(`numeric(${to.precision}, ${to.scale})`, (value) =>
        looks(value, decimalLook(to.precision, to.scale)),
      );
    case 'boolean':
      return strict('boolean', (value) => `${value} in ('true', 'false')`);
    case 'date':
      return strict('date', isDate);
    case 'timestamp':
      return strict('timestamptz', (value) =>
        both(isDate(`left(${value}, 10)`), looks(`substr(${value}, 11)`, LOOKS.time)),
      );
    case 'uuid':
    case 'reference':
      return strict('uuid', (value) => looks(value, LOOKS.uuid));
  }
}

function decimalLook(precision: number, scale: number): string {
  const most = precision - scale;
  const whole = most === 0 ? '0' : `(0|[1-9][0-9]{0,${most - 1}})`;
  const fraction = scale === 0 ? String.raw`(\.0+)?` : String.raw`(\.[0-9]{1,${scale}}0*)?`;
  return `^-?${whole}${fraction}$`;
}

/** Whether a text is a day that exists: PostgreSQL 13 would stop at one that does not. */
const isDate = (value: string): string =>
  both(
    looks(value, LOOKS.date),
    `right(${value}, 2)::int <= extract(day from ` +
      `(left(${value}, 7) || '-01')::date + interval '1 month' - interval '1 day')`,
  );

const between = (value: string, least: string, most: string): string =>
  `${value} between ${least} and ${most}`;

function betweenNumbers(from: NumericType, to: NumericType): Conversion {
  switch (to.type) {
    case 'integer':
    case 'bigint':
      return toWhole(from, to.type);
    case 'number':
      return toNumber(from);
    case 'decimal':
      return toDecimal(from, to.precision, to.scale);
  }
}

function toWhole(from: NumericType, to: 'integer' | 'bigint'): Conversion {
  if (from.type === 'integer') return unchanged();
  const [least, most] = to === 'integer' ? [`-${SAFE}`, SAFE] : [LEAST_BIGINT, LARGEST_BIGINT];
  if (from.type === 'bigint') {
    if (to === 'bigint') return unchanged();
    return { ...unchanged(false), fits: (value) => between(value, least, most) };
  }
  const rounded = (value: string): string => `round(${value})`;
  const losses = ['the digits behind the point'];
  if (from.type === 'number') {
    // What a double holds beyond these is no integer that it holds exactly.
    const fits = (value: string): string => between(rounded(value), `-${SAFE}`, SAFE);
    return { sql: (value) => `${rounded(value)}::bigint`, fits, losses, isWider: false };
  }
  const fits = (value: string): string => between(rounded(value), least, most);
  const isWider = from.scale === 0 && from.precision < DIGITS[to];
  return {
    sql: (value) => `${rounded(value)}::bigint`,
    ...(!isWider && { fits }),
    ...(from.scale > 0 && { losses }),
    isWider,
  };
}

function toNumber(from: NumericType): Conversion {
  const sql = (value: string): string => `(${value})::double precision`;
  switch (from.type) {
    case 'number':
      return unchanged();
    case 'integer':
      return { sql, isWider: true };
    case 'bigint':
      return { sql, fits: (value) => between(value, `-${SAFE}`, SAFE), isWider: false };
    case 'decimal':
      if (from.precision <= DIGITS.number) return { sql, isWider: true };
      return {
        sql,
        // The greatest double has 309 digits.
        fits: (value) => `abs(${value}) < 1e308`,
        losses: [`digits after the first ${DIGITS.number}`],
        isWider: false,
      };
  }
}

function toDecimal(from: NumericType, precision: number, scale: number): Conversion {
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

/** Whether the values of a type are no JSON in the database. */
export const isPlain = (type: FieldType): type is PlainType =>
  type.type !== 'list' && type.type !== 'object' && type.type !== 'json';
