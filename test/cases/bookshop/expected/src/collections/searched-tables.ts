/** The tables that `q` searches, with their columns of words. */
import type { SearchedTable } from '../platform/database/apply-migrations.ts';

export const searchedTables: readonly SearchedTable[] = [
  {
    name: '"authors"',
    words: [{ column: '"_words"', texts: ['"name"', '"biography"'] }],
  },
  {
    name: '"books"',
    words: [{ column: '"_words"', texts: ['"title"'] }],
  },
  {
    name: '"reviews"',
    words: [{ column: '"_words"', texts: ['"body"'] }],
  },
];
