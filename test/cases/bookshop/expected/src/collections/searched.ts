/** The tables that searches look in, with their columns of words. */
import type { SearchedTable } from '../platform/database/fill-words.ts';

export const searched: readonly SearchedTable[] = [
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
