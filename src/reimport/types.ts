/** What `import --again` would do to definitions on disk. */
import type { ImportedDefinition } from './import-lock.ts';
import type { DefinitionChange, DefinitionConflict } from './merge-definition.ts';

/** A file of a definition that changes. */
export interface ReimportedFile {
  readonly path: string;
  /** Undefined if it is new. */
  readonly before: string | undefined;
  /** Undefined if it goes. */
  readonly after: string | undefined;
  /** What changes in it; none if it is new or goes. */
  readonly changes: readonly DefinitionChange[];
  /** New names of fields, by the old ones. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** A conflict, and its place on disk. */
export interface PlacedConflict extends DefinitionConflict {
  readonly path: string;
  readonly line: number;
}

/** Something that a person has to decide or do; nothing is done about it. */
export interface ReimportNote {
  /** The file of the definition that it is about; absent: a table without one. */
  readonly path?: string;
  /** A sentence without a full stop. */
  readonly message: string;
}

/** What merging has led to so far. */
export interface ReimportDraft {
  readonly files: ReimportedFile[];
  readonly conflicts: PlacedConflict[];
  readonly notes: ReimportNote[];
  /** What the new lock says. */
  readonly imported: ImportedDefinition[];
}
