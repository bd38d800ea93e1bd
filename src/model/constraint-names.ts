/** The names of the constraints that no definition asks for. */
import { objectName, primaryKeyName } from '../shared/sql.ts';
import type { Table } from './types.ts';

/** The name of the primary key of a table that the service creates. */
export const primaryKeyOf = (table: string): string => objectName(table, 'pkey');

/** The name of the primary key of a table; of an existing one, that which PostgreSQL gives. */
export const keyConstraintOf = ({ name, existing }: Pick<Table, 'name' | 'existing'>): string =>
  existing === undefined
    ? primaryKeyOf(name)
    : (existing.keyName ?? primaryKeyName(existing.table));

/** The name of the foreign key from the creator of an item to users. */
export const ownerKeyOf = (table: string): string => objectName(table, '_owner_id', 'fkey');

/** The name of the check of a column. */
export const checkNameOf = (table: string, column: string): string =>
  objectName(table, column, 'check');
