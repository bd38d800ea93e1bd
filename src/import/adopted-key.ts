/** The key of a table that definitions use in place: the primary key, or else a unique index. */
import type { DatabaseColumn, DatabaseTable, UniqueKey } from '../database/database-schema.ts';
import { primaryKeyName } from '../shared/sql.ts';
import { keySpec } from '../types/key.ts';
import type { KeySource, KeyType } from '../types/key.ts';
import { isGeneratedKey, keyTypeOf } from './built-in-columns.ts';
import { ofTable } from './difference.ts';
import type { Difference } from './difference.ts';
import { isSecret } from './propose-field.ts';
import { rowTriggers } from './row-triggers.ts';

interface AdoptedKey {
  readonly key: UniqueKey;
  readonly column: DatabaseColumn;
  readonly type: KeyType;
  readonly source: KeySource;
}

/**
 * The table with the key that ids are in as its primary key: other modules know no more of keys. The primary key, if
 * its values can be ids; else a unique index, one whose values the database generates first.
 */
export function withAdoptedKey(table: DatabaseTable): DatabaseTable {
  const { primaryKey, uniques } = table;
  if (primaryKey === undefined ? uniques.length === 0 : !isKeyLost(table, primaryKey)) return table;
  const found = uniques
    .filter((key) => isWhole(table, key) && keyObstacleOf(table, key) === undefined)
    .map((key) => adoptedKey(table, key))
    .toSorted((one, other) => rank(one) - rank(other))[0];
  if (found === undefined) return table;
  const others = uniques.filter((key) => key !== found.key);
  return {
    ...table,
    primaryKey: found.key,
    uniques: primaryKey === undefined ? others : [primaryKey, ...others],
  };
}

const isKeyLost = (table: DatabaseTable, key: UniqueKey): boolean =>
  keyObstacleOf(table, key) !== undefined;

/** A column called id first, which can be nothing else; then generated ids, and texts last. */
const rank = ({ column, type, source }: AdoptedKey): number =>
  (column.name === 'id' ? -4 : 0) + (source === 'client' ? 2 : 0) + (type === 'string' ? 1 : 0);

/** Whether no two rows have the same value, and each row has one. */
const isWhole = (
  { columns, constraintStates }: DatabaseTable,
  { name, columns: names, where, isNondeterministic }: UniqueKey,
): boolean =>
  where === null &&
  !isNondeterministic &&
  !constraintStates.some((one) => one.name === name) &&
  names.every((own) => columns.some((column) => column.name === own && column.notNull));

/** Why the ids of a collection cannot be in a table; undefined: they can. */
export function keyObstacle(table: DatabaseTable): Difference | undefined {
  const { primaryKey } = table;
  if (primaryKey !== undefined) return keyObstacleOf(table, primaryKey);
  const text =
    'is left out: it has no primary key, and no unique index over one column that takes no nulls and could be the id';
  return ofTable('key-missing', text);
}

/** Why the values of a unique key cannot be ids; undefined: they can. */
function keyObstacleOf(table: DatabaseTable, key: UniqueKey): Difference | undefined {
  const names = key.columns.map((name) => name ?? 'an expression').join(', ');
  const leaveOut = (code: Difference['code'], why: string): Difference =>
    ofTable(code, `is left out: its primary key ${why}`);
  if (key.columns.length > 1) return leaveOut('key-composite', `has several columns (${names})`);
  const column = table.columns.find(({ name }) => name === key.columns[0]);
  if (
    column === undefined ||
    table.foreignKeys.some(({ columns }) => columns.includes(column.name))
  ) {
    return leaveOut('key-reference', `${names} is a foreign key`);
  }
  if (table.constraintStates.some(({ name }) => name === key.name)) {
    return leaveOut('constraint-state', `${names} is deferrable`);
  }
  const type = typeOf(column);
  if (type === undefined && !column.comparesExactly) {
    return leaveOut('key-type', `${names} compares different texts as equal`);
  }
  if (type === undefined) {
    const why = `${names} is ${column.definition}, and ids are uuid, integer, bigint or a text`;
    return leaveOut('key-type', why);
  }
  if (type === 'string' && isSecret(column.name, { type })) {
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

/** The type of ids that are the values of a column. */
function typeOf(column: DatabaseColumn): KeyType | undefined {
  const { type, comparesExactly } = column;
  if (type.schema !== 'pg_catalog' || type.name === 'int2') return undefined;
  const isText = type.name === 'text' || type.name === 'varchar';
  return isText ? (comparesExactly ? 'string' : undefined) : keyTypeOf(column);
}

function sourceOf(column: DatabaseColumn): KeySource {
  if (typeOf(column) === 'uuid') return 'service';
  return isGeneratedKey(column) ? 'database' : 'client';
}

function adoptedKey({ columns }: DatabaseTable, key: UniqueKey): AdoptedKey {
  const column = columns.find(({ name }) => name === key.columns[0]);
  const type = column && typeOf(column);
  if (column === undefined || type === undefined) throw new Error(`${key.name} is no key`);
  return { key, column, type, source: sourceOf(column) };
}

/** The column of a primary key of one column. */
export const primaryKeyColumn = ({
  primaryKey,
  columns,
}: DatabaseTable): DatabaseColumn | undefined =>
  columns.find(({ name }) => name === primaryKey?.columns[0]);

/** The key of a collection as it is written, without what is so anyway; none for a UUID in a column that is called id. */
export function keyDefinition(table: DatabaseTable): { readonly key?: unknown } {
  if (table.primaryKey === undefined) return {};
  const { key, column, type, source } = adoptedKey(table, table.primaryKey);
  // Only violations of an index that clients can cause are told by its name.
  const isNamed = source !== 'service' && key.name !== primaryKeyName(table.name);
  const options = {
    ...(column.name !== 'id' && { column: column.name }),
    ...(source !== keySpec(type).sources[0] && { generated: source }),
    ...(isNamed && { name: key.name }),
  };
  if (Object.keys(options).length > 0) return { key: { type, ...options } };
  return type === 'uuid' ? {} : { key: type };
}

/** What is special about the ids of a table that is used in place. */
export function adoptedKeyDifferences(table: DatabaseTable): readonly Difference[] {
  if (table.primaryKey === undefined) return [];
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
