/** The column by which programs mark removed rows, in adopted tables. */
import type { DatabaseColumn, DatabaseTable } from '../database/database-schema.ts';
import { nameWithSchema } from '../definition/existing-table.ts';
import { caseOf } from '../definition/names.ts';
import { quote } from '../reading/quote.ts';
import { userError } from '../shared/errors.ts';
import { conditionOnVisibleRows } from '../shared/soft-delete.ts';
import type { AdoptSettings } from './adopted-column-type.ts';

const NAME = /^(?:is_)?(?:deleted|discarded|trashed|removed)(?:_at|_on)?$/;

/** The last word of the name of a table whose rows record what happened. */
const RECORD = /(?:^|_)(?:versions?|revisions?|events?|logs?|audits?|history|histories)$/;

/** Whether a column has the name of one that marks removed rows: `deleted_at`, `deletedAt`. */
export const isSoftDeleteName = (name: string): boolean =>
  NAME.test(name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase());

/** The column that somebody has named as the one that marks removed rows; undefined without one, or if it cannot be. */
export function findSoftDeleteColumn(
  table: DatabaseTable,
  settings: AdoptSettings,
): DatabaseColumn | undefined {
  const named = settings.softDeleteColumns?.get(tableName(table));
  return table.columns.find((column) => column.name === named && canMark(column, settings));
}

/** A column that may mark removed rows. */
export interface SoftDeleteOffer {
  /** With the schema if it is not `public`. */
  readonly table: string;
  readonly column: string;
}

/** Names tables whose rows a column marks as removed, with or without their schema. */
export type ChooseSoftDelete = (offered: readonly SoftDeleteOffer[]) => Promise<readonly string[]>;

/**
 * The columns that mark removed rows, by their tables.
 * @param choose is offered no table of records, but may name one.
 * @throws UserError if a table that is named has no such column.
 */
export async function chooseSoftDeleteColumns(
  tables: readonly DatabaseTable[],
  settings: Pick<AdoptSettings, 'timestamps'>,
  choose: ChooseSoftDelete,
): Promise<ReadonlyMap<string, string>> {
  const candidates = tables.flatMap((from) => {
    const column = softDeleteCandidate(from, settings)?.name;
    return column === undefined ? [] : [{ from, table: tableName(from), column }];
  });
  const offered = candidates.filter(({ from }) => !isRecordTable(from));
  const names = await choose(offered.map(({ table, column }) => ({ table, column })));
  const columnsOf = (name: string): readonly (readonly [string, string])[] => {
    const found = candidates.filter(({ from: { schema, name: table } }) =>
      [table, `${schema}.${table}`].includes(name),
    );
    if (found.length > 0) return found.map(({ table, column }) => [table, column]);
    throw userError('usage', {
      problem: `--soft-delete names ${quote(name)}, and import finds no single column there that may mark removed rows`,
      hint: 'Such a column is a time that may be null, or a boolean that is not null and false by default, with a name such as deleted_at or is_deleted. For another column, write soft_delete into the definition.',
    });
  };
  return new Map(names.flatMap(columnsOf));
}

/**
 * The column that may mark removed rows: the only one with such a name that is null, or false, as long as nobody removes
 * the row. A name is no proof: in a table of versions, it says what was removed at that time.
 */
function softDeleteCandidate(
  table: DatabaseTable,
  settings: Pick<AdoptSettings, 'timestamps'>,
): DatabaseColumn | undefined {
  const found = table.columns.filter(
    (column) => isSoftDeleteName(column.name) && canMark(column, settings),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** Whether the rows of a table record what happened, so that a mark in them belongs to the record. */
const isRecordTable = ({ name }: Pick<DatabaseTable, 'name'>): boolean =>
  RECORD.test(caseOf(name, '_'));

function canMark(
  { type, notNull, default: sql, isGenerated }: DatabaseColumn,
  { timestamps }: Pick<AdoptSettings, 'timestamps'>,
): boolean {
  if (type.schema !== 'pg_catalog' || isGenerated) return false;
  if (type.name === 'bool') return notNull && sql === 'false';
  const isTime = type.name === 'timestamptz' || (type.name === 'timestamp' && timestamps === 'utc');
  return isTime && !notNull && sql === null;
}

const tableName = ({ schema, name }: DatabaseTable): string =>
  nameWithSchema({ schema, table: name });

/** What a report says of a column that may mark removed rows, and becomes a plain field. */
export function softDeleteAdvice(
  column: DatabaseColumn,
  table: DatabaseTable,
  settings: AdoptSettings,
): string | undefined {
  if (isRecordTable(table) || softDeleteCandidate(table, settings) !== column) return undefined;
  const type = column.type.name === 'bool' ? ', type: boolean' : '';
  return (
    'may mark removed rows: as a plain field, lists show these rows, and DELETE deletes rows. If it marks them, import with ' +
    `--soft-delete ${tableName(table)}, or write soft_delete: { column: ${column.name}${type} } in place of the field, ` +
    'and take the field out of sort, filter, unique and checks'
  );
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
