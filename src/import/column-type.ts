/** The type of a column → the type of a field, as a definition writes it. */
import type { DatabaseColumn, DatabaseType } from '../database/database-schema.ts';
import { quote } from '../reading/quote.ts';
import { SCALAR_NAMES } from '../types/registry.ts';
import { columnLeftOut } from './difference.ts';
import type { Difference } from './difference.ts';
import { ownMember } from '../shared/json.ts';

/** A type with its options, as it is written. */
export type FieldTypeDefinition = Readonly<Record<string, unknown>> & { readonly type: string };

/** The field type of a column; without `type` it has none, and the differences say why. */
export interface ColumnType {
  readonly type?: FieldTypeDefinition;
  readonly differences: readonly Difference[];
}

type TypeDifference = Omit<Difference, 'columns'>;

interface TypeMapping {
  readonly type: FieldTypeDefinition;
  /** The type of the column of such a field. */
  readonly stored: string;
  /** What is lost or changed beside how it is stored. */
  readonly difference?: TypeDifference;
}

const INT2 = { minimum: -32_768, maximum: 32_767 };
const INT4 = { minimum: -2_147_483_648, maximum: 2_147_483_647 };

/** The types of PostgreSQL that have a field type, by `pg_type.typname`. */
const TYPES: Readonly<Record<string, (modifier: number) => TypeMapping | undefined>> = {
  bool: () => ({ type: { type: 'boolean' }, stored: 'boolean' }),
  int2: () => ({ type: { type: 'integer', ...INT2 }, stored: 'bigint' }),
  int4: () => ({ type: { type: 'integer', ...INT4 }, stored: 'bigint' }),
  int8: () => ({ type: { type: 'bigint' }, stored: 'bigint' }),
  float4: () => ({ type: { type: 'number' }, stored: 'double precision' }),
  float8: () => ({ type: { type: 'number' }, stored: 'double precision' }),
  numeric: decimalMapping,
  text: () => ({ type: { type: 'text' }, stored: 'text' }),
  varchar: stringMapping,
  bpchar: stringMapping,
  name: () => ({ type: { type: 'string', max_length: 63 }, stored: 'text' }),
  citext: () => ({ type: { type: 'string' }, stored: 'text' }),
  uuid: () => ({ type: { type: 'uuid' }, stored: 'uuid' }),
  date: () => ({ type: { type: 'date' }, stored: 'date' }),
  time: () => ({ type: { type: 'time' }, stored: 'time without time zone' }),
  interval: () => ({ type: { type: 'duration' }, stored: 'interval' }),
  timestamptz: () => ({ type: { type: 'timestamp' }, stored: 'timestamp with time zone' }),
  timestamp: () => ({
    type: { type: 'timestamp' },
    stored: 'timestamp with time zone',
    difference: {
      code: 'timestamp-without-zone',
      text: 'has no time zone; a field of the type timestamp has one',
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
  const mapping = typeMapping(type, modifier);
  if (mapping === undefined) {
    const reason = unsupportedReason(type, definition);
    return { differences: [columnLeftOut(column, 'column-type', reason)] };
  }
  const difference =
    mapping.difference ??
    kindDifference(type, definition) ??
    (definition === mapping.stored
      ? undefined
      : ({
          code: 'stored-type',
          text: `is ${definition}, and ${mapping.stored} in the service`,
        } as const));
  return {
    type: mapping.type,
    differences: difference === undefined ? [] : [{ ...difference, columns: [name] }],
  };
}

function typeMapping(type: DatabaseType, modifier: number): TypeMapping | undefined {
  if (type.base !== undefined) return typeMapping(type.base, modifier);
  if (type.kind === 'enum') {
    return { type: { type: 'enum', values: type.values }, stored: 'text' };
  }
  if (type.element !== undefined) {
    // The modifier of a column is that of its elements, unless these are of a domain.
    const { element } = type;
    const item = typeMapping(element, element.kind === 'domain' ? element.modifier : modifier);
    const isScalar = SCALAR_NAMES.some((name) => name === item?.type.type);
    if (item === undefined || !isScalar) return undefined;
    return { ...item, type: { type: 'list', of: item.type }, stored: 'jsonb' };
  }
  return isMapped(type) ? ownMember(TYPES, type.name)?.(modifier) : undefined;
}

/** Whether the type is one of PostgreSQL itself, or of an extension, that has a field type. */
const isMapped = ({ schema, name, kind, extension }: DatabaseType): boolean =>
  kind === 'base' &&
  Object.hasOwn(TYPES, name) &&
  (schema === 'pg_catalog' || (name === 'citext' && extension === 'citext'));

/** What a type is that is none of PostgreSQL itself. */
function kindDifference(
  { kind, name, element, checks }: DatabaseType,
  definition: string,
): TypeDifference | undefined {
  if (kind === 'enum') {
    return { code: 'native-enum', text: `is the enum ${name}, and text in the service` };
  }
  const rules = kind === 'domain' ? checks : (element?.checks ?? []);
  if (kind === 'domain' || element?.kind === 'domain') {
    const left = rules.length === 0 ? '' : `; left out of it: ${rules.join(' and ')}`;
    return { code: 'domain', text: `is the domain ${definition}${left}` };
  }
  if (element === undefined) return undefined;
  return { code: 'native-array', text: `is ${definition}, and jsonb in the service` };
}

function unsupportedReason(type: DatabaseType, definition: string): string {
  const { name, kind, element, base } = type;
  const inner = base ?? element ?? type;
  if (inner.name === 'numeric') {
    return `${definition} has no precision and scale that a decimal can have`;
  }
  if (name === 'tsvector') return 'tsvector has no JSON form; search keeps an index of its own';
  const what = kind === 'composite' ? `the composite type ${definition}` : definition;
  return `${printableType(what)} has no field type`;
}

/** The name of a type is text of a user. */
const printableType = (name: string): string => quote(name).slice(1, -1);

/** `numeric(p, s)`: the modifier has the precision in its upper half, and the scale in eleven bits of the lower one. */
function decimalMapping(modifier: number): TypeMapping | undefined {
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
function stringMapping(modifier: number): TypeMapping {
  const length = modifier < 4 ? {} : { max_length: modifier - 4 };
  return { type: { type: 'string', ...length }, stored: 'text' };
}
