/** How the type of a field is kept in PostgreSQL: its column, its checks, and its order. */
import type { Field, FieldType } from '../definition/types.ts';
import { columnName, literal, quoted } from './sql.ts';
import { mostBytes } from './text-bounds.ts';

/**
 * Texts up to this many characters are indexed whole: four bytes each, they fit into a third of a
 * page of PostgreSQL, which is what an entry of an index may take (2,704 bytes).
 */
export const LONGEST_INDEXED = 500;

/**
 * Characters of a text that lists are ordered by: texts that begin with the same ones are in the
 * order of their making. A place in a list goes into the headers of an answer, and must fit there.
 */
export const LONGEST_SORTED = 200;

/** Bytes of an entry of a btree index (BTMaxItemSize), without its header and its map of nulls. */
const ENTRY_BYTES = 2704 - 16;
/** Bytes that the length of a text takes in an entry. */
const TEXT_HEADER = 4;
/** What parts of an entry are aligned to. */
const ALIGNMENT = 8;

/** What of a long text is indexed to be ordered and compared by. */
export const beginningOf = (value: string): string => `left(${value}, ${LONGEST_SORTED})`;

/** The column of a field. */
export interface Column {
  /** Of the field: the member in JSON. */
  readonly field: string;
  /** Unquoted. */
  readonly name: string;
  /** As in `create table`, with its collation. */
  readonly definition: string;
  /** Without collation or precision: what parameters are cast to. */
  readonly cast: string;
  readonly nullable: boolean;
  /** A condition that its values keep, where there is one. */
  readonly check: string | undefined;
  /** Whether values are JSON and are written as its text. */
  readonly isJson: boolean;
  /** Whether values are read as text though the column is a number, since JSON would round them. */
  readonly readAsText: boolean;
  /** Characters that its texts have at most; infinite without a bound, 0 where it has no texts. */
  readonly longest: number;
  /** Bytes that a value takes in an index at most: infinite where nothing bounds it. */
  readonly bytes: number;
}

export function columnOf(field: Field): Column {
  const name = columnName(field.name);
  const { definition, cast } = storageOf(field.type);
  return {
    field: field.name,
    name,
    definition,
    cast,
    nullable: !field.required,
    check: checkOf(field.type, quoted(name)),
    isJson: definition === 'jsonb',
    readAsText: field.type.type === 'bigint',
    longest: longestOf(field.type),
    bytes: bytesOf(field.type),
  };
}

/** What has to be known of a column to index it. */
type IndexedColumn = Pick<Column, 'name' | 'longest' | 'bytes'>;

function bytesOf(type: FieldType): number {
  const texts = mostBytes(type);
  if (texts > 0) return TEXT_HEADER + texts;
  if (type.type === 'decimal') return TEXT_HEADER + ALIGNMENT + type.precision;
  return type.type === 'uuid' || type.type === 'reference' ? 16 : 8;
}

/**
 * The expressions of an index over whole values: the columns themselves where every entry fits, and
 * digests of the widest texts where one may not.
 */
export function wholeValues(columns: readonly IndexedColumn[]): string[] {
  const digested = new Set<IndexedColumn>();
  const sizeOf = (column: IndexedColumn): number => {
    const bytes = digested.has(column) ? TEXT_HEADER + 32 : column.bytes;
    return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
  };
  const widest = columns
    .filter(({ longest }) => longest > 0)
    .toSorted((one, other) => other.bytes - one.bytes || 0);
  for (const column of widest) {
    if (columns.reduce((sum, one) => sum + sizeOf(one), 0) <= ENTRY_BYTES) break;
    digested.add(column);
  }
  return columns.map((column) =>
    digested.has(column) ? `_digest(${quoted(column.name)})` : quoted(column.name),
  );
}

/**
 * The expressions that order by a field, given its column or a parameter in place of it. None is
 * null, so that rows can be compared by them: what is empty comes last where the order rises.
 */
export function orderOf(type: FieldType, nullable: boolean, value: string): string[] {
  const key =
    type.type === 'enum'
      ? `array_position(array[${type.values.map(literal).join(', ')}], ${value})`
      : longestOf(type) > LONGEST_SORTED
        ? beginningOf(value)
        : value;
  if (!nullable) return [key];
  const filler = type.type === 'enum' ? '0' : fillerOf(type);
  return [`(${value} is null)`, `coalesce(${key}, ${filler})`];
}

/** Characters that the texts of a type have at most. */
function longestOf(type: FieldType): number {
  if (type.type === 'enum') return Math.max(...type.values.map((value) => value.length));
  return type.type === 'string' || type.type === 'text' ? (type.maxLength ?? Infinity) : 0;
}

function storageOf(type: FieldType): { definition: string; cast: string } {
  switch (type.type) {
    case 'string':
    case 'text':
    case 'enum':
      // By code point, on every server alike.
      return { definition: 'text collate "C"', cast: 'text' };
    case 'integer':
    case 'bigint':
      return { definition: 'bigint', cast: 'bigint' };
    case 'number':
      return { definition: 'double precision', cast: 'double precision' };
    case 'decimal':
      return { definition: `numeric(${type.precision}, ${type.scale})`, cast: 'numeric' };
    case 'boolean':
      return { definition: 'boolean', cast: 'boolean' };
    case 'date':
      return { definition: 'date', cast: 'date' };
    case 'timestamp':
      return { definition: 'timestamptz', cast: 'timestamptz' };
    case 'uuid':
    case 'reference':
      return { definition: 'uuid', cast: 'uuid' };
    case 'list':
    case 'object':
    case 'json':
      return { definition: 'jsonb', cast: 'jsonb' };
  }
}

/** Any value of the type, for rows that have none: the flag before it has told them apart. */
function fillerOf(type: FieldType): string {
  switch (type.type) {
    case 'integer':
    case 'bigint':
    case 'number':
    case 'decimal':
      return '0';
    case 'boolean':
      return 'false';
    case 'date':
      return `date '0001-01-01'`;
    case 'timestamp':
      return `timestamptz '0001-01-01 00:00:00+00'`;
    case 'uuid':
    case 'reference':
      return `uuid '00000000-0000-0000-0000-000000000000'`;
    default:
      return `''`;
  }
}

/**
 * What the database itself holds values to, in case something writes past the service.
 * @param column the value: a quoted column, or an expression in parentheses.
 */
export function checkOf(type: FieldType, column: string): string | undefined {
  const between = (expression: string, minimum?: string, maximum?: string): string | undefined => {
    const parts = [
      minimum === undefined ? [] : [`${expression} >= ${minimum}`],
      maximum === undefined ? [] : [`${expression} <= ${maximum}`],
    ].flat();
    return parts.length === 0 ? undefined : parts.join(' and ');
  };
  switch (type.type) {
    case 'string':
      return between(
        `char_length(${column})`,
        type.minLength?.toString(),
        type.maxLength?.toString(),
      );
    case 'text':
      return between(`char_length(${column})`, undefined, type.maxLength?.toString());
    case 'integer':
      return between(
        column,
        String(type.minimum ?? Number.MIN_SAFE_INTEGER),
        String(type.maximum ?? Number.MAX_SAFE_INTEGER),
      );
    case 'bigint':
    case 'decimal':
      return between(column, type.minimum, type.maximum);
    case 'number':
      return between(column, type.minimum?.toString(), type.maximum?.toString());
    case 'date':
      return between(
        column,
        type.minimum && `date ${literal(type.minimum)}`,
        type.maximum && `date ${literal(type.maximum)}`,
      );
    case 'timestamp':
      return between(
        column,
        type.minimum && `timestamptz ${literal(type.minimum)}`,
        type.maximum && `timestamptz ${literal(type.maximum)}`,
      );
    case 'enum':
      return `${column} in (${type.values.map(literal).join(', ')})`;
    default:
      return undefined;
  }
}
