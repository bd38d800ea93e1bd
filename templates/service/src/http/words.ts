/** The words of a text, as searches compare them. */

import { createHash } from 'node:crypto';

/** The longest word that is kept as it is; an index of PostgreSQL cannot hold keys of any length. */
const LONGEST = 200;

/** More marks on one letter than this are no writing, and would take for ever to put in order. */
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * The different words of a text: runs of letters and digits, whatever their case, accents told
 * apart. The same text gives the same words on every database.
 */
export function searchWords(...texts: readonly (string | null)[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of fold(text ?? '').matchAll(/[\p{L}\p{Nd}]+/gu)) {
      words.add(word.length <= LONGEST ? word : digest(word));
    }
  }
  return [...words];
}

/** Through upper case and back: a sharp s and two s, or the two forms of sigma, differ in case alone. */
const fold = (text: string): string =>
  text.replace(TOO_MANY_MARKS, '$1').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

const digest = (word: string): string => `#${createHash('sha256').update(word).digest('hex')}`;
