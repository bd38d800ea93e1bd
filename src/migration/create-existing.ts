/** SQL that creates existing tables as far as the definitions know them, for PGlite and for databases of tests. */
import { existingOf, isExisting, existingName } from '../model/existing.ts';
import { sourceOf, withoutId } from '../model/columns.ts';
import { defaultSql } from '../model/default-sql.ts';
import type { CollectionDefinition, ExistingTable, Field } from '../definition/types.ts';
import type { Collection, Index, Model } from '../model/types.ts';
import type { Column } from '../model/columns.ts';
import { quoted } from '../shared/sql.ts';
import { exampleValues } from '../types/example-values.ts';
import { keySpec } from '../types/key.ts';
import { specOf } from '../types/registry.ts';
import {
  addExistingForeignKey,
  columnLine,
  createEnumType,
  createUniqueIndex,
  enumTypeName,
  serviceColumns,
} from './existing-table-sql.ts';
import { identity } from './statements.ts';

/** The statements: schemas, enum types, tables, and then foreign keys. */
export function createExisting(model: Model): string[] {
  const collections = model.collections.filter(isExisting);
  return [
    ...createSchemas(collections),
    ...createEnumTypes(collections),
    ...[...byTable(collections).values()].map(createExistingTable),
    ...new Set(
      collections.flatMap((collection) =>
        collection.relations.map((relation) => addExistingForeignKey(collection, relation)),
      ),
    ),
  ];
}

/** Several collections may have one table. */
function byTable(collections: readonly Collection[]): Map<string, Collection[]> {
  const tables = new Map<string, Collection[]>();
  for (const collection of collections) {
    const name = existingName(existingOf(collection.table));
    tables.set(name, [...(tables.get(name) ?? []), collection]);
  }
  return tables;
}

function createSchemas(collections: readonly Collection[]): string[] {
  const schemas = collections.flatMap(({ definition: { existing, fields } }) => [
    ...(existing === undefined ? [] : [existing.schema]),
    ...fields.flatMap(({ stored }) => stored?.schema ?? []),
  ]);
  return [...new Set(schemas)]
    .filter((schema) => schema !== 'public')
    .map((schema) => `create schema if not exists ${quoted(schema)};`);
}

/** Several columns may have one type: then it has the values of all. */
function createEnumTypes(collections: readonly Collection[]): string[] {
  const types = new Map<string, Set<string>>();
  for (const { stored, type } of collections.flatMap(({ definition }) => definition.fields)) {
    if (stored === undefined || type.type !== 'enum') continue;
    const name = enumTypeName(stored);
    types.set(name, new Set([...(types.get(name) ?? []), ...type.values]));
  }
  return Array.from(types, ([name, values]) => createEnumType(name, values));
}

/** @param collections those of the table. It has the columns of all. */
function createExistingTable(collections: readonly Collection[]): string {
  const lines = new Map<string, string>();
  const indexes = new Map<string, string>();
  const keysOfTable = new Set<string>();
  let name = '';
  for (const { definition, table } of collections) {
    const existing = existingOf(table);
    name = existingName(existing);
    const key = JSON.stringify([existing.keyName, existing.keyColumns.toSorted()]);
    const { column: idColumn, constraint } = keyLines(definition, existing, keysOfTable.size > 0);
    const columns = [
      ...(idColumn === undefined ? [] : [idColumn]),
      ...withoutId(table.columns).map((column) => ({
        name: sourceOf(column),
        line: existingColumnLine(
          isInAll(column, collections) ? column : { ...column, nullable: true },
          definition.fields.find((field) => field.name === column.field),
        ),
      })),
      ...serviceColumns(existing),
      ...(constraint === undefined || keysOfTable.has(key) ? [] : [constraint]),
    ];
    keysOfTable.add(key);
    for (const column of columns) {
      if (!lines.has(column.name)) lines.set(column.name, column.line);
    }
    const generated = new Set(
      table.columns.filter((one) => one.isGenerated).map((one) => one.field),
    );
    // The value of a generated column is the same in each row.
    const isUnique = (index: Index): boolean =>
      !isKeyIndex(index, definition) && !index.fields.some((field) => generated.has(field));
    for (const index of table.indexes.filter(isUnique)) {
      indexes.set(index.name, createUniqueIndex(existing, index));
    }
  }
  const create = `create table ${name} (\n  ${[...lines.values()].join(',\n  ')}\n);`;
  return [...defaultComments(collections), create, ...indexes.values()].join('\n');
}

/** The line of a column in `create table`. */
function existingColumnLine(column: Column, field: Field | undefined): string {
  if (field === undefined || !isNumbered(field)) {
    return columnLine(column, expressionFor(column, field));
  }
  const { minimum = 1 } = field.type as { minimum?: number | string };
  const { hasDatabaseDefault: _, ...own } = column;
  return columnLine({ ...own, identity: BigInt(minimum) });
}

/**
 * What stands for the expression of a generated column, or of a default that the database computes. Definitions do not
 * say these. It is null for a generated column that may be null, and otherwise a value of the field.
 */
function expressionFor({ hasDatabaseDefault }: Column, field: Field | undefined): string {
  const distinct = field?.hasDatabaseDefault === true ? distinctDefault(field) : undefined;
  if (distinct !== undefined) return distinct;
  const hasValue = hasDatabaseDefault === true || field?.required === true;
  const [value] = hasValue && field !== undefined ? exampleValues(specOf, field) : [];
  return (field && value !== undefined && defaultSql({ ...field, default: value })) || 'null';
}

/** A default that has another value in each row, where the field is unique; undefined where the type has none. */
function distinctDefault({ type, unique }: Field): string | undefined {
  if (type.type === 'uuid') return 'gen_random_uuid()';
  if (!unique || (type.type !== 'text' && type.type !== 'string')) return undefined;
  if (type.type === 'string' && (type.pattern ?? type.format) !== undefined) return undefined;
  const { maxLength = Infinity } = type;
  return maxLength < UUID_LENGTH
    ? `left(replace(gen_random_uuid()::text, '-', ''), ${maxLength})`
    : 'gen_random_uuid()::text';
}

const UUID_LENGTH = 36;

/** Whether a sequence stands for the default that the database computes: for a unique number. */
const isNumbered = ({ hasDatabaseDefault, unique, required, type }: Field): boolean =>
  hasDatabaseDefault === true &&
  unique &&
  required &&
  (type.type === 'integer' || type.type === 'bigint');

/** Says of which columns the defaults are not those of the database. */
function defaultComments(collections: readonly Collection[]): string[] {
  const columns = collections.flatMap(({ table }) =>
    table.columns.filter(({ hasDatabaseDefault }) => hasDatabaseDefault === true).map(sourceOf),
  );
  const names = [...new Set(columns)].map(quoted);
  return names.length === 0
    ? []
    : [
        `-- A dump has the defaults that the database computes, and these stand for: ${names.join(', ')}.`,
      ];
}

/** Whether each of the collections of a table has a column: the others insert no value. */
const isInAll = (column: Column, collections: readonly Collection[]): boolean =>
  collections.every(({ table }) =>
    table.columns.some((one) => sourceOf(one) === sourceOf(column) && !one.nullable),
  );

/** Whether an index is that of the ids. */
const isKeyIndex = ({ fields }: Index, { keyFields = ['id'] }: CollectionDefinition): boolean =>
  fields.join() === keyFields.join();

/** A line of `create table`, under the name of its column, or as its own name. */
interface Line {
  readonly name: string;
  readonly line: string;
}

/**
 * The column of the ids, and the key, where that is no part of the column's line.
 * @param hasPrimaryKey whether another collection has the table, with its primary key: this key is a unique one then.
 */
function keyLines(
  { key, keySource }: CollectionDefinition,
  { keyColumns, keyName }: ExistingTable,
  hasPrimaryKey: boolean,
): { readonly column?: Line; readonly constraint?: Line } {
  const { sql } = keySpec(key);
  const kind = hasPrimaryKey ? 'unique' : 'primary key';
  const named = keyName === undefined ? '' : `constraint ${quoted(keyName)} `;
  const line = `${named}${kind} (${keyColumns.map(quoted).join(', ')})`;
  const constraint = { name: line, line };
  if (keySource === 'fields') return { constraint };
  const source = {
    service: ' default gen_random_uuid()',
    database: ` ${identity(1n)}`,
    client: '',
  }[keySource];
  const [name] = keyColumns;
  const column = `${quoted(name)} ${sql}${source}`;
  return hasPrimaryKey
    ? { column: { name, line: `${column} not null` }, constraint }
    : { column: { name, line: `${column} ${named}primary key` } };
}
