/** Rows that stay when their items are removed: a column marks them. */

/** A column that a removal sets, in place of deleting the row. */
export interface SoftDelete {
  /** Unquoted. */
  readonly column: string;
  /** The time of the removal, or null; or true of a removed item. */
  readonly type: 'timestamp' | 'boolean';
}

/** The condition that a column does not mark a row as removed. @param column an expression. */
export const isKept = (column: string, { type }: Pick<SoftDelete, 'type'>): string =>
  `${column} is ${type === 'boolean' ? 'not true' : 'null'}`;

/**
 * What a condition says of the rows that are not marked as removed; null if it is true of all of them.
 * @param where as `pg_get_expr` writes it.
 */
export function conditionOnVisibleRows(
  where: string | null,
  { column, type }: SoftDelete,
): string | null {
  if (where === null) return null;
  for (const name of [column, `"${column.replaceAll('"', '""')}"`]) {
    const tests =
      type === 'timestamp'
        ? [`(${name} IS NULL)`]
        : [`(NOT ${name})`, `(${name} = false)`, `(${name} IS NOT TRUE)`, `(${name} IS FALSE)`];
    for (const test of tests) {
      if (where === test) return null;
      if (where.startsWith(`(${test} AND `)) return `(${where.slice(test.length + 6)}`;
      if (where.endsWith(` AND ${test})`)) return `${where.slice(0, -(test.length + 6))})`;
    }
  }
  return where;
}
