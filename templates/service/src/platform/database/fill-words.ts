/** Fills the word columns of rows that the service did not write itself, for searches. */
import { searchWords } from '../http/search-words.ts';
import type { SearchedTable } from './apply-migrations.ts';
import type { Session, Statement } from './database.ts';
import type { DatabaseFeature } from './feature.ts';

/** The maximum number of rows that are read at a time, and of bytes of their texts. */
const MOST_ROWS = 500;
const MOST_BYTES = 4 * 1024 * 1024;

interface Row {
  readonly id: string;
  readonly updated_at: string;
  readonly texts: readonly (string | null)[];
}

/**
 * Splits the texts of rows into words. SQL cannot do that: the words must not depend on the locale of
 * the database (`src/platform/http/search-words.ts`). Rows that are changed concurrently are skipped.
 * @param condition an SQL condition for the rows; all rows by default.
 * @returns how many rows were read.
 */
export async function fillWords(
  database: Session,
  { name, words }: SearchedTable,
  condition = 'true',
  signal?: AbortSignal,
): Promise<number> {
  const columns = [...new Set(words.flatMap(({ texts }) => texts))];
  const size = columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ');
  const next = (from: string): Statement => ({
    text: `select "id"::text as "id", "updated_at", jsonb_build_array(${columns.join(', ')}) as "texts"
      from (
        select *, sum("_size") over (order by "id") - "_size" as "_before"
        from (
          select "id", "updated_at", ${columns.join(', ')}, ${size} as "_size" from ${name}
          where ${from}${condition} order by "id" limit ${MOST_ROWS}
        ) as "next"
      ) as "sized"
      where "_before" < ${MOST_BYTES} order by "sized"."id"`,
  });
  const sets = words.map(({ column }) => `${column} = "filled".${column}`);
  const fill = {
    text: `update ${name} set ${sets.join(', ')}
      from jsonb_populate_recordset(null::${name}, $1::jsonb) as "filled"
      where ${name}."id" = "filled"."id" and ${name}."updated_at" = "filled"."updated_at"`,
  };
  let last: string | undefined;
  let count = 0;
  for (;;) {
    const rows: Row[] = await (last === undefined
      ? database.query<Row>(next(''))
      : database.query<Row>(next('"id" > $1 and '), [last]));
    const end = rows.at(-1);
    if (end === undefined || signal?.aborted === true) return count;
    const filled = rows.map(({ id, updated_at, texts }) => {
      const textOf = (column: string): string | null => texts[columns.indexOf(column)] ?? null;
      // The names of columns are quoted.
      const filledWords = words.map(({ column, texts: searched }) => [
        column.slice(1, -1),
        searchWords(...searched.map(textOf)),
      ]);
      return { id, updated_at, ...(Object.fromEntries(filledWords) as object) };
    });
    await database.query(fill, [JSON.stringify(filled)]);
    last = end.id;
    count += rows.length;
  }
}

/** Migrations fill the words of rows that they change. */
export const FILLED_WORDS: DatabaseFeature = { migrationOptions: { fillWords } };

/**
 * Fills the words of the rows that a trigger has marked, because SQL wrote them without words.
 * @returns how many there were.
 */
export async function indexWords(
  database: Session,
  tables: readonly SearchedTable[],
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  for (const table of tables) {
    // An index over words finds the marks, too.
    const isMarked = `${table.words[0]?.column} @> '{""}'`;
    count += await fillWords(database, table, isMarked, signal);
  }
  return count;
}
