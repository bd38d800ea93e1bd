/**
 * What a piece of source means, whatever its layout: its tokens and comments. Quotes, trailing
 * commas, semicolons, and parentheses around the one parameter of an arrow function are layout.
 */
import { ts } from 'ts-morph';

/** Between tokens; no source holds it. */
export const TOKEN_SEPARATOR = '\u0000';

const tokensByNode = new WeakMap<ts.Node, string>();

/** The tokens and inner comments of a node, as one text that is equal where they are. */
export function tokensOf(node: ts.Node): string {
  const found = tokensByNode.get(node);
  if (found !== undefined) return found;
  const file = node.getSourceFile();
  const parts: string[] = [];
  let end = node.getStart(file);
  const visit = (inner: ts.Node): void => {
    // Comments are read between tokens; the nodes that the parser makes of them are not needed.
    if (ts.isJSDoc(inner)) return;
    const children = inner.getChildren(file);
    if (children.length > 0) {
      for (const child of children) visit(child);
      return;
    }
    const start = inner.getStart(file);
    if (inner.end <= start) return;
    parts.push(...commentsIn(file.text.slice(end, start)), spelling(inner, file));
    end = inner.end;
  };
  visit(node);
  const text = settle(parts).join(TOKEN_SEPARATOR);
  tokensByNode.set(node, text);
  return text;
}

/** Whether two pieces mean the same, comments included. */
export const isSame = (one: ts.Node, other: ts.Node): boolean => tokensOf(one) === tokensOf(other);

/** The tokens of a piece of source that is no node: what stands between two children of one. */
export function tokensOfText(text: string): string {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, undefined, text);
  const parts: string[] = [];
  let end = 0;
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    parts.push(...commentsIn(text.slice(end, scanner.getTokenStart())), scanner.getTokenText());
    end = scanner.getTokenEnd();
  }
  parts.push(...commentsIn(text.slice(end)));
  return parts.filter((part) => part !== ';' && part !== ',').join(TOKEN_SEPARATOR);
}

/** The comments in what stands between two tokens, with blanks made one. */
export function commentsIn(trivia: string): string[] {
  const text = trivia.replaceAll(/\s+/g, ' ').trim();
  return text === '' ? [] : [text];
}

function spelling(token: ts.Node, file: ts.SourceFile): string {
  if (ts.isStringLiteral(token)) return JSON.stringify(token.text);
  const text = token.getText(file);
  const { parent } = token;
  const isBare =
    ts.isIdentifier(token) &&
    ts.isParameter(parent) &&
    ts.isArrowFunction(parent.parent) &&
    parent.parent.getFirstToken(file) === token;
  return isBare ? `(${TOKEN_SEPARATOR}${text}${TOKEN_SEPARATOR})` : text;
}

const CLOSING = new Set([')', ']', '}', '>']);

/** Drops what is layout. */
function settle(parts: readonly string[]): string[] {
  return parts.filter((part, index) => {
    if (part === ';') return false;
    if (part === ',') return !CLOSING.has(parts[index + 1] ?? '');
    return true;
  });
}
