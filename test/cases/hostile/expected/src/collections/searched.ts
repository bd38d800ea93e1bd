/** The tables that searches look in, with their columns of words. */
import type { SearchedTable } from '../platform/database/fill-words.ts';

export const searched: readonly SearchedTable[] = [
  {
    name: '"constructors"',
    words: [{ column: '"_words"', texts: ['"to_string"'] }],
  },
  {
    name: '"records"',
    words: [{ column: '"_words"', texts: ['"text"'] }],
  },
];
