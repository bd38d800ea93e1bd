/** The values that lists are measured with: common ones, which read more than rare ones. */
import type { ListColumn } from '../model/list-columns.ts';
import { columnSql } from '../model/lists.ts';
import type { TableColumn } from '../model/lists.ts';
import { quoted } from '../shared/sql.ts';
import type { DatabaseSession } from './session.ts';

/** What `analyze` knows of the values of a column. */
interface Statistics {
  readonly empty: number;
  readonly values: readonly string[] | null;
  readonly frequencies: readonly number[] | null;
}

/**
 * The values to measure, of those that `analyze` has counted: the most common one, and the one whose matching rows
 * are the nearest to the square root of table rows × page rows. For this one a page reads the most: with fewer
 * matches they are all sorted soon, with more of them a page is soon full.
 * @param frequencies the share of each in the rows.
 */
export function valuesToTry(
  values: readonly string[],
  frequencies: readonly number[],
  rows: number,
  pageRows: number,
): string[] {
  const worst = Math.sqrt(rows * pageRows);
  const best = (score: (frequency: number) => number): string | undefined => {
    const scores = frequencies.map(score);
    return values[scores.indexOf(Math.max(...scores))];
  };
  const chosen = [best((one) => one), best((one) => -Math.abs(Math.log((one * rows) / worst)))];
  return [...new Set(chosen)].filter((value) => value !== undefined);
}

/** Reads values of columns, each column once. */
export class SampleValues {
  readonly #read = new Map<string, Promise<string[]>>();
  readonly #session: DatabaseSession;
  readonly #rows: number;
  readonly #pageRows: number;

  constructor(session: DatabaseSession, rows: number, pageRows: number) {
    this.#session = session;
    this.#rows = rows;
    this.#pageRows = pageRows;
  }

  /** Values of a column; none if it is empty. */
  of(column: TableColumn): Promise<string[]> {
    return this.#once(columnSql(column), async () =>
      this.#common(column, ['most_common_vals', 'most_common_freqs'], columnSql(column)),
    );
  }

  /** Words of a searched column. */
  words(column: TableColumn): Promise<string[]> {
    return this.#once(columnSql(column), async () =>
      this.#common(
        column,
        ['most_common_elems', 'most_common_elem_freqs'],
        `${columnSql(column)}[1]`,
      ),
    );
  }

  /** Values of a member, in the form in which filters compare it. */
  ofMember(table: string, { column, sql, stored }: ListColumn, type: string): Promise<string[]> {
    const whole = { table, column };
    if (sql === columnSql(whole)) return this.of(whole);
    return this.#once(`${stored} ${sql}`, async () => {
      const values = await this.of(whole);
      const rows = await this.#session.query<{ value: string }>(
        `select distinct (${sql})::text as "value"
          from unnest($1::text[]::${type}[]) as ${quoted(table)}(${quoted(column)})`,
        [values],
      );
      return rows.map(({ value }) => value);
    });
  }

  #once(key: string, read: () => Promise<string[]>): Promise<string[]> {
    const values = this.#read.get(key) ?? read();
    this.#read.set(key, values);
    return values;
  }

  async #common(
    { table, column }: TableColumn,
    [values, frequencies]: readonly [string, string],
    sql: string,
  ): Promise<string[]> {
    const [found] = await this.#session.query<Statistics>(
      `select null_frac as "empty", ${values}::text::text[] as "values",
          ${frequencies} as "frequencies"
        from pg_stats join pg_class c on c.oid = to_regclass($1) and relname = tablename
          join pg_namespace n on n.oid = relnamespace and nspname = schemaname
        where attname = $2 order by inherited desc limit 1`,
      [quoted(table), column],
    );
    if (found?.empty === 1) return [];
    if (found?.values && found.frequencies) {
      return valuesToTry(found.values, found.frequencies, this.#rows, this.#pageRows);
    }
    const rows = await this.#session.query<{ value: string }>(
      `select (${sql})::text as "value" from ${quoted(table)} where ${sql} is not null limit 1`,
    );
    return rows.map(({ value }) => value);
  }
}
