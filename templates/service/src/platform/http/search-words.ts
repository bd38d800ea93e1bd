/** Splits texts into the normalized words that `q` searches compare. */
import { createHash } from 'node:crypto';

/** Longer words are replaced by a digest, because keys of a PostgreSQL index are limited in size. */
const MAX_WORD_LENGTH = 200;

/** The maximum of combining marks on a letter: normalization takes quadratic time to order them. */
const MAX_MARKS = 30;

/** The maximum of distinct words of one text; indexing a million would take seconds. */
const MAX_WORDS = 10_000;

/**
 * The distinct words of the texts: runs of letters and digits, case-insensitive and accent-sensitive,
 * at most 10,000 of each text. The result does not depend on the locale of the database.
 */
export function searchWords(...texts: readonly (string | null)[]): string[] {
  return [...new Set(texts.flatMap((text) => wordsOf(text ?? '')))];
}

function wordsOf(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of fold(text).matchAll(/[\p{L}\p{Nd}]+/gu)) {
    words.add(word.length <= MAX_WORD_LENGTH ? word : digest(word));
    if (words.size === MAX_WORDS) break;
  }
  return [...words];
}

/** Folds case by way of upper case, so that ß equals ss, and final sigma equals sigma. */
const fold = (text: string): string =>
  text
    .replaceAll(/\p{M}+/gu, limitMarks)
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC');

const limitMarks = (marks: string): string =>
  marks.length <= MAX_MARKS ? marks : Array.from(marks).slice(0, MAX_MARKS).join('');

const digest = (word: string): string => `#${createHash('sha256').update(word).digest('hex')}`;
