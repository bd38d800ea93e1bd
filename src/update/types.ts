/**
 * The types of the update stage, which decides what happens to each file when a project is generated
 * again. It is pure: its input is the record of the last run, the generated files and the files on disk.
 */
import type { Ownership } from '../shared/files.ts';
import type { ConflictPlace, MissingPart } from '../merge/index.ts';

/** The entry of a file in the manifest. */
export interface ManifestEntry {
  readonly path: string;
  readonly ownership: Ownership;
  /** Hashes of the text as it was generated: several where two branches met. */
  readonly hashes: readonly string[];
}

/** A conflict that the team has not resolved yet. */
export interface OpenConflict {
  /** The file in conflict, which is left unchanged. */
  readonly path: string;
  /** The file beside it: the merge with conflict markers, or the generated text. The conflict is resolved once it is gone. */
  readonly newFile: string;
  /** Hashes of the generated text. */
  readonly hashes: readonly string[];
  /** Hashes of the merge with conflict markers, which is no generated text; none where the new file has none. */
  readonly markedHashes: readonly string[];
  /** Hashes of the text on disk: until it changes, the conflict stays open. */
  readonly oursHashes: readonly string[];
}

/** Why a file on disk cannot be merged or replaced. */
export type FileObstacle = 'folder' | 'link' | 'not text' | 'huge' | 'other name';

/** The file on disk at the path of an output. */
export type DiskFile =
  | { readonly kind: 'nothing' }
  /** `text` with LF and without byte order mark; `hash` is of that text. */
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly hash: string;
      readonly form: TextLayout;
    }
  | { readonly kind: 'obstacle'; readonly obstacle: FileObstacle };

/** The line endings and byte order mark of a text. */
export interface TextLayout {
  readonly crlf: boolean;
  readonly bom: boolean;
}

/**
 * What is done with a file.
 * - `added`: it is new; `updated`: nobody had edited it; `merged`: with the team's edits;
 *   `moved`: with the collection that was renamed; `removed`: nothing yields it any more.
 * - `conflict`: it stays, and the merge with conflict markers, or else the new text, is written beside it.
 * - `kept`: the team's text is right as it is; `absent`: the team has deleted it, and it stays so.
 * - `left`: nothing yields it any more, but the team has edited it or imports it, so it stays.
 * - `imports`: a file of the team's own that imports files which were moved.
 */
export type FileAction =
  | 'added'
  | 'updated'
  | 'merged'
  | 'moved'
  | 'removed'
  | 'conflict'
  | 'kept'
  | 'absent'
  | 'left'
  | 'imports';

/** What a run does with one file, as it is reported. */
export interface Outcome {
  readonly path: string;
  readonly action: FileAction;
  /** Where the file was before its collection was renamed. */
  readonly from?: string;
  /** The text before, with LF; absent: there was none. */
  readonly before?: string;
  /** The text after, with LF; absent: there is none, or it is unchanged. */
  readonly after?: string;
  /** Whether other text is generated now, and the file was not changed: the team has edited or deleted it. */
  readonly isOutdated?: boolean;
  /** Generated code that the file lacks: an edit removed it. */
  readonly missing?: readonly MissingPart[];
  /** Generated code that an edit had removed, and that this run writes again. */
  readonly restored?: readonly MissingPart[];
  /** Of a conflict. */
  readonly conflict?: ReportedConflict;
}

export interface ReportedConflict {
  /** The file beside it; absent where the team has moved it over the file, whose markers are left. */
  readonly newFile?: string;
  readonly text: string;
  /** Whether that text is the merge with conflict markers, and not the generated text. */
  readonly isMarked: boolean;
  readonly places: readonly ConflictPlace[];
  /** Whether it was open before this run, with the same text. */
  readonly isOld: boolean;
}

/**
 * Rewrites the relative imports of a TypeScript file.
 * @param from the path of the file that the text was read from.
 * @param to the path that the file has now.
 */
export type RewriteImports = (text: string, from: string, to?: string) => string;
