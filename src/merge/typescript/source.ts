/** Source files as trees: what does not parse has no tree. */
import { ts } from 'ts-morph';

import type { ConflictPlace } from '../types.ts';

type Parsed =
  | { readonly ok: true; readonly file: ts.SourceFile }
  | { readonly ok: false; readonly place: ConflictPlace };

/** Parses a file; the place is that of the first thing that does not parse. */
export function parse(path: string, text: string): Parsed {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  // The parser keeps what it found in a member that its types do not show.
  const { parseDiagnostics } = file as unknown as {
    readonly parseDiagnostics: readonly ts.DiagnosticWithLocation[];
  };
  const [first] = parseDiagnostics;
  if (first === undefined) return { ok: true, file };
  const what = ts.flattenDiagnosticMessageText(first.messageText, ' ');
  return { ok: false, place: { line: lineAt(file, first.start), what } };
}

/** The line of a position, from 1. */
export const lineAt = (file: ts.SourceFile, position: number): number =>
  file.getLineAndCharacterOfPosition(Math.min(position, file.text.length)).line + 1;
