/**
 * The update stage: what becomes of each file of a project when it is generated again. Pure: what
 * is known of the last run, what is generated now and what stands on disk come in as values, and
 * the changes come out.
 */
import type { Ownership } from '../shared/files.ts';
import type { ConflictPlace } from '../merge/index.ts';

/** What the manifest says of one output. */
export interface ManifestEntry {
  readonly path: string;
  readonly ownership: Ownership;
  /** Hashes of the text as it was generated: several where two branches met. */
  readonly hashes: readonly string[];
}

/** A conflict that the team has not resolved yet. */
export interface OpenConflict {
  /** The file that stayed as it was. */
  readonly path: string;
  /** The file beside it, with the new text: gone once the team has resolved the conflict. */
  readonly newFile: string;
  /** Hashes of the new text. */
  readonly hashes: readonly string[];
  /** Hashes of the text that stood there: as long as it does, the conflict stays. */
  readonly oursHashes: readonly string[];
}

/** Why what stands at a path cannot be merged or replaced. */
export type FileObstacle = 'folder' | 'link' | 'not text' | 'huge' | 'other name';

/** What stands on disk where an output goes. */
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

/** How a text is written down, beside what it says. */
export interface TextLayout {
  readonly crlf: boolean;
  readonly bom: boolean;
}

/**
 * What is done with a file.
 * - `added`: it is new; `updated`: nobody had edited it; `merged`: with the team's edits;
 *   `moved`: with the collection that was renamed; `removed`: nothing yields it any more.
 * - `conflict`: it stays, and the new text stands beside it.
 * - `kept`: the team's text is right as it is; `absent`: the team has deleted it, and it stays so.
 * - `left`: nothing yields it any more, but the team has edited it, so it stays.
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

/** What becomes of one output. */
export interface Outcome {
  readonly path: string;
  readonly action: FileAction;
  /** Where the file was before its collection was renamed. */
  readonly from?: string;
  /** What stood there, with LF; absent: nothing that is text. */
  readonly before?: string;
  /** What stands there then, with LF; absent: nothing, or what stood there. */
  readonly after?: string;
  /** Of a conflict. */
  readonly conflict?: ReportedConflict;
}

export interface ReportedConflict {
  /** The file with the new text. */
  readonly newFile: string;
  readonly text: string;
  readonly places: readonly ConflictPlace[];
  /** Whether it was there before this run, over the same text. */
  readonly isOld: boolean;
}
