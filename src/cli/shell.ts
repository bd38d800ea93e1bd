/** Command lines to copy. */

/** Words as one line that a POSIX shell reads as these words. */
export function commandLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

const shellWord = (word: string): string =>
  /^[\w./:@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
