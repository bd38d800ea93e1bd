/** Statements that create or change existing tables. They are run on PGlite and on databases of tests; on its own database, the team runs them. */
import type { ExistingTable, StoredType } from '../definition/types.ts';
import { ON_DELETE } from '../model/build.ts';
import { arrayColumn, arrayJsonSql } from '../model/array-column.ts';
import { sourceOf } from '../model/columns.ts';
import type { Column } from '../model/columns.ts';
import { columnOfMember, existingOf, existingName } from '../model/existing.ts';
import type { Collection, Index, Relation } from '../model/types.ts';
import { isKept } from '../shared/soft-delete.ts';
import { literal, quoted } from '../shared/sql.ts';
import type { FieldType } from '../types/registry.ts';
import { identity } from './statements.ts';

/** A column as `create table` writes it. @param expression that of a generated column, or of a default that the database computes. */
export function columnLine(column: Column, expression = '<expression>'): string {
  const { definition, nullable, default: value, identity: first } = column;
  const { isGenerated, hasDatabaseDefault } = column;
  return [
    quoted(sourceOf(column)),
    definition,
    ...(isGenerated ? [`generated always as (${expression}) stored`] : []),
    ...(nullable ? [] : ['not null']),
    ...(value === undefined ? [] : [`default ${value}`]),
    ...(hasDatabaseDefault ? [`default ${expression}`] : []),
    ...(first === undefined ? [] : [identity(first)]),
  ].join(' ');
}

/**
 * Adds a column. One that needs a value in each row, and has no default, is filled by the team first. The expression of a
 * generated one is not known, and neither is that of a default that the database computes.
 */
export function addColumn(table: ExistingTable, column: Column): string {
  const add = (one: Column): string =>
    `alter table ${existingName(table)} add column if not exists ${columnLine(one)};`;
  if (column.isGenerated) {
    const message = `-- ${quoted(sourceOf(column))} is generated: write what computes it in place of <expression>.`;
    return `${message}\n-- ${add(withoutCollation(column))}`;
  }
  if (column.hasDatabaseDefault) {
    const message = `-- ${quoted(sourceOf(column))} has a default that the database computes: write it in place of <expression>.`;
    return `${message}\n-- ${add(withoutCollation(column))}`;
  }
  const isUnfilled =
    !column.nullable && column.default === undefined && column.identity === undefined;
  if (!isUnfilled) return add(withoutCollation(column));
  const source = quoted(sourceOf(column));
  const nullable = { ...withoutCollation(column), nullable: true };
  return `${add(nullable)}\n-- Fill ${source}, and then:\n${changeNotNull(table, column)}`;
}

const changeNotNull = (table: ExistingTable, column: Column): string =>
  `alter table ${existingName(table)} alter column ${quoted(sourceOf(column))} ${column.nullable ? 'drop' : 'set'} not null;`;

/** Makes a column take no nulls. The team fills it first. */
export const requireColumn = (table: ExistingTable, column: string): string =>
  `-- Fill ${quoted(column)} first:\nalter table ${existingName(table)} alter column ${quoted(column)} set not null;`;

/** Makes a column take nulls, or none. The team fills it first. */
export function changeNulls(table: ExistingTable, column: Column): string {
  const change = changeNotNull(table, column);
  return column.nullable || column.isGenerated
    ? change
    : `-- Fill ${quoted(sourceOf(column))} first:\n${change}`;
}

/**
 * Gives a column another type. PostgreSQL refuses that as long as views show the column, and where the default has no cast
 * to the new type. From a list to one value there are only comments: nobody but the team knows which entry a row keeps.
 * @param old the column as it was.
 * @param views the names of the views of the service that show it.
 */
export function changeType(
  table: ExistingTable,
  { old, column, views }: { old: Column; column: Column; views: readonly string[] },
): string {
  const { definition, default: value, isGenerated } = withoutCollation(column);
  const source = quoted(sourceOf(column));
  const { value: converted, functions = [] } = conversionTo(column, old, source);
  const changes = [
    ...(old.default === undefined ? [] : ['drop default']),
    // PostgreSQL computes the values of a generated column again.
    `type ${definition}${isGenerated ? '' : ` using ${converted}`}`,
    ...(value === undefined ? [] : [`set default ${value}`]),
  ].map((change) => `alter column ${source} ${change}`);
  const statements = [
    ...views.map((view) => `drop view if exists ${view};`),
    ...functions,
    `alter table ${existingName(table)} ${changes.join(', ')};`,
  ];
  const lists = `-- Rows have lists in ${source} of ${existingName(table)}, and the field`;
  if (isListToOne(old, column) && column.isJson) {
    return `${lists} is an object. Decide which object each row gets, and give the column the type jsonb.`;
  }
  if (isListToOne(old, column)) {
    const decide = 'Decide which value each row keeps. To keep the first entry, run:';
    return [
      `${lists} has one value. ${decide}`,
      ...statements.map((statement) => `-- ${statement}`),
    ].join('\n');
  }
  return [
    ...roundingComments(old, column),
    '-- The service makes its views again when it starts:',
    ...statements,
  ].join('\n');
}

/**
 * Makes a column a generated one, or a plain one, which keeps its values.
 * @param views the names of the views of the service that show it.
 */
export function changeGenerated(
  table: ExistingTable,
  { column, views }: { column: Column; views: readonly string[] },
): string {
  const [name, source] = [existingName(table), quoted(sourceOf(column))];
  if (!column.isGenerated) {
    return [
      `-- A virtual column has no values to keep: drop it, and add a plain one, in place of this.`,
      `alter table ${name} alter column ${source} drop expression;`,
    ].join('\n');
  }
  return [
    `-- If ${source} is not generated yet: only a new column can be. Write what computes it in place of <expression>. Indexes`,
    '-- and constraints of the column go with the old one. The service makes its views again when it starts:',
    ...views.map((view) => `-- drop view if exists ${view};`),
    `-- alter table ${name} drop column ${source}, add column ${columnLine(withoutCollation(column))};`,
  ].join('\n');
}

/** Gives a column a default that the database computes. Definitions do not say its expression. */
export const setDatabaseDefault = (table: ExistingTable, column: Column): string =>
  [
    `-- If ${quoted(sourceOf(column))} has no default that the database computes yet, write it in place of <expression>:`,
    `-- alter table ${existingName(table)} alter column ${quoted(sourceOf(column))} set default <expression>;`,
  ].join('\n');

/** SQL for the value of a column with another type, and the functions that it needs. */
function conversionTo(
  column: Column,
  old: Column,
  value: string,
): { readonly value: string; readonly functions?: readonly string[] } {
  const { definition, arrayEntryType, isJson } = withoutCollation(column);
  // No enum type has a cast to any type but those of texts.
  const isEnum = [column, old].some(({ type }) => entryTypeOf(type).type === 'enum');
  const text = arrayEntryType === undefined ? 'text' : 'text[]';
  const cast = isEnum && definition !== text ? `::${text}::${definition}` : `::${definition}`;
  if (isListToOne(old, column)) {
    return { value: `${old.isJson ? `(${value} ->> 0)` : `${value}[1]`}${cast}` };
  }
  if (arrayEntryType !== undefined && old.arrayEntryType === undefined) {
    if (!old.isJson) {
      return { value: `case when ${value} is not null then array[${value}]::${definition} end` };
    }
    // A `using` expression cannot contain a subquery. JSON null has no entries.
    const entries = 'select array(select jsonb_array_elements_text($1))';
    return {
      value: `case when jsonb_typeof(${value}) <> 'null' then pg_temp.entries_of(${value})::${definition} end`,
      functions: [
        `create or replace function pg_temp.entries_of(jsonb) returns text[] language sql as '${entries}';`,
      ],
    };
  }
  if (isJson && old.arrayEntryType !== undefined) {
    const entryType = column.type.type === 'list' ? column.type.of : old.arrayEntryType;
    const { definition: array } = arrayColumn(entryType);
    const isSame = array === old.definition;
    return { value: arrayJsonSql(entryType, isSame ? value : `${value}::${array}`) };
  }
  return { value: `${value}${cast}` };
}

/** The type of a value, or of the entries of a list. */
const entryTypeOf = (type: FieldType): FieldType => (type.type === 'list' ? type.of : type);

/** Whether rows had lists, and are to have one value. */
const isListToOne = (old: Column, { type }: Column): boolean =>
  old.type.type === 'list' && type.type !== 'list' && type.type !== 'json';

/** Says that the cast to another type rounds, which PostgreSQL does without an error. */
function roundingComments(old: Column, column: Column): readonly string[] {
  const [from, to] = [entryTypeOf(old.type), entryTypeOf(column.type)];
  const digits = fractionDigits(to);
  // A text with a fraction has no cast to an integer.
  const isNumber = (from.type === 'number' || from.type === 'decimal') && !old.isJson;
  return fractionDigits(from) > digits && (isNumber || to.type === 'decimal')
    ? [
        `-- PostgreSQL rounds values with more than ${digits} digits after the decimal point: check for them first.`,
      ]
    : [];
}

/** The digits after the decimal point that a type has at most. */
function fractionDigits(type: FieldType): number {
  if (type.type === 'decimal') return type.scale;
  return type.type === 'integer' || type.type === 'bigint' ? 0 : Infinity;
}

/** Gives a column the name that a field has now. */
export function renameColumn(table: ExistingTable, from: string, to: string): string {
  return [
    `-- Or write "column: ${from}" in the field ${to}, and leave the table as it is:`,
    `alter table ${existingName(table)} rename column ${quoted(from)} to ${quoted(to)};`,
  ].join('\n');
}

/** The name of an enum type in SQL. */
export const enumTypeName = ({ schema, type }: StoredType): string =>
  `${quoted(schema)}.${quoted(type)}`;

/** Adds a value to an enum type. */
export const addEnumValue = (name: string, value: string): string =>
  `alter type ${name} add value if not exists ${literal(value)};`;

/** Adds values to the enum type of an array. Definitions do not name it, so that the team writes its name. */
export function addEntryValues(
  table: ExistingTable,
  column: Column,
  values: readonly string[],
): string {
  const source = quoted(sourceOf(column));
  return [
    `-- If ${source} of ${existingName(table)} is an array of an enum type, run this with the name of that type:`,
    ...values.map((value) => `-- ${addEnumValue('…', value)}`),
  ].join('\n');
}

export const createEnumType = (name: string, values: Iterable<string>): string =>
  `create type ${name} as enum (${[...values].map(literal).join(', ')});`;

/** The team's tables have the collation of their database. */
export const withoutCollation = <C extends Pick<Column, 'definition'>>(column: C): C => ({
  ...column,
  definition: column.definition.split(' collate ', 1).join(''),
});

/** The columns that the service fills in by itself: the times of an item, and the mark of a removed one. */
export function serviceColumns({
  times,
  nullableTimes = [],
  softDelete,
}: ExistingTable): readonly { readonly name: string; readonly line: string }[] {
  const columns = Object.entries(times).map(([time, name]) => ({
    name,
    line: nullableTimes.some((one) => one === time)
      ? `${quoted(name)} timestamptz`
      : `${quoted(name)} timestamptz not null default now()`,
  }));
  if (softDelete === undefined) return columns;
  const { column, type } = softDelete;
  const form = type === 'boolean' ? 'boolean not null default false' : 'timestamptz';
  return [...columns, { name: column, line: `${quoted(column)} ${form}` }];
}

/** Adds a column that the service fills in by itself. */
export const addServiceColumn = (table: ExistingTable, line: string): string =>
  `alter table ${existingName(table)} add column if not exists ${line};`;

/** The values of a removed item are free again. @param guard for an index that may be there already. */
export function createUniqueIndex(
  table: ExistingTable,
  { name, on, where }: Index,
  guard: '' | 'if not exists ' = '',
): string {
  const { softDelete } = table;
  const conditions = [
    ...(where === undefined ? [] : [where.condition]),
    ...(softDelete === undefined ? [] : [isKept(quoted(softDelete.column), softDelete)]),
  ];
  const rows = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  return `create unique index ${guard}${quoted(name)} on ${existingName(table)} (${on.join(', ')})${rows};`;
}

export function addExistingForeignKey(
  { definition, table }: Collection,
  { field, onDelete, target }: Relation,
): string {
  // References to tables of the service are refused.
  const other = existingOf(target);
  const column = quoted(columnOfMember(definition, field.name));
  return `alter table ${existingName(existingOf(table))} add foreign key (${column}) references ${existingName(other)} (${quoted(other.keyColumns[0])}) on delete ${ON_DELETE[onDelete]};`;
}
