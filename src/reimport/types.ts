/** The last import, and what `import --again` would do to definitions on disk. */
import type { Issue } from '../reading/position.ts';
import type { JsonObject } from '../shared/json.ts';
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

/** The options that decide what import writes. */
export interface ImportOptions {
  readonly schemas: readonly string[];
  /** Absent: all. */
  readonly tables?: readonly string[] | undefined;
  readonly skip: readonly string[];
  readonly adopt: boolean;
  readonly timestamps?: 'utc' | undefined;
}

/** A table, and the definition that import wrote for it. */
export interface ImportedDefinition {
  /** The name of the collection. */
  readonly name: string;
  /** With its schema if that is not `public`. */
  readonly table: string;
  readonly definition: JsonObject;
  /** The numbers and the types of all columns by their names; empty if the lock has none. */
  readonly columns: ReadonlyMap<string, string>;
  /** The columns that were renamed since, by their new names: their fields keep their names. No lock has it. */
  readonly renamedColumns?: ReadonlySet<string>;
}

export interface ImportLock {
  readonly options: ImportOptions;
  readonly imported: readonly ImportedDefinition[];
  /** The tables and views that import left out, with their schemas if these are not `public`. */
  readonly leftOut: readonly string[];
  /** The columns that import left out, as `table.column`. */
  readonly leftOutColumns: readonly string[];
}

export interface ReimportPlan {
  readonly files: readonly ReimportedFile[];
  readonly conflicts: readonly PlacedConflict[];
  readonly notes: readonly ReimportNote[];
  /** The text of the new lock. */
  readonly lock: string;
  /** What is wrong with the merged definitions, by places in the merged texts; with any, nothing may be written. */
  readonly issues: readonly Issue[];
}
