/** Statements that create or change existing tables. They are run on PGlite and on databases of tests; on its own database, the team runs them. */
import type { ExistingTable, StoredType } from '../definition/types.ts';
import { ON_DELETE } from '../model/build.ts';
import { arrayJsonSql } from '../model/array-column.ts';
import type { Column } from '../model/columns.ts';
import { columnOfMember, existingOf } from '../model/existing.ts';
import type { Collection, Index, Relation } from '../model/types.ts';
import { isKept } from '../shared/soft-delete.ts';
import { literal, quoted } from '../shared/sql.ts';
import { existingName } from './existing-tables.ts';
import { identity } from './statements.ts';

/** The column of an existing table that a column of a view shows. */
export const sourceOf = ({ field, source = field }: Column): string => source;

/** A column as `create table` writes it. @param expression that of a generated column. */
export function columnLine(column: Column, expression = '<expression>'): string {
  const { definition, nullable, default: value, identity: first, isGenerated } = column;
  return [
    quoted(sourceOf(column)),
    definition,
    ...(isGenerated ? [`generated always as (${expression}) stored`] : []),
    ...(nullable ? [] : ['not null']),
    ...(value === undefined ? [] : [`default ${value}`]),
    ...(first === undefined ? [] : [identity(first)]),
  ].join(' ');
}

/**
 * Adds a column. One that needs a value in each row, and has no default, is filled by the team first. The expression of a
 * generated one is not known.
 */
export function addColumn(table: ExistingTable, column: Column): string {
  const add = (one: Column): string =>
    `alter table ${existingName(table)} add column if not exists ${columnLine(one)};`;
  if (column.isGenerated) {
    const message = `-- ${quoted(sourceOf(column))} is generated: write what computes it in place of <expression>.`;
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

/** Makes a column take nulls, or none. The team fills it first. */
export function changeNulls(table: ExistingTable, column: Column): string {
  const change = changeNotNull(table, column);
  return column.nullable || column.isGenerated
    ? change
    : `-- Fill ${quoted(sourceOf(column))} first:\n${change}`;
}

/**
 * Gives a column another type. PostgreSQL refuses that as long as views show the column, and where the default has no cast
 * to the new type.
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
  return [
    '-- The service makes its views again when it starts:',
    ...views.map((view) => `drop view if exists ${view};`),
    ...functions,
    `alter table ${existingName(table)} ${changes.join(', ')};`,
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
  if (!column.isGenerated) return `alter table ${name} alter column ${source} drop expression;`;
  return [
    `-- If ${source} is not generated yet: only a new column can be. Write what computes it in place of <expression>. Indexes`,
    '-- and constraints of the column go with the old one. The service makes its views again when it starts:',
    ...views.map((view) => `-- drop view if exists ${view};`),
    `-- alter table ${name} drop column ${source}, add column ${columnLine(withoutCollation(column))};`,
  ].join('\n');
}

/** SQL for the value of a column with another type, and the functions that it needs. */
function conversionTo(
  column: Column,
  old: Column,
  value: string,
): { readonly value: string; readonly functions?: readonly string[] } {
  const { definition, array, isJson, type } = withoutCollation(column);
  if (array !== undefined && old.array === undefined) {
    if (!old.isJson) {
      return { value: `case when ${value} is not null then array[${value}]::${definition} end` };
    }
    // A `using` expression cannot contain a subquery.
    const entries = 'select array(select jsonb_array_elements_text($1))';
    return {
      value: `case when ${value} is not null then pg_temp.entries_of(${value})::${definition} end`,
      functions: [
        `create or replace function pg_temp.entries_of(jsonb) returns text[] language sql as '${entries}';`,
      ],
    };
  }
  if (isJson && old.array !== undefined) return { value: arrayJsonSql(old.array, value) };
  // No enum type has a cast to another one.
  return { value: `${value}${type.type === 'enum' ? '::text' : ''}::${definition}` };
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

export const createEnumType = (name: string, values: Iterable<string>): string =>
  `create type ${name} as enum (${[...values].map(literal).join(', ')});`;

/** The team's tables have the collation of their database. */
export const withoutCollation = (column: Column): Column => ({
  ...column,
  definition: column.definition.split(' collate ', 1).join(''),
});

/** The columns that the service fills in by itself: the times of an item, and the mark of a removed one. */
export function serviceColumns({
  times,
  softDelete,
}: ExistingTable): readonly { readonly name: string; readonly line: string }[] {
  const columns = Object.values(times).map((name) => ({
    name,
    line: `${quoted(name)} timestamptz not null default now()`,
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
  return `alter table ${existingName(existingOf(table))} add foreign key (${column}) references ${existingName(other)} (${quoted(other.key)}) on delete ${ON_DELETE[onDelete]};`;
}
