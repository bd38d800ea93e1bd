/** The column by which programs mark removed rows, in adopted tables. */
import type { DatabaseColumn, DatabaseTable } from '../database/database-schema.ts';
import { nameWithSchema } from '../definition/existing-table.ts';
import { conditionOnVisibleRows } from '../shared/soft-delete.ts';
import type { AdoptSettings } from './adopted-column-type.ts';

const NAME = /^(?:is_)?(?:deleted|discarded|trashed|removed)(?:_at|_on)?$/;

/** Whether a column has the name of one that marks removed rows: `deleted_at`, `deletedAt`. */
export const isSoftDeleteName = (name: string): boolean =>
  NAME.test(name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase());

/**
 * The column of such a name that is null, or false, as long as nobody removes the row. If there are
 * several, it is the one of the last import; undefined if there is none.
 */
export function findSoftDeleteColumn(
  table: DatabaseTable,
  settings: AdoptSettings,
): DatabaseColumn | undefined {
  const found = table.columns.filter((column) => isSoftDeleteColumn(column, settings));
  const previous = settings.previousSoftDeleteColumns?.get(
    nameWithSchema({ schema: table.schema, table: table.name }),
  );
  return found.length === 1 ? found[0] : found.find(({ name }) => name === previous);
}

function isSoftDeleteColumn(
  { name, type, notNull, default: sql, isGenerated }: DatabaseColumn,
  { timestamps }: AdoptSettings,
): boolean {
  if (!isSoftDeleteName(name) || type.schema !== 'pg_catalog' || isGenerated) return false;
  if (type.name === 'bool') return notNull && sql === 'false';
  const isTime = type.name === 'timestamptz' || (type.name === 'timestamp' && timestamps === 'utc');
  return isTime && !notNull && sql === null;
}

/** The option of a collection as it is written. */
export const softDeleteDefinition = (column: DatabaseColumn): object => ({
  soft_delete: { column: column.name, ...(column.type.name === 'bool' && { type: 'boolean' }) },
});

/** Treats partial indexes `where deleted_at is null` as full ones, because lists read only these rows. */
export function withIndexesOverVisibleRows(
  table: DatabaseTable,
  { name, type }: DatabaseColumn,
): DatabaseTable {
  const softDelete = {
    column: name,
    type: type.name === 'bool' ? 'boolean' : 'timestamp',
  } as const;
  const overVisibleRows = <Of extends { readonly where: string | null }>(index: Of): Of => ({
    ...index,
    where: conditionOnVisibleRows(index.where, softDelete),
  });
  return {
    ...table,
    uniques: table.uniques.map(overVisibleRows),
    indexes: table.indexes.map(overVisibleRows),
  };
}
