/**
 * Parses permission tables. The header row names the callers; each further row has a method, a path
 * and the status of the response to each caller. Columns are separated by two or more spaces.
 */

/** The status of the response to each caller. */
export type Statuses = Readonly<Record<string, number>>;

/** The rows of a table, as arguments for `test.each`. */
export function rowsOf(table: string): [method: string, path: string, statuses: Statuses][] {
  const [head = '', ...rows] = table.trim().split('\n');
  const callers = columnsOf(head);
  return rows.map((row) => {
    const [method = '', path = '', ...cells] = columnsOf(row);
    const statuses = callers.map((caller, at) => [caller, Number(cells[at])] as const);
    return [method, path, Object.fromEntries(statuses)];
  });
}

/** The callers of a table. */
export const callersIn = (table: string): string[] => columnsOf(table.trim().split('\n')[0] ?? '');

const columnsOf = (line: string): string[] => line.trim().split(/ {2,}/);
