/** The tables that `q` searches, with their columns of words. */
import type { SearchedTable } from '../platform/database/apply-migrations.ts';

export const searchedTables: readonly SearchedTable[] = [
  {
    name: '"books"',
    words: [
      { column: '"_words"', texts: ['"title"', '"series"'] },
      { column: '"_words_v1"', texts: ['"title"'] },
    ],
  },
  {
    name: '"people"',
    words: [
      { column: '"_words"', texts: ['"name"'] },
      { column: '"_words_v2"', texts: ['"name"', '"nickname"'] },
    ],
  },
];
