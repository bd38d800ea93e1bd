/**
 * What a database does with lists, as a JSON document. Its form is public: members are added, never renamed or
 * removed.
 */
import { issuesDocument } from '../../definition/index.ts';
import type { Model } from '../../model/types.ts';
import type { Issue } from '../../reading/position.ts';
import { MOST_ROWS_READ } from './database.ts';
import type { ExplainedList, ExplainedTable } from './database.ts';
import { listRequest } from './list-request.ts';

export function databaseDocument(
  { service: { name, title, versions } }: Model,
  tables: readonly ExplainedTable[],
  warnings: readonly Issue[],
): object {
  return {
    ok: true,
    service: { name, title, version: versions.at(-1) ?? 1 },
    mostRowsRead: MOST_ROWS_READ,
    collections: tables.map(({ collection, table, sizes, missing, note, lists }) => ({
      collection,
      table,
      rows: sizes?.rows ?? null,
      bytes: sizes?.bytes ?? null,
      indexes: sizes?.indexes ?? [],
      missingIndexes: missing,
      note: note ?? null,
      lists: lists.map(listOf),
    })),
    warnings: issuesDocument(warnings),
  };
}

/** A list without a reading has nothing to measure: the table has no value for its parameter. */
function listOf(one: ExplainedList): object {
  const { list, reading, suggestion } = one;
  return {
    request: listRequest(one),
    own: list.own,
    rowsRead: reading?.rows ?? null,
    indexesUsed: reading?.indexes ?? [],
    sorted: reading?.isSorted ?? false,
    filteredUntilFull: reading?.isWalk ?? false,
    overLimit: suggestion !== undefined,
    entry: suggestion !== undefined && 'entry' in suggestion ? suggestion.entry : null,
    reason: suggestion !== undefined && 'reason' in suggestion ? suggestion.reason : null,
  };
}
