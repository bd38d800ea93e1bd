/**
 * The relative imports of a TypeScript or JavaScript file. A scan finds them, because the parser takes a quarter of a
 * second to load. It reads no further than to the last relative path: mostly the first lines.
 */
import path from 'node:path';

/** What a scan stops at: comments, literals, the braces of template literals, imports, and `declare module`. */
const MARK = /\/[/*]?|['"`{}]|\b(?:from|import|module)\b/g;
const SPECIFIER = /\.{1,2}\/[^'"`\\\n]+(?=['"])/y;
const IN_QUOTES = /(?:[^'\\\n]|\\[^])*/y;
const IN_DOUBLE_QUOTES = /(?:[^"\\\n]|\\[^])*/y;
/** The text of a template literal, up to its end or to an expression. */
const IN_TEMPLATE = /(?:[^`\\$]|\\[^]|\$(?!\{))*/y;
const IN_REGEXP = /(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y;

/** The specifiers of the relative imports and exports of a text, as they are written. */
export function relativeSpecifiers(text: string): readonly string[] {
  // Each relative path has it at its start.
  const last = text.lastIndexOf('./');
  const specifiers: string[] = [];
  /** How many braces are open in the expression of each template literal around the place. */
  const braces: number[] = [];
  let at = 0;
  const inTemplate = (): void => {
    at = after(IN_TEMPLATE, text, at);
    if (text[at] === '$') braces.push(0);
    at += text[at] === '$' ? 2 : 1;
  };
  while (at < last) {
    MARK.lastIndex = at;
    const found = MARK.exec(text);
    if (found === null) break;
    const [mark] = found;
    at = found.index + mark.length;
    const depth = braces.at(-1);
    if (mark === '//' || mark === '/*') at = afterComment(text, at);
    else if (mark === '/') at = beginsRegExp(text, found.index) ? after(IN_REGEXP, text, at) : at;
    else if (mark === "'") at = after(IN_QUOTES, text, at) + 1;
    else if (mark === '"') at = after(IN_DOUBLE_QUOTES, text, at) + 1;
    else if (mark === '`') inTemplate();
    else if (mark === '{' || mark === '}') {
      if (depth === undefined) continue;
      braces.pop();
      if (mark === '}' && depth === 0) inTemplate();
      else braces.push(mark === '{' ? depth + 1 : depth - 1);
    } else {
      const quote = quoteAfter(text, mark, at);
      const end = quote === undefined ? 0 : after(SPECIFIER, text, quote);
      if (quote === undefined || end === quote) continue;
      specifiers.push(text.slice(quote, end));
      at = end + 1;
    }
  }
  return specifiers;
}

/** Where the match of a sticky expression ends; where it begins if there is none. */
function after(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : at;
}

/** @param at the place after the first two characters of the comment. */
function afterComment(text: string, at: number): number {
  const close = text[at - 1] === '*' ? '*/' : '\n';
  const end = text.indexOf(close, at);
  return end === -1 ? text.length : end + close.length;
}

/** The place after the quote that follows `from`, `module`, `import` or `import(`; undefined if something else follows. */
function quoteAfter(text: string, mark: string, from: number): number | undefined {
  for (let at = from; ;) {
    const character = text[at] ?? '';
    if (character === "'" || character === '"') return at + 1;
    if (text.startsWith('/*', at)) at = afterComment(text, at + 2);
    else if ((character === '(' && mark === 'import') || /\s/.test(character)) at += 1;
    else return undefined;
  }
}

/** Whether a slash begins a regular expression: after an operand it divides. */
function beginsRegExp(text: string, slash: number): boolean {
  const before = text.slice(Math.max(0, slash - 12), slash).trimEnd();
  return before === '' || /[(,=:[!&|?{};+*%<>~^-]$|\b(?:return|typeof|case)$/.test(before);
}

/** The files that a file imports, by their paths in the project. */
export const importedFiles = (file: string, text: string): readonly string[] =>
  (isImportingFile(file) ? relativeSpecifiers(text) : []).map((specifier) =>
    path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts'),
  );

/** Whether a file is TypeScript or JavaScript, by its name. */
export const isImportingFile = (file: string): boolean => /\.[cm]?[jt]sx?$/.test(file);
