/** The column by which programs mark removed rows, in tables that definitions use in place. */
import type { DatabaseColumn, DatabaseTable } from '../database/database-schema.ts';
import { writtenTable } from '../definition/existing-table.ts';
import { conditionOnKept } from '../shared/soft-delete.ts';
import type { AdoptSettings } from './adopted-column-type.ts';

const NAME = /^(?:is_)?(?:deleted|discarded|trashed|removed)(?:_at|_on)?$/;

/** Whether a column has the name of one that marks removed rows: `deleted_at`, `deletedAt`. */
export const isSoftDeleteName = (name: string): boolean =>
  NAME.test(name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase());

/**
 * The column of such a name that is null, or false, as long as nobody removes the row. Of several it is the one of the
 * last import; undefined if there is none.
 */
export function softDeleteColumn(
  table: DatabaseTable,
  settings: AdoptSettings,
): DatabaseColumn | undefined {
  const found = table.columns.filter(
    (column) => isSoftDeleteName(column.name) && marks(column, settings),
  );
  const former = settings.marks?.get(writtenTable({ schema: table.schema, table: table.name }));
  return found.length === 1 ? found[0] : found.find(({ name }) => name === former);
}

function marks(
  { type, notNull, default: sql, isGenerated }: DatabaseColumn,
  { timestamps }: AdoptSettings,
): boolean {
  if (type.schema !== 'pg_catalog' || isGenerated) return false;
  if (type.name === 'bool') return notNull && sql === 'false';
  const isTime = type.name === 'timestamptz' || (type.name === 'timestamp' && timestamps === 'utc');
  return isTime && !notNull && sql === null;
}

/** The option of a collection as it is written. */
export const softDeleteDefinition = (column: DatabaseColumn): object => ({
  soft_delete: { column: column.name, ...(column.type.name === 'bool' && { type: 'boolean' }) },
});

/** The table as lists see it: indexes over the rows that are not marked are over all of them. */
export function withKeptRows(table: DatabaseTable, { name, type }: DatabaseColumn): DatabaseTable {
  const softDelete = {
    column: name,
    type: type.name === 'bool' ? 'boolean' : 'timestamp',
  } as const;
  const shown = <Of extends { readonly where: string | null }>(index: Of): Of => ({
    ...index,
    where: conditionOnKept(index.where, softDelete),
  });
  return { ...table, uniques: table.uniques.map(shown), indexes: table.indexes.map(shown) };
}
