/** Compares existing tables, as definitions describe them, with those of a database. */
import type { CollectionDefinition, ExistingTable, Field } from '../../definition/types.ts';
import { ownMember } from '../../shared/json.ts';
import { nameWithSchema } from '../../definition/existing-table.ts';
import { isNullableTime } from '../../model/columns.ts';
import type { Column } from '../../model/columns.ts';
import type { Collection, Index, Relation } from '../../model/types.ts';
import { ON_DELETE } from '../../model/build.ts';
import { columnOfMember, existingOf } from '../../model/existing.ts';
import type { Position } from '../../reading/position.ts';
import { enumerate, quote } from '../../reading/quote.ts';
import { quoted } from '../../shared/sql.ts';
import { compareKey, compareKeyFields, wrongType } from './compare-key.ts';
import { baseType } from '../../database/base-type.ts';
import { hasOtherDomainDefault } from '../../database/database-schema.ts';
import type {
  DatabaseColumn,
  DatabaseSchema,
  DatabaseTable,
  UniqueKey,
} from '../../database/database-schema.ts';
import { conditionOnVisibleRows } from '../../shared/soft-delete.ts';
import type { RenamedColumn } from '../../reimport/renamed-columns.ts';
import { rowTriggers } from '../../import/row-triggers.ts';
import {
  addColumn,
  addServiceColumn,
  createUniqueIndex,
  renameColumn,
  serviceColumns,
} from '../../migration/existing-table-sql.ts';

/** Something in which a table is not as a definition says. */
export interface TableDifference {
  /** The collection or the field that says it. */
  readonly at: Position;
  /** A sentence without a full stop. */
  readonly message: string;
  /** SQL that gives the table what it lacks; absent: that depends. */
  readonly sql?: string;
}

/**
 * Compares the tables of collections that have existing ones. The schemas of all of them have been read.
 * @param renamed the columns that seem renamed since the last import.
 */
export function compareTables(
  collections: readonly Collection[],
  { tables }: DatabaseSchema,
  renamed: readonly RenamedColumn[] = [],
): TableDifference[] {
  return collections.flatMap((collection) => {
    const { existing } = collection.table;
    if (existing === undefined) return [];
    const table = tables.find(
      (one) => one.schema === existing.schema && one.name === existing.table,
    );
    const { at } = collection.definition;
    const name = nameWithSchema(existing);
    if (table === undefined) return [{ at, message: `the database has no table ${name}` }];
    if (table.kind !== 'table') {
      return [{ at, message: `${name} is a ${table.kind}, and not a plain table` }];
    }
    const own = renamed.filter((one) => one.table === name);
    return compareTable(collection, existing, table, own);
  });
}

function compareTable(
  collection: Collection,
  existing: ExistingTable,
  table: DatabaseTable,
  renamed: readonly RenamedColumn[],
): TableDifference[] {
  const { definition, relations } = collection;
  const { columns: needed, indexes } = collection.table;
  const { at, fields } = definition;
  const name = nameWithSchema(existing);
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  const differ = (message: string, place: Position = at, sql?: string): TableDifference => ({
    at: place,
    message,
    ...(sql !== undefined && { sql }),
  });
  const [idColumn] = existing.keyColumns;
  const keyColumn = columns.get(idColumn);
  const lacksColumn = (column: string): TableDifference => {
    const line = serviceColumns(existing).find((one) => one.name === column)?.line;
    const sql = line === undefined ? undefined : addServiceColumn(existing, line);
    return differ(`${name} has no column ${quote(column)}`, at, sql);
  };
  const mark = existing.softDelete?.column;
  const times = Object.entries(existing.times).flatMap(([time, of]) => {
    const column = columns.get(of);
    if (column === undefined) return [lacksColumn(of)];
    const isNullable = isNullableTime(definition, time);
    return compareTime(column, time, { name, isNullable }).map((message) => differ(message));
  });
  const uniques = [...(table.primaryKey === undefined ? [] : [table.primaryKey]), ...table.uniques];
  const isDeferrable = (unique: UniqueKey): boolean =>
    table.constraintStates.some(
      ({ name: own, state }) => own === unique.name && state === 'deferrable',
    );
  const isKey = uniques.some(
    (unique) =>
      isSameSet(unique.columns, existing.keyColumns) &&
      unique.where === null &&
      !isDeferrable(unique),
  );
  // Sequence fields need no unique index.
  const sequences = new Set(fields.filter((one) => one.isSequence === true).map((one) => one.name));
  const shown = uniques.map((unique) => ({ ...unique, where: keptCondition(unique, existing) }));
  const differentIndexes = indexes
    .filter(({ fields: own }) => !own.some((member) => sequences.has(member)))
    .flatMap((index) => {
      const isMissing = shown.every((unique) => unique.name !== index.name);
      const sql = isMissing ? createUniqueIndex(existing, index) : undefined;
      return compareIndex(index, shown, name).map((message) => differ(message, at, sql));
    });
  const compareOwnKey = (): TableDifference[] => {
    if (definition.keyFields !== undefined) {
      return compareKeyFields(existing.keyColumns, columns, name, isKey).map((message) =>
        differ(message),
      );
    }
    return keyColumn === undefined
      ? [differ(`${name} has no column ${quote(idColumn)}`)]
      : compareKey(keyColumn, definition, name, isKey).map((message) => differ(message));
  };
  return [
    ...compareOwnKey(),
    ...times,
    ...fields.flatMap((field) => {
      if (field.name === 'id') return [];
      const column = columns.get(columnOfMember(definition, field.name));
      const own = needed.find((one) => one.field === field.name);
      if (column === undefined) {
        const missing = columnOfMember(definition, field.name);
        const message = `${name} has no column ${quote(missing)}`;
        const newName = renamed.find(({ from }) => from === missing)?.to;
        if (newName !== undefined) {
          // A second column would be empty.
          const text = `${message}: it seems renamed to ${quote(newName)}. To keep the member ${field.name}, run create-service import --again, or write column: ${newName}`;
          return [differ(text, field.at)];
        }
        const { renamedFrom } = field;
        const isRenamed = renamedFrom !== undefined && columns.has(renamedFrom);
        const sql = isRenamed
          ? renameColumn(existing, renamedFrom, missing)
          : own && addColumn(existing, own);
        return [differ(message, field.at, sql)];
      }
      const messages = compareField(field, own, column, name);
      return messages.map((message) => differ(message, field.at));
    }),
    ...relations.flatMap((relation) =>
      compareReference(relation, columnOfMember(definition, relation.field.name), table).map(
        (message) => differ(message, relation.field.at),
      ),
    ),
    ...differentIndexes,
    ...(mark === undefined || columns.has(mark) ? [] : [lacksColumn(mark)]),
    ...compareSoftDelete(existing, columns, name).map((message) => differ(message)),
    ...unsetColumns(definition, existing, table).map((message) => differ(message)),
  ];
}

const isSameSet = (one: readonly (string | null)[], other: readonly string[]): boolean =>
  one.length === other.length && other.every((name) => one.includes(name));

/** The condition of an index, among the rows that are not marked as removed. */
const keptCondition = ({ where }: UniqueKey, { softDelete }: ExistingTable): string | null =>
  softDelete === undefined ? where : conditionOnVisibleRows(where, softDelete);

function compareSoftDelete(
  { softDelete }: ExistingTable,
  columns: ReadonlyMap<string, DatabaseColumn>,
  name: string,
): string[] {
  const column = softDelete && columns.get(softDelete.column);
  if (softDelete === undefined || column === undefined) return [];
  const wanted = softDelete.type === 'boolean' ? 'boolean' : 'timestamptz';
  const shown = `${quote(column.name)} of ${name}`;
  return [
    ...(familyOf(column) === wanted
      ? []
      : [wrongType(column, name, `soft_delete needs a ${softDelete.type}`)]),
    ...(softDelete.type === 'timestamp' && column.notNull
      ? [`${shown} may not be null, and soft_delete needs that`]
      : []),
    ...((softDelete.type === 'timestamp' ? column.default !== null : column.default === 'true') &&
    !column.isGenerated
      ? [`${shown} has a default: new rows would be removed ones`]
      : []),
    ...(column.isGenerated ? [`${shown} is generated, and a removal sets it`] : []),
  ];
}

function compareTime(
  column: DatabaseColumn,
  time: string,
  { name, isNullable }: { readonly name: string; readonly isNullable: boolean },
): string[] {
  const shown = `${quote(column.name)} of ${name}`;
  return [
    ...(familyOf(column) === 'timestamptz'
      ? []
      : [wrongType(column, name, `${quote(time)} needs a timestamp`)]),
    ...(column.notNull || isNullable
      ? []
      : [
          `${shown} may be null, and ${quote(time)} is never null: write ${time}: { column: ${quote(column.name)}, nullable: true } in history`,
        ]),
    ...(column.isGenerated ? [`${shown} is generated`] : []),
  ];
}

function compareIndex(index: Index, uniques: readonly UniqueKey[], name: string): string[] {
  const found = uniques.find((unique) => unique.name === index.name);
  if (found === undefined) return [`${name} has no unique index called ${quote(index.name)}`];
  const columns = found.columns.map((column) => (column === null ? '' : quoted(column)));
  const isSame =
    columns.length === index.on.length &&
    index.on.every((column) => columns.includes(column)) &&
    (found.where === null) === (index.where === undefined);
  return isSame
    ? []
    : [`the unique index ${quote(index.name)} of ${name} is over other rows or columns`];
}

/** What values of a type are to a service, by the name of the type in `pg_catalog`. */
const FAMILIES: Readonly<Record<string, string>> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  smallint: 'integer',
  bigint: 'integer',
  float4: 'double precision',
  float8: 'double precision',
  bool: 'boolean',
  varchar: 'text',
  bpchar: 'text',
  citext: 'text',
  timestamp: 'timestamptz',
  json: 'jsonb',
};

const familyOf = ({ type }: DatabaseColumn): string => {
  const { name } = baseType(type);
  return ownMember(FAMILIES, name) ?? name;
};

/** The largest values of types of integers; those of `bigint` are more than JSON has. */
const LARGEST: Readonly<Record<string, number>> = { int2: 32_767, int4: 2_147_483_647 };

/** @param needed the column that the service would make itself. */
function compareField(
  field: Field,
  needed: Column | undefined,
  column: DatabaseColumn,
  name: string,
): string[] {
  const { type, required, isSequence, isGenerated, hasDatabaseDefault } = field;
  const base = baseType(column.type);
  const [own = ''] = needed?.definition.split(/ collate |\(/) ?? [];
  const shown = quote(column.name);
  const refusesNull = column.notNull && !required && !column.isIdentity;
  const nullable = required && !column.notNull;
  return [
    ...(base.element !== undefined || field.isArray === true
      ? compareArray(field, own, column, name)
      : base.kind === 'enum' || field.stored !== undefined
        ? compareEnum(field, column, name)
        : familyOf(column) === (ownMember(FAMILIES, own) ?? own)
          ? compareLimits(field, column, name)
          : [wrongType(column, name, `${quote(field.name)} is ${type.type}`)]),
    ...(nullable ? [`${shown} of ${name} may be null, and ${quote(field.name)} is required`] : []),
    ...(refusesNull
      ? [`${shown} of ${name} takes no nulls, and ${quote(field.name)} is not required`]
      : []),
    ...(column.isGenerated && isGenerated !== true
      ? [
          `${shown} of ${name} is a generated column, which nothing can write: write "generated: true" in ${quote(field.name)}`,
        ]
      : []),
    ...(isGenerated === true && !column.isGenerated
      ? [
          `${shown} of ${name} is no generated column, and no request may set ${quote(field.name)}: remove "generated: true", or make the column a generated one`,
        ]
      : []),
    ...(column.isAlwaysIdentity && isSequence !== true && !field.readOnly
      ? [`${shown} of ${name} is always generated, and requests send ${quote(field.name)}`]
      : []),
    ...(hasDatabaseDefault === true && column.default === null && !column.isIdentity
      ? [
          `${shown} of ${name} has no default, and ${quote(field.name)} has "database_default: true": remove it, or give the column a default`,
        ]
      : []),
    ...(hasDatabaseDefault === true && hasOtherDomainDefault(column)
      ? [
          `${shown} of ${name} has the default ${column.default ?? ''}, and its domain has ${column.domainDefault ?? ''}, which PostgreSQL uses for inserts into a view: drop the default of one of them, or remove "database_default: true" from ${quote(field.name)}`,
        ]
      : []),
    ...(isSequence === true && column.default === null && !column.isIdentity
      ? [`${shown} of ${name} has no sequence`]
      : []),
  ];
}

/** @param own the type of the column that the service would make itself. */
function compareArray(field: Field, own: string, column: DatabaseColumn, name: string): string[] {
  const { type } = field;
  const { element } = baseType(column.type);
  if (type.type !== 'list') {
    return [wrongType(column, name, `${quote(field.name)} is ${type.type}`)];
  }
  if (element === undefined) {
    return [wrongType(column, name, `${quote(field.name)} is stored as an array`)];
  }
  if (field.isArray !== true) {
    return [wrongType(column, name, `${quote(field.name)} has no "stored: array"`)];
  }
  const entryField = { ...field, type: type.of };
  // The modifier of the column is that of its entries, unless these are of a domain.
  const modifier = element.kind === 'domain' ? element.modifier : column.modifier;
  const entryColumn = { ...column, type: element, modifier };
  const base = baseType(element);
  if (base.kind === 'enum' && type.of.type === 'enum') {
    return compareValues(type.of.values, entryColumn, field.name);
  }
  const neededType = own.replace('[]', '');
  return familyOf(entryColumn) === (ownMember(FAMILIES, neededType) ?? neededType)
    ? compareLimits(entryField, entryColumn, name)
    : [wrongType(column, name, `${quote(field.name)} is a list of ${type.of.type}`)];
}

function compareEnum(
  { name: field, type, stored }: Field,
  column: DatabaseColumn,
  name: string,
): string[] {
  const { kind, schema, name: own } = baseType(column.type);
  if (stored === undefined || type.type !== 'enum') {
    const written = nameWithSchema({ schema, table: own });
    return [wrongType(column, name, `${quote(field)} has no "stored: ${written}"`)];
  }
  if (kind !== 'enum' || schema !== stored.schema || own !== stored.type) {
    const written = nameWithSchema({ schema: stored.schema, table: stored.type });
    return [wrongType(column, name, `${quote(field)} is stored as ${written}`)];
  }
  return compareValues(type.values, column, field);
}

/** Compares the values of an enum field with those of the enum type of its column, or of its entries. */
function compareValues(
  listed: readonly string[],
  { type, definition }: DatabaseColumn,
  field: string,
): string[] {
  const { values } = baseType(type);
  const unknown = values.filter((value) => !listed.includes(value));
  const missing = listed.filter((value) => !values.includes(value));
  const list = (some: readonly string[]): string => enumerate(some.map(quote), 'and');
  return [
    ...(unknown.length > 0
      ? [`${quote(field)} does not list the values ${list(unknown)} of ${definition}`]
      : []),
    ...(missing.length > 0 ? [`${definition} has no values ${list(missing)}`] : []),
  ];
}

/** Values that the definition takes and the column does not. */
function compareLimits(
  { name: field, type, isSequence, isGenerated }: Field,
  column: DatabaseColumn,
  name: string,
): string[] {
  const base = baseType(column.type).name;
  const { modifier, definition } = column;
  // No request sends values.
  if (isSequence === true || isGenerated === true || column.isGenerated) return [];
  const takes = `${quote(column.name)} of ${name} is ${definition}`;
  if (type.type === 'string' || type.type === 'text') {
    if (!['varchar', 'bpchar'].includes(base) || modifier < 0) return [];
    const most = modifier - 4;
    return (type.maxLength ?? Infinity) <= most
      ? []
      : [`${takes}, and ${quote(field)} has no "max_length: ${most}"`];
  }
  if (type.type === 'integer' || type.type === 'bigint') {
    const most = ownMember(LARGEST, base);
    const { minimum = -Infinity, maximum = Infinity } = type;
    return most === undefined || (Number(minimum) >= -most - 1 && Number(maximum) <= most)
      ? []
      : [`${takes}, and ${quote(field)} has no "minimum: ${-most - 1}" and "maximum: ${most}"`];
  }
  if (type.type === 'decimal' && modifier >= 0) {
    // As `numeric_maximum_size` in PostgreSQL's numeric.c reads it.
    const [precision, scale] = [((modifier - 4) >> 16) & 0xff_ff, (modifier - 4) & 0x7_ff];
    return type.scale <= scale && type.precision - type.scale <= precision - scale
      ? []
      : [`${takes}, and ${quote(field)} is decimal(${type.precision}, ${type.scale})`];
  }
  return [];
}

function compareReference(
  { field, onDelete, target }: Relation,
  column: string,
  { columns, constraintStates, foreignKeys, schema, name }: DatabaseTable,
): string[] {
  // References to tables of the service are refused.
  const {
    schema: toSchema,
    table: toTable,
    keyColumns: [key],
    softDelete,
  } = existingOf(target);
  const found = foreignKeys.find(
    (one) =>
      one.columns.length === 1 &&
      one.columns[0] === column &&
      one.schema === toSchema &&
      one.table === toTable &&
      one.referredColumns[0] === key &&
      !one.isPartial &&
      !constraintStates.some(
        ({ name: own, state }) => own === one.name && state === 'not enforced',
      ),
  );
  const from = nameWithSchema({ schema, table: name });
  if (found === undefined) {
    return [
      `${from} has no foreign key from ${quote(column)} to ${nameWithSchema({ schema: toSchema, table: toTable })}`,
    ];
  }
  const [wanted, actual] = [ON_DELETE[onDelete], found.onDelete];
  // The removal fails just as well if a column that takes no nulls would become null.
  const takesNulls = columns.some((one) => one.name === column && !one.notNull);
  const refuses = ['restrict', ...(takesNulls ? [] : ['set null'])].includes(actual);
  // No definition can say it; and where rows stay, no action ever runs.
  if (actual === 'set default' || softDelete !== undefined) return [];
  if (wanted === actual || (onDelete === 'refuse' && refuses)) return [];
  return [
    `the foreign key ${quote(found.name)} of ${from} is "on delete ${actual}", and ${quote(field.name)} has "on_delete: ${onDelete}"`,
  ];
}

/** Columns that need a value in each row, and no field has them. A trigger may set one. */
function unsetColumns(
  definition: CollectionDefinition,
  existing: ExistingTable,
  table: DatabaseTable,
): string[] {
  if (rowTriggers(table, 'INSERT').length > 0) return [];
  const known = new Set([
    ...existing.keyColumns,
    ...(existing.softDelete === undefined ? [] : [existing.softDelete.column]),
    ...Object.values(existing.times),
    ...definition.fields.map(({ name }) => columnOfMember(definition, name)),
  ]);
  return table.columns
    .filter((one) => one.notNull && one.default === null && !one.isIdentity && !known.has(one.name))
    .map(
      (one) =>
        `each row of ${nameWithSchema(existing)} needs a value of ${quote(one.name)}, and no field is stored in it`,
    );
}
