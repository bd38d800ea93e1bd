/** What to write into a definition so that a list reads few rows, where something can. */
import { rowsOfPage } from '../model/list-statement.ts';
import type { ListColumn } from '../model/list-columns.ts';
import { columnSql } from '../model/lists.ts';
import type { ItemList } from '../model/lists.ts';
import type { Collection } from '../model/types.ts';

/** A new entry of `indexes`, or why none helps. */
export type Suggestion = { readonly entry: readonly string[] } | { readonly reason: string };

/** An index is proposed if it saves this many times the rows that a page then reads. */
const LEAST_GAIN = 4;

/**
 * Proposes an index for a list: the fields that it is limited to and filtered by, then the one that it is sorted by.
 * @param rows those that a page reads now.
 */
export function suggestIndex({ definition }: Collection, list: ItemList, rows: number): Suggestion {
  const { scopes, filter, sort, words } = list;
  if (words !== undefined) {
    return { reason: 'no index has the matches of a search in the order of a list' };
  }
  const unnamed = scopes.find(({ field }) => field === undefined);
  if (unnamed !== undefined) {
    return unnamed.column.column === 'id'
      ? { reason: 'the items of an owner are read by their ids' }
      : { reason: 'no entry of indexes can name the creator of an item' };
  }
  const other = [filter, sort].find((one) => one !== undefined && !isStored(list, one));
  if (other !== undefined) {
    return { reason: `this version shows ${other.member} in another form than the stored one` };
  }
  const entry = [
    ...new Set([
      ...scopes.map(({ field = '' }) => field),
      ...(filter === undefined ? [] : [filter.stored]),
      ...(sort === undefined ? [] : [sort.stored]),
    ]),
  ];
  const isDeclared = definition.indexes.some(
    (keys) => String(keys.map(({ field }) => field)) === String(entry),
  );
  if (entry.length < 2 || isDeclared) {
    return { reason: 'the definition has an index for it, and PostgreSQL expects less of that' };
  }
  const least = rowsOfPage(list);
  return rows < LEAST_GAIN * least
    ? { reason: `with an index it would read ${least} rows` }
    : { entry };
}

/** Whether a member is compared as it is stored. */
const isStored = ({ table }: ItemList, { sql, column }: ListColumn): boolean =>
  sql === columnSql({ table, column });
