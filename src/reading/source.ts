/**
 * From the bytes of a file to a YAML document: encoding, size, and syntax, before anything is
 * known of what the keys mean.
 */
import { Composer, Lexer, LineCounter, Parser } from 'yaml';
import type { CST, Document, YAMLParseError } from 'yaml';
import type { Issues } from './issues.ts';
import { printable } from './quote.ts';
import type { Position, SourceFile } from './position.ts';

/** Nothing in a definition is nested deeper; it also keeps every recursion over a file small. */
export const DEEPEST = 64;

const LARGEST = 1024 * 1024;

/** A file whose syntax is fine. */
export interface Source {
  readonly file: string;
  /** Without byte order mark, and with LF. */
  readonly text: string;
  readonly document: Document.Parsed;
  /** The line and column of an offset into the text. */
  readonly place: (offset: number) => Position;
}

/** Reads one file; undefined where an issue was added. */
export function readSource(file: SourceFile, issues: Issues): Source | undefined {
  const text = decode(file, issues);
  if (text === undefined) return undefined;
  const counter = new LineCounter();
  const place = (offset: number): Position => position(file.path, counter, offset);
  const control = /[^\P{Cc}\n\t\u007f-\u009f]/u.exec(text);
  if (control !== null || findTooDeep(text) !== undefined) {
    reportUnreadable(file.path, text, control?.index, issues);
    return undefined;
  }
  const { document, second } = parseYaml(text, counter, { intAsBigInt: true });
  const mistake = firstMistake(document, second, text);
  if (mistake !== undefined) {
    issues.add(place(mistake.offset), mistake.code ?? 'syntax', mistake.message);
    return undefined;
  }
  return { file: file.path, text, document, place };
}

interface Parsed {
  readonly document: Document.Parsed;
  readonly second: Document.Parsed | undefined;
}

/** As the library's own function for it, but at the first mistake of its parser it stops. */
export function parseYaml(
  text: string,
  counter: LineCounter,
  { intAsBigInt }: { readonly intAsBigInt: boolean },
): Parsed {
  const tokens: CST.Token[] = [];
  for (const token of new Parser(counter.addNewLine).parse(text)) {
    tokens.push(token);
    // A megabyte of mistakes takes the library half a minute.
    if (token.type === 'error') break;
  }
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, intAsBigInt });
  const [document, second] = composer.compose(tokens, true, text.length);
  return { document: document as Document.Parsed, second };
}

/** Where a file begins: the place of what is missing from it as a whole. */
export function startOf(file: string): Position {
  return Object.freeze({ file, line: 1, column: 1 });
}

function position(file: string, counter: LineCounter, offset: number): Position {
  const { line, col } = counter.linePos(offset);
  // Before the first line has been counted the library answers line 0.
  if (line === 0) return Object.freeze({ file, line: 1, column: offset + 1 });
  return Object.freeze({ file, line, column: col });
}

function decode(file: SourceFile, issues: Issues): string | undefined {
  const { bytes, path } = file;
  if (bytes.length > LARGEST) {
    const size = `${(bytes.length / LARGEST).toFixed(1)} MiB`;
    const message = `the file has ${size}: a definition file holds at most 1 MiB. Split it.`;
    issues.add(startOf(path), 'file-too-large', message);
    return undefined;
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.replace(/\r\n?/g, '\n');
  } catch {
    const { at, message } = encodingMistake(file);
    issues.add(at, 'file-encoding', message);
    return undefined;
  }
}

function encodingMistake(file: SourceFile): { at: Position; message: string } {
  const { bytes } = file;
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (wide) {
    const message = 'the file is UTF-16: definitions are UTF-8. Save it as UTF-8.';
    return { at: startOf(file.path), message };
  }
  const length = validPrefix(bytes);
  const before = new TextDecoder('utf-8').decode(bytes.subarray(0, length));
  const lines = before.split(/\r\n?|\n/);
  const column = lines[lines.length - 1]!.length + 1;
  const byte = bytes[length]!.toString(16).toUpperCase().padStart(2, '0');
  const message = `the byte 0x${byte} is not UTF-8: definitions are UTF-8. Save the file as UTF-8.`;
  return { at: Object.freeze({ file: file.path, line: lines.length, column }), message };
}

/** How many bytes at the front are whole UTF-8 characters. */
function validPrefix(bytes: Uint8Array): number {
  let index = 0;
  while (index < bytes.length) {
    const length = characterLength(bytes, index);
    if (length === 0) break;
    index += length;
  }
  return Math.min(index, bytes.length - 1);
}

/** The length of the UTF-8 character at an index, or 0 where there is none. */
function characterLength(bytes: Uint8Array, index: number): number {
  const lead = bytes[index]!;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte.
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  for (let step = 1; step < length; step += 1) {
    const byte = bytes[index + step] ?? 0;
    if (byte < (step === 1 ? least : 0x80) || byte > (step === 1 ? most : 0xbf)) return 0;
  }
  return length;
}

function reportUnreadable(
  file: string,
  text: string,
  control: number | undefined,
  issues: Issues,
): void {
  const counted = (offset: number): Position => {
    const before = text.slice(0, offset).split('\n');
    return Object.freeze({
      file,
      line: before.length,
      column: before[before.length - 1]!.length + 1,
    });
  };
  if (control !== undefined) {
    const code = text.charCodeAt(control).toString(16).toUpperCase().padStart(4, '0');
    const message = `the control character U+${code} may not stand in a file. Remove it.`;
    issues.add(counted(control), 'syntax', message);
    return;
  }
  issues.add(counted(findTooDeep(text)!), 'too-deep', tooDeepMessage);
}

/** The sentence for what is nested too deeply. */
export const tooDeepMessage = `values are nested deeper than ${DEEPEST} levels: no definition needs that.`;

/**
 * Where brackets or dashes nest too deeply, told before the parser sees them: it would take
 * seconds for a megabyte of open brackets. Indentation cannot be that deep in 1 MiB.
 */
export function findTooDeep(text: string): number | undefined {
  const openers = text.match(/[[{]|[-?] /g)?.length ?? 0;
  if (openers <= DEEPEST) return undefined;
  let offset = 0;
  let depth = 0;
  let onLine = 0;
  let content = false;
  for (const token of new Lexer().lex(text)) {
    if (token === '\u0002' || token === '\u0018') continue;
    if (token === '\u001f') {
      content = true;
      continue;
    }
    if (content) content = false;
    else if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    else if (token === '-' || token === '?') onLine += 1;
    else if (token === '\n') onLine = 0;
    if (depth + onLine > DEEPEST) return offset;
    offset += token.length;
  }
  return undefined;
}

interface Mistake {
  readonly offset: number;
  readonly message: string;
  readonly code?: 'too-deep';
}

/** The first mistake of syntax: the later ones mostly follow from it. */
function firstMistake(
  document: Document.Parsed,
  second: Document.Parsed | undefined,
  text: string,
): Mistake | undefined {
  const { yaml } = document.directives;
  if (yaml.version !== '1.2') {
    const message = `"%YAML ${yaml.version}" is not read here: definitions are YAML 1.2. Remove it.`;
    return { offset: Math.max(0, text.indexOf('%YAML')), message };
  }
  const all = [...document.errors, ...document.warnings];
  const first = all.toSorted((a, b) => a.pos[0] - b.pos[0])[0];
  if (first === undefined) {
    if (second === undefined) return undefined;
    const message = 'a second document begins here: a file holds one. Remove what follows.';
    return { offset: second.range[0], message };
  }
  const conflict = CONFLICT.exec(text);
  if (conflict !== null) return { offset: conflict.index, message: CONFLICT_MESSAGE };
  if (first.message.includes('call stack')) {
    return { offset: deepLine(text), message: tooDeepMessage, code: 'too-deep' };
  }
  const unclosed = first.code === 'MISSING_CHAR' || first.message.startsWith('Flow ');
  const message = unclosed
    ? 'a bracket or a quote that began before is not closed, or not indented. Close it.'
    : (SENTENCES[first.code] ??
      (UNQUOTED.test(first.message)
        ? 'this is not valid YAML: a value ends before this. Put the whole text in single quotes.'
        : `this is not valid YAML: ${sentence(first.message)}`));
  return { offset: Math.min(first.pos[0], text.length), message };
}

/** Where the lines of a file are indented too deeply: asked only where the parser gave up. */
function deepLine(text: string): number {
  const indents: number[] = [];
  for (const { index, 0: blank } of text.matchAll(/^ *(?=[^ #\n])/gm)) {
    while (indents.length > 0 && indents[indents.length - 1]! >= blank.length) indents.pop();
    indents.push(blank.length);
    if (indents.length > DEEPEST + 1) return index + blank.length;
  }
  return 0;
}

/** A line by which git marks a conflict. */
const CONFLICT = /^(?:<{7}|\|{7}|={7}|>{7})(?= |$)/m;

const CONFLICT_MESSAGE =
  'a merge left a conflict here. Decide what is right, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.';

/** What to do about the mistakes that people make most; for the others the library's words. */
const SENTENCES: Partial<Record<YAMLParseError['code'], string>> = {
  BAD_INDENT:
    'the indentation is not that of the lines around it. Indent all entries of one map or list alike.',
  TAB_AS_INDENT: 'a tab may not indent in YAML. Write spaces.',
  BLOCK_AS_IMPLICIT_KEY:
    'this is not valid YAML: a map begins inside a value. Put text that holds ": " in quotes.',
  BLOCK_IN_FLOW:
    'this is not valid YAML: a map or a list begins inside a value. Put text that holds ": ", or begins with "- ", in quotes.',
  BAD_SCALAR_START:
    'this is not valid YAML: text may not begin with this character. Put the text in single quotes.',
  TAG_RESOLVE_FAILED: 'this tag is not known: definitions need none. Remove it.',
};

/** Text that stands without quotes, and of which YAML takes a part for a list, a map or a text. */
const UNQUOTED = /^(?:Unexpected (?:scalar|flow-\w+-start) at node end|Block scalar header )/;

/** The library's words as the end of a sentence; they may quote what the user wrote. */
function sentence(text: string): string {
  const words = printable(text.trim().slice(0, 200));
  return `${words.charAt(0).toLowerCase()}${words.slice(1).replace(/[.\s]+$/, '')}.`;
}
