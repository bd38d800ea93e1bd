/**
 * The relative imports of a TypeScript or JavaScript file. A scan finds them, because the parser takes a quarter of a
 * second to load. It reads no further than to the last relative path: mostly the first lines. Where it cannot tell what
 * is code (JSX has quotes in its texts), it takes all that looks like an import.
 */
import path from 'node:path';

/** What a scan stops at: comments, literals, the braces of template literals, imports, and `declare module`. */
const MARK = /\/[/*]?|['"`{}]|\b(?:from|import|importActual|module|require)\b/g;
/** These are called. */
const CALLED = new Set(['import', 'importActual', 'require']);
const SPECIFIER = /\.{1,2}\/[^'"`\\\n]+(?=['"])/y;
/** All that looks like an import of a relative path. */
const LIKE_IMPORT =
  /\b(?:from|import|importActual|require)\b\s*(?:\(\s*)?['"](\.{1,2}\/[^'"`\\\n]+)['"]/g;

/** The specifiers of the relative imports and exports of a text, as they are written. */
export function relativeSpecifiers(text: string): readonly string[] {
  const { specifiers, isCertain } = scan(text);
  if (isCertain) return specifiers;
  const like = Array.from(text.matchAll(LIKE_IMPORT), ([, specifier = '']) => specifier);
  return [...specifiers, ...new Set(like.filter((one) => !specifiers.includes(one)))];
}

interface Scanned {
  readonly specifiers: readonly string[];
  /** Whether each literal that began has ended. */
  readonly isCertain: boolean;
}

function scan(text: string): Scanned {
  // Each relative path has it at its start.
  const last = text.lastIndexOf('./');
  const specifiers: string[] = [];
  /** How many braces are open in the expression of each template literal around the place. */
  const braces: number[] = [];
  let at = 0;
  let isCertain = true;
  /** The comments that end where the code goes on: what stands before them decides what a slash is. */
  let comments = { from: -1, to: -1 };
  /** No regular expression begins before this place: one that did not end in its line is none. */
  let noRegExpBefore = 0;
  const inTemplate = (): void => {
    at = endOfTemplate(text, at);
    if (text[at] === '$') braces.push(0);
    else if (text[at] !== '`') isCertain = false;
    at += text[at] === '$' ? 2 : 1;
  };
  while (at < last) {
    MARK.lastIndex = at;
    const found = MARK.exec(text);
    if (found === null) {
      isCertain &&= braces.length === 0;
      break;
    }
    const [mark] = found;
    at = found.index + mark.length;
    const depth = braces.at(-1);
    if (mark === '//' || mark === '/*') {
      const from = skipBlanks(text, found.index) === comments.to ? comments.from : found.index;
      at = afterComment(text, at);
      comments = { from, to: skipBlanks(text, at) };
    } else if (mark === '/') {
      const before = skipBlanks(text, found.index);
      const place = before === comments.to ? comments.from : found.index;
      if (found.index < noRegExpBefore || !beginsRegExp(text, skipBlanks(text, place))) continue;
      const end = endOfRegExp(text, at);
      if (text[end] === '/') at = end + 1;
      else noRegExpBefore = end;
    } else if (mark === "'" || mark === '"') at = endOfQuoted(text, at, mark) + 1;
    else if (mark === '`') inTemplate();
    else if (mark === '{' || mark === '}') {
      if (depth === undefined) continue;
      braces.pop();
      if (mark === '}' && depth === 0) inTemplate();
      else braces.push(mark === '{' ? depth + 1 : depth - 1);
    } else {
      const quote = quoteAfter(text, mark, at);
      SPECIFIER.lastIndex = quote ?? 0;
      if (quote === undefined || !SPECIFIER.test(text)) continue;
      at = SPECIFIER.lastIndex + 1;
      specifiers.push(text.slice(quote, at - 1));
    }
  }
  return { specifiers, isCertain };
}

/** The place after the last character before a place that is no blank. */
function skipBlanks(text: string, before: number): number {
  let at = before;
  while (at > 0 && /\s/.test(text[at - 1] ?? '')) at -= 1;
  return at;
}

/** Where a text in quotes ends, or its line. */
function endOfQuoted(text: string, from: number, quote: string): number {
  const stop = /['"\\\n]/g;
  stop.lastIndex = from;
  for (let found = stop.exec(text); found !== null; found = stop.exec(text)) {
    const [character] = found;
    if (character === '\\') stop.lastIndex += 1;
    else if (character === quote || character === '\n') return found.index;
  }
  return text.length;
}

/** Where the text of a template literal ends: at its end, or at an expression. */
function endOfTemplate(text: string, from: number): number {
  const stop = /[`\\$]/g;
  stop.lastIndex = from;
  for (let found = stop.exec(text); found !== null; found = stop.exec(text)) {
    const [character] = found;
    if (character === '\\') stop.lastIndex += 1;
    else if (character === '`' || text[found.index + 1] === '{') return found.index;
  }
  return text.length;
}

/** Where a regular expression ends, or its line. */
function endOfRegExp(text: string, from: number): number {
  let isInClass = false;
  let at = from;
  for (; at < text.length && text[at] !== '\n'; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (character === '/' && !isInClass) return at;
  }
  return at;
}

/** @param at the place after the first two characters of the comment. */
function afterComment(text: string, at: number): number {
  const close = text[at - 1] === '*' ? '*/' : '\n';
  const end = text.indexOf(close, at);
  return end === -1 ? text.length : end + close.length;
}

/** The place after the quote that follows a word such as `from`, or its bracket; undefined if something else follows. */
function quoteAfter(text: string, word: string, from: number): number | undefined {
  for (let at = from; ;) {
    const character = text[at] ?? '';
    if (character === "'" || character === '"') return at + 1;
    if (text.startsWith('/*', at) || text.startsWith('//', at)) at = afterComment(text, at + 2);
    else if ((character === '(' && CALLED.has(word)) || /\s/.test(character)) at += 1;
    else return undefined;
  }
}

/** Whether a slash begins a regular expression: after an operand it divides. @param end the end of the code before it. */
function beginsRegExp(text: string, end: number): boolean {
  const before = text.slice(Math.max(0, end - 12), end);
  if (/(?:\+\+|--|[\w$)\]]!)$/.test(before)) return false;
  return before === '' || /[(,=:[!&|?{};+*%<>~^-]$|\b(?:return|typeof|case)$/.test(before);
}

/** The files that a text imports, by their paths in the project. */
export const importedFiles = (file: string, text: string): readonly string[] =>
  relativeSpecifiers(text).map((specifier) => {
    const [asked = ''] = specifier.split('?', 1);
    const target = path.posix.join(path.posix.dirname(file), asked);
    return path.posix.extname(target) === '' ? `${target}.ts` : target.replace(/\.js$/, '.ts');
  });

/** Whether a file is TypeScript or JavaScript, by its name. */
export const isImportingFile = (file: string): boolean => /\.[cm]?[jt]sx?$/.test(file);
