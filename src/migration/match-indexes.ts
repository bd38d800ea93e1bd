/** Matches the indexes of two tables that differ in the names of columns. */
import type { Index } from '../model/types.ts';
import { quoted } from '../shared/sql.ts';

/**
 * Maps each index to the same one of `others`, in whatever order they are.
 * @param rename the name of a column of `others` by its name in `indexes`, both unquoted.
 */
export function matchIndexes(
  indexes: readonly Index[],
  others: readonly Index[],
  rename: (column: string) => string,
): ReadonlyMap<Index, Index> {
  const keyOf = (
    { unique, method, on, where }: Index,
    nameOf: (column: string) => string,
  ): string =>
    JSON.stringify([
      unique,
      method,
      ...[...on, where?.condition ?? ''].map((sql) => renameColumns(sql, nameOf)),
    ]);
  const found = new Map(others.map((index) => [keyOf(index, (column) => column), index]));
  return new Map(
    indexes.flatMap((index) => {
      const other = found.get(keyOf(index, rename));
      return other === undefined ? [] : [[index, other] as const];
    }),
  );
}

/** Renames the columns of an expression. A text in it may look like a column. */
const renameColumns = (sql: string, nameOf: (column: string) => string): string =>
  sql.replaceAll(/'(?:[^']|'')*'|"([a-z0-9_]+)"/g, (part: string, column: string | undefined) =>
    column === undefined ? part : quoted(nameOf(column)),
  );
