/** Excerpts of texts for the messages of conflicts: short, and with the place where two texts differ. */

/** More characters than these of a text are not shown. */
const MOST = 72;

/** How much of what both texts share is shown before they differ. */
const SHARED = 24;

const ELLIPSIS = '…';

/** A text in one line, from its start. */
export const excerptOf = (text: string): string => excerptFrom(inOneLine(text), 0);

/** Two texts in one line each; where they are long, from shortly before the first difference. */
export function excerptsOf(one: string, other: string): readonly [string, string] {
  const [first, second] = [inOneLine(one), inOneLine(other)];
  if (first.length <= MOST && second.length <= MOST) return [first, second];
  const [characters, others] = [[...first], [...second]];
  const same = characters.findIndex((character, index) => character !== others[index]);
  const start = Math.max((same === -1 ? characters.length : same) - SHARED, 0);
  return [excerptFrom(first, start), excerptFrom(second, start)];
}

/** The first line of a text, in quotes. */
export const quoteExcerpt = (text: string): string => `"${excerptOf(firstLine(text))}"`;

/** Two texts in quotes: the first lines in which they differ, at the place where they do. */
export function quoteExcerpts(one: string, other: string): readonly [string, string] {
  const [lines, others] = [linesOf(one), linesOf(other)];
  const differing = lines.findIndex((line, index) => line !== others[index]);
  const at = differing === -1 ? Math.min(lines.length, others.length - 1) : differing;
  const [first, second] = excerptsOf(lines[at] ?? '', others[at] ?? '');
  return [`"${first}"`, `"${second}"`];
}

const linesOf = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => inOneLine(line))
    .filter((line) => line !== '');

const firstLine = (text: string): string => linesOf(text)[0] ?? '';

const inOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

/** At most `MOST` characters of a text, from a character onwards. */
function excerptFrom(text: string, start: number): string {
  const characters = [...text];
  // The end of a text that is shorter than what is cut away before it is shown whole.
  const from = characters.length <= MOST ? 0 : Math.min(start, characters.length - 1);
  const room = MOST - (from > 0 ? 1 : 0);
  const rest = characters.slice(from);
  const isCut = rest.length > room;
  const shown = isCut ? rest.slice(0, room - 1) : rest;
  return `${from > 0 ? ELLIPSIS : ''}${shown.join('')}${isCut ? ELLIPSIS : ''}`;
}
