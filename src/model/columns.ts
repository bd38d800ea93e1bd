/** How the type of a field is kept in PostgreSQL: its column, its checks, and its order. */
import type { CollectionDefinition, Field, StoredType } from '../definition/types.ts';
import type { FieldType, ScalarType } from '../types/registry.ts';
import { columnName, quoted } from '../shared/sql.ts';
import { TEXT_HEADER } from '../types/text-storage.ts';
import { defaultSql } from './default-sql.ts';
import { fitsInIndex } from './index-size.ts';
import { specOf } from '../types/registry.ts';
import { arrayColumn, arrayEntryType } from './array-column.ts';

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

/** The prefix of a long text that is indexed. */
export const beginningOf = (value: string): string => `left(${value}, ${LONGEST_SORTED})`;

/** The column of a field. */
export interface Column {
  /** Of the field: the member in JSON. */
  readonly field: string;
  readonly type: FieldType;
  /** Unquoted. */
  readonly name: string;
  /** The column of an existing table, unquoted, that a view has under the name. */
  readonly source?: string;
  /** Whether the values are of an enum type, and have to be cast to be ordered as texts. */
  readonly isNativeEnum?: boolean;
  /** The type of the entries, if the column is a PostgreSQL array. */
  readonly arrayEntryType?: ScalarType;
  /** As in `create table`, with its collation. */
  readonly definition: string;
  /** Without collation or precision: what parameters are cast to. */
  readonly cast: string;
  readonly nullable: boolean;
  /** The default, in SQL, for rows that are inserted without a value; undefined for null. */
  readonly default: string | undefined;
  /** The first number of the sequence that fills it, where there is one. */
  readonly identity?: bigint;
  /** Whether the column, of an existing table, is a generated one. */
  readonly isGenerated?: true;
  /** Whether the column, of an existing table, has a default that definitions do not say. */
  readonly hasDatabaseDefault?: true;
  /** A condition that its values keep, where there is one. */
  readonly check: string | undefined;
  /** Whether values are JSON and are written as its text. */
  readonly isJson: boolean;
  /** Characters that its texts have at most; infinite without a bound, 0 where it has no texts. */
  readonly maxCharacters: number;
  /** Bytes that a value takes in an index at most: infinite where nothing bounds it. */
  readonly indexBytes: number;
}

export function columnOf(field: Field): Column {
  const name = columnName(field.name);
  const { type, column: source, stored } = field;
  const entryType = arrayEntryType(field);
  const spec = specOf(type);
  return {
    field: field.name,
    type,
    name,
    ...(source !== undefined && { source }),
    ...spec.column(type),
    ...(stored !== undefined && nativeEnum(stored)),
    ...(entryType !== undefined && { ...arrayColumn(entryType), arrayEntryType: entryType }),
    nullable: !field.required,
    default: defaultSql(field),
    ...(field.isSequence === true && { identity: firstNumber(type) }),
    ...(field.isGenerated === true && { isGenerated: true }),
    ...(field.hasDatabaseDefault === true && { hasDatabaseDefault: true }),
    check: checkOf(type, quoted(name)),
    isJson: spec.isJson === true && entryType === undefined,
    maxCharacters: maxCharactersOf(type),
    indexBytes: spec.indexBytes(type),
  };
}

/** The column of an enum type. */
function nativeEnum({ schema, type }: StoredType): Partial<Column> {
  const name = `${quoted(schema)}.${quoted(type)}`;
  return { definition: name, cast: name, isNativeEnum: true };
}

/** The column of an existing table that a column of a view shows. */
export const sourceOf = ({ field, source = field }: Column): string => source;

/** Whether statements write the column: the database fills the others by itself. */
export const isWritten = ({ identity, isGenerated }: Column): boolean =>
  identity === undefined && isGenerated !== true;

/** Without the column of ids that clients choose, which every statement has anyway. */
export const withoutId = (columns: readonly Column[]): Column[] =>
  columns.filter(({ field }) => field !== 'id');

/** A sequence starts at the `minimum`, or else at 1. */
const firstNumber = (type: FieldType): bigint =>
  'minimum' in type && type.minimum !== undefined ? BigInt(type.minimum) : 1n;

/** Fields that every item has; lists may be sorted and filtered by the two times. */
const TIME: FieldType = { type: 'timestamp' };

/** Whether a time is null in some items: other programs inserted their rows without it. */
export const isNullableTime = (
  { existing }: Pick<CollectionDefinition, 'existing'>,
  time: string,
): boolean => existing?.nullableTimes?.some((one) => one === time) === true;

/** The type of a member that lists may be sorted or filtered by, and whether it may be null. */
export function listedMember(
  definition: CollectionDefinition,
  name: string,
): { type: FieldType; nullable: boolean } {
  const field = definition.fields.find((candidate) => candidate.name === name);
  return field === undefined
    ? { type: TIME, nullable: isNullableTime(definition, name) }
    : { type: field.type, nullable: !field.required };
}

/** What has to be known of a column to index it. */
type IndexedColumn = Pick<Column, 'name' | 'maxCharacters' | 'indexBytes'>;

/**
 * The expressions of an index over whole values: the columns themselves where every entry fits, and
 * digests of the widest texts where one may not.
 */
export function wholeValues(columns: readonly IndexedColumn[]): string[] {
  const digested = new Set<IndexedColumn>();
  const sizeOf = (column: IndexedColumn): number =>
    digested.has(column) ? TEXT_HEADER + 32 : column.indexBytes;
  const widest = columns.toSorted((one, other) => other.indexBytes - one.indexBytes || 0);
  for (const column of widest) {
    if (fitsInIndex(columns.map(sizeOf))) break;
    digested.add(column);
  }
  return columns.map((column) =>
    digested.has(column)
      ? `_digest(${quoted(column.name)}${column.maxCharacters > 0 ? '' : '::text'})`
      : quoted(column.name),
  );
}

/**
 * The expressions that order by a field, given its column or a parameter in place of it. None is
 * null, so that rows can be compared by them: what is empty comes last where the order rises.
 * @param isNativeEnum whether values are of an enum type, whose order is another one.
 */
export function orderOf(
  type: FieldType,
  nullable: boolean,
  compared: string,
  isNativeEnum = false,
): string[] {
  const value = isNativeEnum ? `(${compared}::text collate "C")` : compared;
  const { orderBy, nullSubstitute = `''` } = specOf(type);
  const substitute = typeof nullSubstitute === 'string' ? nullSubstitute : nullSubstitute(type);
  const key = orderBy?.(type, value) ?? (isOrderedByBeginning(type) ? beginningOf(value) : value);
  return nullable ? [`(${compared} is null)`, `coalesce(${key}, ${substitute})`] : [key];
}

/** Whether lists are ordered by the beginnings of its texts. */
export const isOrderedByBeginning = (type: FieldType): boolean =>
  specOf(type).orderBy === undefined && maxCharactersOf(type) > LONGEST_SORTED;

/** Whether lists are ordered by its values themselves. */
export const isOrderedByItself = (type: FieldType, nullable: boolean): boolean =>
  !nullable && specOf(type).orderBy === undefined && !isOrderedByBeginning(type);

/** Characters that the texts of a type have at most. */
const maxCharactersOf = (type: FieldType): number => specOf(type).maxCharacters?.(type) ?? 0;

/**
 * What the database itself holds values to, in case something writes past the service.
 * @param column the value: a quoted column, or an expression in parentheses.
 */
export const checkOf = (type: FieldType, column: string): string | undefined =>
  specOf(type).check(type, column);
