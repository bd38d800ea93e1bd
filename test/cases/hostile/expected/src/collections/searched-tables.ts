/** The tables that `q` searches, with their columns of words. */
import type { SearchedTable } from '../platform/database/apply-migrations.ts';

export const searchedTables: readonly SearchedTable[] = [
  {
    name: '"constructors"',
    words: [{ column: '"_words"', texts: ['"to_string"'] }],
  },
  {
    name: '"records"',
    words: [{ column: '"_words"', texts: ['"text"'] }],
  },
];
