/** The primary key of a table that definitions use in place. */
import type { DatabaseColumn, DatabaseTable } from '../database/database-schema.ts';
import { isGeneratedKey, keyTypeOf } from './built-in-columns.ts';
import { ofTable } from './difference.ts';
import type { Difference } from './difference.ts';

/** Why the ids of a collection cannot be the primary key of a table; undefined: they can. */
export function keyObstacle(table: DatabaseTable): Difference | undefined {
  const { primaryKey, foreignKeys } = table;
  if (primaryKey === undefined) return ofTable('key-missing', 'is left out: it has no primary key');
  const names = primaryKey.columns.join(', ');
  if (primaryKey.columns.length > 1) {
    return ofTable('key-composite', `is left out: its primary key has several columns (${names})`);
  }
  const key = primaryKeyColumn(table);
  if (key === undefined || foreignKeys.some(({ columns }) => columns.includes(key.name))) {
    return ofTable('key-reference', `is left out: its primary key ${names} is a foreign key`);
  }
  if (key.type.name === 'int2') {
    const text = `is left out: its primary key ${names} is smallint, and ids are uuid, integer or bigint`;
    return ofTable('key-type', text);
  }
  if (keyTypeOf(key) === undefined) {
    const is = `its primary key ${names} is ${key.definition}`;
    return key.name === 'id'
      ? ofTable('key-type', `is left out: ${is}, and ids are uuid, integer or bigint`)
      : ofTable('key-natural', `is left out: ${is}, which is a natural key`);
  }
  if (isGeneratedKey(key) && !key.isGenerated) return undefined;
  const text = `is left out: its primary key ${names} has no default that numbers the rows`;
  return ofTable('key-without-default', text);
}

/** The column of a primary key of one column. */
export const primaryKeyColumn = ({
  primaryKey,
  columns,
}: DatabaseTable): DatabaseColumn | undefined =>
  columns.find(({ name }) => name === primaryKey?.columns[0]);

/** The key of a collection as it is written; none for a UUID in a column that is called id. */
export function keyDefinition(column: DatabaseColumn): { readonly key?: unknown } {
  const { name } = column;
  const type = keyTypeOf(column) ?? 'uuid';
  if (name !== 'id') return { key: { type, column: name } };
  return type === 'uuid' ? {} : { key: type };
}
