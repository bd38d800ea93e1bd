/** The words of items that were there before their collection could be searched. */
import { searchWords } from '../http/words.ts';
import type { Database } from './database.ts';

/** Items that are looked at together. */
const BATCH = 500;

interface Row {
  readonly id: string;
  readonly texts: readonly (string | null)[];
}

/**
 * Fills the words of all rows of a table. SQL cannot: what a word is must be the same on every
 * database, and is said in `src/http/words.ts`.
 * @param table quoted, as are the columns.
 * @param target where the words go.
 */
export async function fillWords(
  database: Database,
  table: string,
  columns: readonly string[],
  target = '"_words"',
): Promise<void> {
  const next = {
    text: `select "id", jsonb_build_array(${columns.join(', ')}) as "texts" from ${table}
      where "id" > $1 order by "id" limit ${BATCH}`,
  };
  const fill = {
    text: `update ${table} set ${target} =
        array(select jsonb_array_elements_text("filled"."words"))
      from jsonb_to_recordset($1::jsonb) as "filled" ("id" uuid, "words" jsonb)
      where ${table}."id" = "filled"."id"`,
  };
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await database.query<Row>(next, [last]);
    const filled = rows.map(({ id, texts }) => ({ id, words: searchWords(...texts) }));
    await database.query(fill, [JSON.stringify(filled)]);
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.id ?? last;
  }
}
