/**
 * Text of the user inside messages: in double quotes, short, and without anything that would
 * move the cursor of a terminal or reorder a line.
 */

const LONGEST = 60;

// Control characters, line separators, and marks that change how the text around them is shown.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;

/** The text with everything that is not printable written as an escape. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escapeCharacter);
}

/** The text in double quotes, printable, and cut where it is long. */
export function quote(text: string): string {
  const points = Array.from(text.slice(0, LONGEST * 2));
  const long = points.length > LONGEST || text.length > LONGEST * 2;
  const shown = long ? `${points.slice(0, LONGEST - 1).join('')}…` : text;
  return `"${printable(shown).replace(/"/g, '\\"')}"`;
}

/** Several texts, quoted: `"a", "b" and "c"`. */
export function quoteAll(texts: readonly string[], joint = 'and'): string {
  return enumerate(texts.map(quote), joint);
}

/** Several words as a sentence has them: `a, b or c`. */
export function enumerate(words: readonly string[], joint = 'and'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${joint} ${words[words.length - 1]}`;
}

/** `1 entry`, `2 entries`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
