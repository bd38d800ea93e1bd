/** Text of the user as a literal: whatever stands in it, the emitted file means that text. */
import type { JsonValue } from './json.ts';

/** Characters that no editor shows, or that change how the text around them is shown. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Spaces other than U+0020, such as the no-break space of French: linters refuse them in code. */
const UNUSUAL_SPACE = /(?! )\p{Zs}/gu;

/** The characters that every editor shows: most texts have no other. */
const PLAIN = /^[ -~]*$/;

/** A text as a literal of TypeScript, and of JSON. */
export const stringLiteral = (text: string): string =>
  PLAIN.test(text)
    ? JSON.stringify(text)
    : JSON.stringify(text).replace(INVISIBLE, escaped).replace(UNUSUAL_SPACE, escaped);

/** An array of texts as a literal. */
export const stringsLiteral = (texts: readonly string[]): string =>
  `[${texts.map(stringLiteral).join(', ')}]`;

/** Texts as a union of literal types. */
export const stringUnion = (texts: readonly string[]): string =>
  texts.map(stringLiteral).join(' | ');

const escaped = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

/** A text between the backticks of a template literal. */
export const templateText = (text: string): string =>
  stringLiteral(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replace(/`|\$\{/g, '\\$&');

/** Any JSON value as a literal. */
export function valueLiteral(value: unknown): string {
  if (typeof value === 'string') return stringLiteral(value);
  if (Array.isArray(value)) return `[${value.map(valueLiteral).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      // In an object literal this one name would set the prototype; in brackets it is a member.
      ([name, part]) =>
        `${name === '__proto__' ? '["__proto__"]' : stringLiteral(name)}: ${valueLiteral(part)}`,
    );
    return `{${members.join(', ')}}`;
  }
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Texts from this length on are written as repetitions where they are such. */
const LONG = 40;

/** A value as code; a long text that repeats itself is written as `'x'.repeat(300)`. */
export function valueCode(value: JsonValue): string {
  if (typeof value === 'string') return textCode(value);
  if (Array.isArray(value)) return `[${value.map((part) => valueCode(part)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, part]) => `${valueLiteral({ [name]: 0 }).slice(1, -4)}: ${valueCode(part)}`,
    );
    return `{ ${members.join(', ')} }`;
  }
  return valueLiteral(value);
}

function textCode(text: string): string {
  const characters = [...text];
  if (characters.length < LONG) return stringLiteral(text);
  const last = characters.at(-1) ?? '';
  let start = characters.length;
  while (start > 0 && characters[start - 1] === last) start--;
  const times = characters.length - start;
  if (times < LONG / 2) return stringLiteral(text);
  const repeated = `${stringLiteral(last)}.repeat(${times})`;
  return start === 0
    ? repeated
    : `${stringLiteral(characters.slice(0, start).join(''))} + ${repeated}`;
}

/** Lines of a text for a comment: no line of it ends the comment, or is refused by a linter. */
export const commentLines = (text: string): string[] =>
  text
    .replace(/\r\n?|[\n\u2028\u2029\v\f\u0085]/g, '\n')
    .replaceAll('*/', '*\u2215')
    .split('\n')
    .map((line) =>
      line.replaceAll('\t', ' ').replace(UNUSUAL_SPACE, ' ').replace(INVISIBLE, '\ufffd').trimEnd(),
    );

/** A text within a sentence or a table of Markdown, on one line and meaning only itself. */
export const markdownText = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(INVISIBLE, '\ufffd')
    .replace(/[\\`*_[\]<>|~&$]/g, (character) => `\\${character}`)
    .replace(/^[-=+#]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2');

/**
 * A text between the double quotes of a Mermaid diagram in Markdown, on one line and meaning only itself:
 * neither the end of the quotes, nor HTML, an entity (`#quot;`) or a directive (`%%{init: …}%%`).
 */
export const mermaidText = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(INVISIBLE, '\ufffd')
    .replace(/["#;<>&`\\]|%(?=%)/g, (character) => `#${character.charCodeAt(0)};`);
