/** The key of an adopted table: the primary key, or else a unique index. */
import type { DatabaseColumn, DatabaseTable, UniqueKey } from '../database/database-schema.ts';
import { nameWithSchema } from '../definition/existing-table.ts';
import { primaryKeyName } from '../shared/sql.ts';
import { keySpec } from '../types/key.ts';
import type { KeySource, KeyType } from '../types/key.ts';
import type { AdoptSettings } from './adopted-column-type.ts';
import { isGeneratedKey, keyTypeOf } from './built-in-columns.ts';
import { tableLeftOut } from './difference.ts';
import type { Difference } from './difference.ts';
import { isSecret } from './propose-field.ts';
import { rowTriggers } from './row-triggers.ts';

/** A key of one column, which no foreign key has. */
interface AdoptedKey {
  readonly key: UniqueKey;
  readonly column: DatabaseColumn;
  readonly type: KeyType;
  readonly source: KeySource;
}

/** The table with the key that becomes the id as its primary key, so that other modules read only that. */
export function withAdoptedKey(
  table: DatabaseTable,
  { previousIdColumns }: AdoptSettings,
): DatabaseTable {
  const { primaryKey, uniques } = table;
  const isUsable = (key: UniqueKey): boolean => uniqueKeyObstacle(table, key) === undefined;
  const primary = primaryKey !== undefined && isUsable(primaryKey) ? primaryKey : undefined;
  const usable = uniques.filter((key) => identifiesEveryRow(table, key) && isUsable(key));
  const dedicated = usable
    .filter((key) => isDedicatedColumn(table, key))
    .map((key) => adoptedKey(table, key))
    .toSorted(comparePreference);
  const name = nameWithSchema({ schema: table.schema, table: table.name });
  const previous = previousIdColumns?.get(name)?.join();
  // docs/import.md describes this order.
  const candidates = [
    // Clients have stored the ids of the last import.
    [primary, ...usable].find((key) => key?.columns.join() === previous),
    primary !== undefined && isDedicatedColumn(table, primary) ? primary : undefined,
    dedicated.find(isIdOrGenerated)?.key,
    primary,
    dedicated[0]?.key,
    usable.toSorted((one, other) => one.columns.length - other.columns.length)[0],
  ];
  const key = candidates.find((one) => one !== undefined);
  if (key === undefined || key === primaryKey) return table;
  const others = uniques.filter((one) => one !== key);
  return {
    ...table,
    primaryKey: key,
    uniques: primaryKey === undefined ? others : [primaryKey, ...others],
  };
}

/** Whether a key is one column that is not a foreign key. The columns of other keys become fields. */
const isDedicatedColumn = (
  { foreignKeys }: DatabaseTable,
  { columns: [column, ...others] }: UniqueKey,
): boolean =>
  others.length === 0 && !foreignKeys.some(({ columns }) => columns.includes(column ?? ''));

const isIdOrGenerated = ({ column, source }: AdoptedKey): boolean =>
  column.name === 'id' || source !== 'client';

/** A column called `id` first, which can be nothing else; then generated ids, and texts last. */
function comparePreference(one: AdoptedKey, other: AdoptedKey): number {
  const isWorse: readonly ((key: AdoptedKey) => boolean)[] = [
    ({ column }) => column.name !== 'id',
    ({ source }) => source === 'client',
    ({ type }) => type === 'string',
  ];
  const comparisons = isWorse.map((test) => Number(test(one)) - Number(test(other)));
  return comparisons.find((comparison) => comparison !== 0) ?? 0;
}

/** Whether no two rows have the same value, and each row has one. */
const identifiesEveryRow = (
  { columns, constraintStates }: DatabaseTable,
  { name, columns: names, where, isNondeterministic }: UniqueKey,
): boolean =>
  where === null &&
  !isNondeterministic &&
  !constraintStates.some((one) => one.name === name) &&
  names.every((one) => columns.some(({ name: column, notNull }) => column === one && notNull));

/** Why the ids of a collection cannot be in a table; undefined: they can. */
export function keyObstacle(table: DatabaseTable): Difference | undefined {
  const { primaryKey } = table;
  if (primaryKey !== undefined) return uniqueKeyObstacle(table, primaryKey);
  const reason =
    'it has no primary key, and no unique index over columns that take no nulls and could be the id';
  return tableLeftOut('key-missing', reason);
}

/** Why the values of a unique key cannot be ids; undefined: they can. */
function uniqueKeyObstacle(table: DatabaseTable, key: UniqueKey): Difference | undefined {
  const names = key.columns.map((name) => name ?? 'an expression').join(', ');
  const leaveOut = (code: Difference['code'], why: string): Difference =>
    tableLeftOut(code, `its primary key ${why}`);
  if (table.constraintStates.some(({ name }) => name === key.name)) {
    return leaveOut('constraint-state', `${names} is deferrable`);
  }
  if (key.columns.length > 1) {
    const why = partObstacle(table, key);
    return why === undefined ? undefined : leaveOut('key-composite', `(${names}) ${why}`);
  }
  const column = table.columns.find(({ name }) => name === key.columns[0]);
  if (column === undefined) return leaveOut('key-type', 'is an expression');
  const type = adoptedKeyType(column);
  if (type === undefined && !column.comparesExactly) {
    return leaveOut('key-type', `${names} treats different texts as equal`);
  }
  if (type === undefined) {
    const why = `${names} is ${column.definition}, and ids are uuid, smallint, integer, bigint or a text`;
    return leaveOut('key-type', why);
  }
  if (isSecret(column.name, { type })) {
    const why = `${names} has the name of a secret, and ids are in paths and logs`;
    return leaveOut('key-secret', why);
  }
  if (column.isGenerated) return leaveOut('key-type', `${names} is computed by the database`);
  const isSetByTrigger =
    sourceOf(column) === 'client' && type !== 'string' && rowTriggers(table, 'INSERT').length > 0;
  return isSetByTrigger
    ? leaveOut('key-without-default', `${names} has no default, and a trigger may set it`)
    : undefined;
}

/** Why an id cannot consist of the columns of a key; undefined: it can. */
function partObstacle({ columns }: DatabaseTable, key: UniqueKey): string | undefined {
  for (const name of key.columns) {
    const column = columns.find((one) => one.name === name);
    if (column === undefined) return 'has an expression';
    const { type, definition, isGenerated } = column;
    const isEnum = type.kind === 'enum';
    const keyType = adoptedKeyType(column);
    if (keyType === undefined && !column.comparesExactly && !isEnum) {
      return `treats different texts of ${name} as equal`;
    }
    if (keyType === undefined && !isEnum) {
      return `has ${name}, which is ${definition}: ids consist of numbers, texts, enums and UUIDs`;
    }
    if (keyType !== undefined && isSecret(column.name, { type: keyType })) {
      return `has ${name}, which has the name of a secret, and ids are in paths and logs`;
    }
    if (isGenerated) return `has ${name}, which the database computes`;
  }
  return undefined;
}

/** The type of ids that are the values of a column. */
function adoptedKeyType(column: DatabaseColumn): KeyType | undefined {
  const { type, comparesExactly } = column;
  if (type.schema !== 'pg_catalog') return undefined;
  if (type.name === 'int2') return 'smallint';
  const isText = type.name === 'text' || type.name === 'varchar';
  return isText ? (comparesExactly ? 'string' : undefined) : keyTypeOf(column);
}

function sourceOf(column: DatabaseColumn): KeySource {
  if (adoptedKeyType(column) === 'uuid') return 'service';
  return isGeneratedKey(column) ? 'database' : 'client';
}

function adoptedKey({ columns }: DatabaseTable, key: UniqueKey): AdoptedKey {
  const column = columns.find(({ name }) => name === key.columns[0]);
  const type = column && adoptedKeyType(column);
  if (column === undefined || type === undefined) throw new Error(`${key.name} is not a key`);
  return { key, column, type, source: sourceOf(column) };
}

/** The column of a primary key of one column. */
export const primaryKeyColumn = ({
  primaryKey,
  columns,
}: DatabaseTable): DatabaseColumn | undefined =>
  primaryKey?.columns.length === 1
    ? columns.find(({ name }) => name === primaryKey.columns[0])
    : undefined;

/**
 * The columns of a primary key whose values ids consist of; empty, if they are in a column of their own.
 * @param isReference whether a column becomes a reference: it is a field then, and the id too.
 */
export function keyParts(
  { primaryKey, columns }: DatabaseTable,
  isReference: (column: DatabaseColumn) => boolean,
): readonly DatabaseColumn[] {
  const parts = (primaryKey?.columns ?? []).flatMap(
    (name) => columns.find((column) => column.name === name) ?? [],
  );
  return parts.length > 1 || parts.some(isReference) ? parts : [];
}

/**
 * The key of a collection as it is written, without what is so anyway; none for a UUID in a column that is called id.
 * @param fields those that ids consist of; empty, if they are in a column of their own.
 */
export function keyDefinition(
  table: DatabaseTable,
  fields: readonly string[],
): { readonly key?: unknown } {
  if (table.primaryKey === undefined) return {};
  if (fields.length > 0) {
    const { name } = table.primaryKey;
    return { key: { fields, ...(name !== primaryKeyName(table.name) && { name }) } };
  }
  const { key, column, type, source } = adoptedKey(table, table.primaryKey);
  // Only violations of an index that clients can cause are identified by its name.
  const isNamed = source !== 'service' && key.name !== primaryKeyName(table.name);
  const options = {
    ...(column.name !== 'id' && { column: column.name }),
    ...(source !== keySpec(type).sources[0] && { generated: source }),
    ...(isNamed && { name: key.name }),
  };
  if (Object.keys(options).length > 0) return { key: { type, ...options } };
  return type === 'uuid' ? {} : { key: type };
}

/** What is special about the ids of an adopted table. */
export function adoptedKeyDifferences(
  table: DatabaseTable,
  parts: readonly DatabaseColumn[],
): readonly Difference[] {
  if (table.primaryKey === undefined) return [];
  if (parts.length > 0) {
    const names = parts.map(({ name }) => name);
    const { isPrimary, name: index } = table.primaryKey;
    const because = isPrimary ? '' : `, because of the unique index ${index}`;
    const text =
      names.length === 1
        ? `is the id, and a reference${because}`
        : `form the id together${because}`;
    return [{ code: 'key-fields', columns: names, text }];
  }
  const { key, column, source } = adoptedKey(table, table.primaryKey);
  const columns = [column.name];
  const index = `has the ids, because of the unique index ${key.name}`;
  return [
    ...(key.isPrimary ? [] : [{ code: 'key-index', columns, text: index } as const]),
    ...(source === 'client'
      ? [
          {
            code: 'key-client',
            columns,
            text: 'has the ids, and nothing generates them: requests send the id of a new item',
          } as const,
        ]
      : []),
  ];
}
