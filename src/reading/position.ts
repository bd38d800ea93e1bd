/** Positions and issues in definition files. */

/** Where something stands in a definition file; lines and columns count from 1, in UTF-16 units. */
export interface Position {
  /** As the user named it: relative to the folder they work in, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One thing that is wrong in a definition. */
export interface Issue {
  readonly at: Position;
  /** Its entry in issue-catalogue.ts, among the issues or the warnings, for `--json` and for the docs. */
  readonly code: string;
  /** The offending text, why it is wrong and what to write instead, in a sentence or two. */
  readonly message: string;
}

/** One source text, with the name by which messages call it. */
export interface SourceFile {
  readonly path: string;
  /** Raw bytes: that they are UTF-8 is checked by `source.ts`. */
  readonly bytes: Uint8Array;
}
