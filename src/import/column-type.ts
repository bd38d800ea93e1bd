/** The type of a column → the type of a field, as a definition writes it. */
import type { DatabaseColumn, DatabaseType } from '../database/database-schema.ts';
import { quote } from '../reading/quote.ts';
import { SCALAR_NAMES } from '../types/registry.ts';
import type { Difference } from './difference.ts';

/** A type with its options, as it is written. */
export type FieldTypeKeys = Readonly<Record<string, unknown>> & { readonly type: string };

/** The field type of a column, or why there is none. */
export type ColumnType =
  | { readonly type: FieldTypeKeys; readonly differences: readonly Difference[] }
  | { readonly type?: undefined; readonly differences: readonly Difference[] };

/** What a type is without the schema, the domain or the array around it. */
interface PlainType {
  readonly type: FieldTypeKeys;
  /** The type of the column that the field would have. */
  readonly stored: string;
  /** A difference that a name of a type does not tell. */
  readonly more?: Omit<Difference, 'columns'>;
}

const INT2 = { minimum: -32_768, maximum: 32_767 };
const INT4 = { minimum: -2_147_483_648, maximum: 2_147_483_647 };

/** The types of PostgreSQL that have a field type, by `pg_type.typname`. */
const TYPES: Readonly<Record<string, (modifier: number) => PlainType | undefined>> = {
  bool: () => ({ type: { type: 'boolean' }, stored: 'boolean' }),
  int2: () => ({ type: { type: 'integer', ...INT2 }, stored: 'bigint' }),
  int4: () => ({ type: { type: 'integer', ...INT4 }, stored: 'bigint' }),
  int8: () => ({ type: { type: 'bigint' }, stored: 'bigint' }),
  float4: () => ({ type: { type: 'number' }, stored: 'double precision' }),
  float8: () => ({ type: { type: 'number' }, stored: 'double precision' }),
  numeric: decimalType,
  text: () => ({ type: { type: 'text' }, stored: 'text' }),
  varchar: stringType,
  bpchar: stringType,
  name: () => ({ type: { type: 'string', max_length: 63 }, stored: 'text' }),
  citext: () => ({ type: { type: 'string' }, stored: 'text' }),
  uuid: () => ({ type: { type: 'uuid' }, stored: 'uuid' }),
  date: () => ({ type: { type: 'date' }, stored: 'date' }),
  time: () => ({ type: { type: 'time' }, stored: 'time without time zone' }),
  interval: () => ({ type: { type: 'duration' }, stored: 'interval' }),
  timestamptz: () => ({ type: { type: 'timestamp' }, stored: 'timestamp with time zone' }),
  timestamp: () => ({
    type: { type: 'timestamp' },
    stored: '',
    more: {
      code: 'timestamp-zone',
      text: 'has no time zone, and a timestamp is a moment',
    },
  }),
  json: () => ({ type: { type: 'json' }, stored: 'jsonb' }),
  jsonb: () => ({ type: { type: 'json' }, stored: 'jsonb' }),
  inet: () => ({ type: { type: 'ip' }, stored: 'inet' }),
  cidr: () => ({ type: { type: 'ip' }, stored: 'inet' }),
  bytea: () => ({ type: { type: 'bytes' }, stored: 'bytea' }),
};

/** Finds the field type of a column. */
export function columnType(column: DatabaseColumn): ColumnType {
  const { name, type, definition, modifier } = column;
  const found = fieldType(type, modifier);
  if (found === undefined) {
    return {
      differences: [
        {
          code: 'column-type',
          columns: [name],
          text: `is left out: ${reasonAgainst(type, definition)}`,
        },
      ],
    };
  }
  const { type: written, stored, more } = found;
  const kind = kindDifference(type, definition);
  const difference =
    more ??
    kind ??
    (definition === stored
      ? undefined
      : ({ code: 'storage', text: `is ${definition}, and would be ${stored}` } as const));
  return {
    type: written,
    differences: difference === undefined ? [] : [{ ...difference, columns: [name] }],
  };
}

function fieldType(type: DatabaseType, modifier: number): PlainType | undefined {
  if (type.base !== undefined) return fieldType(type.base, modifier);
  if (type.kind === 'enum') {
    return { type: { type: 'enum', values: type.values }, stored: 'text' };
  }
  if (type.element !== undefined) {
    const item = fieldType(type.element, modifier);
    const isScalar = SCALAR_NAMES.some((name) => name === item?.type.type);
    if (item === undefined || !isScalar) return undefined;
    return { ...item, type: { type: 'list', of: item.type }, stored: 'jsonb' };
  }
  return isKnown(type) ? TYPES[type.name]?.(modifier) : undefined;
}

/** Whether a name is that of the type of PostgreSQL, or of an extension that has its own. */
const isKnown = ({ schema, name, kind }: DatabaseType): boolean =>
  kind === 'base' && Object.hasOwn(TYPES, name) && (schema === 'pg_catalog' || name === 'citext');

/** What a type is that is none of PostgreSQL itself. */
function kindDifference(
  { kind, name, element, checks, values }: DatabaseType,
  definition: string,
): Omit<Difference, 'columns'> | undefined {
  if (kind === 'enum') {
    return { code: 'native-enum', text: `is the enum ${name}, and would be text with a check` };
  }
  if (kind === 'domain') {
    const rule = checks.length === 0 ? '' : ` with ${checks.join(' and ')}`;
    return { code: 'domain', text: `is the domain ${definition}${rule}` };
  }
  if (element === undefined || values.length > 0) return undefined;
  return { code: 'native-array', text: `is ${definition}, and would be jsonb` };
}

function reasonAgainst(type: DatabaseType, definition: string): string {
  const { name, kind, element, base } = type;
  const inner = base ?? element ?? type;
  if (inner.name === 'numeric') {
    return `${definition} has no precision and scale, or one that no decimal has`;
  }
  if (name === 'tsvector') return 'tsvector has no JSON form, and search keeps words of its own';
  const what = kind === 'composite' ? `the composite type ${definition}` : definition;
  return `${printableType(what)} has no field type`;
}

/** The name of a type is text of a user. */
const printableType = (name: string): string => quote(name).slice(1, -1);

/** `numeric(p, s)`: the modifier has the precision in its upper half, and the scale in eleven bits of the lower one. */
function decimalType(modifier: number): PlainType | undefined {
  if (modifier < 4) return undefined;
  const precision = (modifier - 4) >>> 16;
  // oxlint-disable-next-line no-bitwise -- as `numeric_typmod_scale` of PostgreSQL
  const scale = (((modifier - 4) & 0x7ff) ^ 1024) - 1024;
  if (scale < 0 || scale > precision) return undefined;
  return {
    type: { type: 'decimal', precision, scale },
    stored: `numeric(${precision},${scale})`,
  };
}

/** `varchar(n)` and `char(n)`: the modifier is n and the four bytes of a header. */
function stringType(modifier: number): PlainType {
  const length = modifier < 4 ? {} : { max_length: modifier - 4 };
  return { type: { type: 'string', ...length }, stored: 'text' };
}
