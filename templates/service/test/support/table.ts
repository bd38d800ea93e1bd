/**
 * Tables of who may do what. At the head stand the callers, in front of each row a method and a
 * path, and in between the status of the answer; two spaces or more part the columns.
 */

/** What each caller is answered. */
export type Statuses = Readonly<Record<string, number>>;

/** Reads a table; each row is fit for the arguments of a test. */
export function rowsOf(table: string): [method: string, path: string, statuses: Statuses][] {
  const [head = '', ...rows] = table.trim().split('\n');
  const callers = columnsOf(head);
  return rows.map((row) => {
    const [method = '', path = '', ...cells] = columnsOf(row);
    const statuses = callers.map((caller, at) => [caller, Number(cells[at])] as const);
    return [method, path, Object.fromEntries(statuses)];
  });
}

/** The callers of a table, from left to right. */
export const callersIn = (table: string): string[] => columnsOf(table.trim().split('\n')[0] ?? '');

const columnsOf = (line: string): string[] => line.trim().split(/ {2,}/);
