/** SQL for the team: what changed definitions ask of existing tables. The service never runs it. */
import { storedType } from '../definition/existing-table.ts';
import type { ExistingTable } from '../definition/types.ts';
import { sourceOf, withoutId } from '../model/columns.ts';
import type { Column } from '../model/columns.ts';
import { columnOfMember, existingOf, isExisting, existingName } from '../model/existing.ts';
import type { Collection, Index, Model } from '../model/types.ts';
import type { JsonObject } from '../shared/json.ts';
import { quoted } from '../shared/sql.ts';
import { PROPERTY_NAMES, specOf } from '../types/registry.ts';
import {
  addColumn,
  addEntryValues,
  addEnumValue,
  addExistingForeignKey,
  addServiceColumn,
  changeGenerated,
  changeNulls,
  changeType,
  createEnumType,
  createUniqueIndex,
  enumTypeName,
  renameColumn,
  requireColumn,
  serviceColumns,
  setDatabaseDefault,
  withoutCollation,
} from './existing-table-sql.ts';

/** What is known of a column: its field as a definition writes it, whether it takes no nulls, is a generated one, or has a default that the database computes. */
interface KnownColumn {
  readonly field: JsonObject;
  readonly required: boolean;
  readonly isGenerated: boolean;
  readonly hasDatabaseDefault: boolean;
}

/** What is known of the tables of a database. */
export interface KnownTables {
  /** Undefined if the table has no such column, or nobody knows. */
  readonly column: (table: ExistingTable, column: string) => KnownColumn | undefined;
  /** Whether a table has a unique index of a name, or over some columns. */
  readonly hasUnique: (table: ExistingTable, name: string, columns: readonly string[]) => boolean;
  /** The values of an enum type; undefined if nobody knows. */
  readonly enumValues: (schema: string, type: string) => readonly string[] | undefined;
}

/** A table of the definitions, and what was known of it before. */
interface ChangedTable {
  readonly collection: Collection;
  readonly table: ExistingTable;
  /** The collections that had the table before. */
  readonly former: readonly Collection[];
  /** The views of the service that show it, in SQL. */
  readonly views: readonly string[];
  readonly known: KnownTables;
}

/**
 * The SQL that brings existing tables, as the definitions knew them before, to what the definitions say now.
 * @param known what the last import found: that is not asked for.
 */
export function changeExistingTables(
  before: Model,
  now: Model,
  known: KnownTables,
): readonly string[] {
  const changed = now.collections.filter(isExisting).flatMap((collection): ChangedTable[] => {
    const table = existingOf(collection.table);
    const former = before.collections.filter(
      (one) => isExisting(one) && existingName(existingOf(one.table)) === existingName(table),
    );
    const { schema = 'public' } = before.service;
    const views = former.map((one) => `${quoted(schema)}.${quoted(one.table.name)}`);
    return former.length === 0 ? [] : [{ collection, table, former, views, known }];
  });
  const statements = [
    ...changeEnumTypes(before, changed, known),
    ...changed.flatMap((one) => [
      ...changeColumns(one),
      ...newServiceColumns(one),
      ...requiredTimes(one),
      ...newIndexes(one),
      ...newForeignKeys(one),
    ]),
  ];
  // Two collections may have one table.
  return [...new Set(statements)];
}

/** The type of a column. An integer of the definitions may have a column of any of these types. */
const typeOf = (column: Pick<Column, 'definition'>): string =>
  withoutCollation(column).definition.replace(/^(?:small|big)int(?=$|\[)/, 'integer');

/** Whether a known column has the type that a column of the definitions needs. */
function hasTypeOf({ field }: KnownColumn, column: Column): boolean {
  const type = writtenColumnType(field);
  return type === undefined ? field['type'] === column.type.type : type === typeOf(column);
}

/** The type of the column of a field, as a definition writes it. Undefined for a reference: that is the type of a key. */
function writtenColumnType(field: JsonObject): string | undefined {
  const { type, of = {}, stored } = field;
  if (type === 'enum' && typeof stored === 'string') return enumTypeName(storedType(stored));
  if (type === 'list' && stored === 'array') return `${writtenColumnType(of as JsonObject)}[]`;
  // The options that a column depends on are written like those of a `FieldType`.
  const name = PROPERTY_NAMES.find((one) => one === type);
  return name && typeOf(specOf({ type: name }).column({ ...field, type: name }));
}

function changeColumns({ collection, table, former, views, known }: ChangedTable): string[] {
  const columns = new Map(
    former.flatMap((one) => one.table.columns.map((column) => [sourceOf(column), column])),
  );
  const { fields } = collection.definition;
  const kept = new Set(fields.map(({ name }) => columnOfMember(collection.definition, name)));
  return withoutId(collection.table.columns).flatMap((column) => {
    const source = sourceOf(column);
    const found = known.column(table, source);
    const renamedFrom = fields.find(({ name }) => name === column.field)?.renamedFrom;
    const origin = former
      .map((one) => renamedFrom !== undefined && columnOfMember(one.definition, renamedFrom))
      .find((one) => one !== false && columns.has(one) && !kept.has(one));
    const same = columns.get(source);
    const old = same ?? (typeof origin === 'string' ? columns.get(origin) : undefined);
    if (same === undefined && found !== undefined) return [];
    if (old === undefined) return [addColumn(table, column)];
    const renamed = same === undefined ? [renameColumn(table, sourceOf(old), source)] : [];
    const isGenerated = column.isGenerated === true;
    const isOther =
      (old.isGenerated === true) !== isGenerated && found?.isGenerated !== isGenerated;
    const changed = isOther ? [changeGenerated(table, { column, views })] : [];
    // The new column has the new type.
    if (isOther && isGenerated) return [...renamed, ...changed];
    const hasType = found !== undefined && hasTypeOf(found, column);
    const isRetyped = typeOf(old) !== typeOf(column) && !hasType;
    const isDefaulted =
      column.hasDatabaseDefault === true &&
      old.hasDatabaseDefault !== true &&
      found?.hasDatabaseDefault !== true;
    const isOtherNull = old.nullable !== column.nullable && found?.required !== !column.nullable;
    return [
      ...renamed,
      ...changed,
      ...(isRetyped ? [changeType(table, { old, column, views })] : []),
      ...(isOtherNull ? [changeNulls(table, column)] : []),
      ...(isDefaulted ? [setDatabaseDefault(table, column)] : []),
      ...newEntryValues(table, { old, column, found }),
    ];
  });
}

/** The new values of an array of an enum type. */
function newEntryValues(
  table: ExistingTable,
  { old, column, found }: { old: Column; column: Column; found: KnownColumn | undefined },
): string[] {
  const [former, now] = [old.arrayEntryType, column.arrayEntryType];
  if (former?.type !== 'enum' || now?.type !== 'enum') return [];
  const { type, values } = (found?.field['of'] ?? { type: 'enum', values: [] }) as JsonObject;
  const has = new Set([...former.values, ...(Array.isArray(values) ? values : [])]);
  const added = now.values.filter((value) => !has.has(value));
  return type === 'enum' && added.length > 0 ? [addEntryValues(table, column, added)] : [];
}

function newServiceColumns({ table, former, known }: ChangedTable): string[] {
  const names = new Set(
    former.flatMap((one) => [
      ...one.table.columns.map(sourceOf),
      ...serviceColumns(existingOf(one.table)).map(({ name }) => name),
    ]),
  );
  return serviceColumns(table)
    .filter(({ name }) => !names.has(name) && known.column(table, name) === undefined)
    .map(({ line }) => addServiceColumn(table, line));
}

/** The times that are never null any more. A time that may be null needs nothing: its column may take nulls or not. */
function requiredTimes({ table, former, known }: ChangedTable): string[] {
  const nullable = new Set(former.flatMap((one) => nullableColumns(existingOf(one.table))));
  const now = new Set(nullableColumns(table));
  return Object.values(table.times)
    .filter((column) => nullable.has(column) && !now.has(column))
    .filter((column) => known.column(table, column)?.required !== true)
    .map((column) => requireColumn(table, column));
}

const nullableColumns = ({ times, nullableTimes = [] }: ExistingTable): string[] =>
  nullableTimes.flatMap((time) => times[time] ?? []);

function newIndexes({ collection, table, former, known }: ChangedTable): string[] {
  const { fields } = collection.definition;
  // Sequence fields need no unique index.
  const sequences = new Set(fields.filter((one) => one.isSequence === true).map((one) => one.name));
  const names = new Set(former.flatMap((one) => one.table.indexes.map(({ name }) => name)));
  const isNew = ({ name, fields: own }: Index): boolean =>
    !names.has(name) &&
    own.join() !== 'id' &&
    !own.some((member) => sequences.has(member)) &&
    !known.hasUnique(
      table,
      name,
      own.map((member) => columnOfMember(collection.definition, member)),
    );
  return collection.table.indexes
    .filter(isNew)
    .map((index) => createUniqueIndex(table, index, 'if not exists '));
}

function newForeignKeys({ collection, table, former, known }: ChangedTable): string[] {
  const references = new Set(
    former.flatMap((one) =>
      one.relations.map(({ field }) => columnOfMember(one.definition, field.name)),
    ),
  );
  return collection.relations
    .filter(({ field }) => {
      const column = columnOfMember(collection.definition, field.name);
      return !references.has(column) && known.column(table, column)?.field['type'] !== 'reference';
    })
    .map((relation) => addExistingForeignKey(collection, relation));
}

interface EnumType {
  readonly known: readonly string[] | undefined;
  readonly values: ReadonlySet<string>;
}

/** The values of the enum types of collections, by their names in SQL. */
function enumTypesOf(
  collections: readonly Collection[],
  knownValues: KnownTables['enumValues'],
): ReadonlyMap<string, EnumType> {
  const types = new Map<string, EnumType>();
  for (const { stored, type } of collections.flatMap(({ definition }) => definition.fields)) {
    if (stored === undefined || type.type !== 'enum') continue;
    const name = enumTypeName(stored);
    const values = new Set([...(types.get(name)?.values ?? []), ...type.values]);
    types.set(name, { known: knownValues(stored.schema, stored.type), values });
  }
  return types;
}

function changeEnumTypes(
  before: Model,
  changed: readonly ChangedTable[],
  { enumValues }: KnownTables,
): string[] {
  const old = enumTypesOf(before.collections.filter(isExisting), enumValues);
  const now = enumTypesOf(
    changed.map(({ collection }) => collection),
    enumValues,
  );
  return [...now].flatMap(([name, { known, values }]) => {
    const former = old.get(name)?.values;
    if (former === undefined && known === undefined) return [createEnumType(name, values)];
    const has = new Set([...(former ?? []), ...(known ?? [])]);
    return [...values].filter((value) => !has.has(value)).map((value) => addEnumValue(name, value));
  });
}
