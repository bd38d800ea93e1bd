/** What was asked for on the command line, as a value. */
import type { PackageManager } from '../shared/package-manager.ts';
import type { Format } from './options.ts';

/** What every command understands. */
export interface GlobalSettings {
  /** As it was typed. */
  readonly cwd: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  /** False: never; true: as the environment and the terminal say. */
  readonly color: boolean;
}

export interface CreateCommand extends GlobalSettings {
  readonly kind: 'new';
  readonly directory: string | undefined;
  readonly from: string | undefined;
  readonly name: string | undefined;
  readonly packageManager: PackageManager | undefined;
  readonly install: boolean;
  readonly git: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly tool: string | undefined;
  /** Whether nothing at all was typed, or nothing but settings: then a terminal is asked. */
  readonly bare: boolean;
}

export interface ExplainCommand extends GlobalSettings {
  readonly kind: 'explain';
  readonly from: string | undefined;
  readonly format: Format;
  /** The URL of a database, with its password. */
  readonly database: string | undefined;
}

export interface GenerateCommand extends GlobalSettings {
  readonly kind: 'generate';
  readonly dryRun: boolean;
  readonly diff: boolean;
  readonly allowDataLoss: boolean;
  readonly allowBreaking: boolean;
  readonly allowWider: boolean;
  /** As it was typed: the file in which what an edit removed is written again. */
  readonly restore: string | undefined;
  /** A collection to define first. */
  readonly collection: { readonly name: string; readonly fields: readonly string[] } | undefined;
}

export interface CheckCommand extends GlobalSettings {
  readonly kind: 'check';
  /** The URL of a database, with its password. */
  readonly database: string | undefined;
}

export interface VerifyCommand extends GlobalSettings {
  readonly kind: 'verify';
  /** The URL of a database, with its password. */
  readonly url: string;
}

export interface ImportCommand extends GlobalSettings {
  readonly kind: 'import';
  /** The URL of a database, with its password. */
  readonly url: string;
  /** Absent: the report is printed, and nothing is written. */
  readonly directory: string | undefined;
  readonly schemas: readonly string[];
  /** Absent: all. */
  readonly tables: readonly string[] | undefined;
  readonly skip: readonly string[];
  /** Whether the definitions use the tables. */
  readonly adopt: boolean;
  /** The time zone of timestamps without time zone; undefined: they are left out. Only with adopt. */
  readonly timestamps: 'utc' | undefined;
  /** The tables with a column that marks removed rows; absent: as answered, or none. Only with adopt. */
  readonly softDelete: readonly string[] | undefined;
}

export interface ImportOpenApiCommand extends GlobalSettings {
  readonly kind: 'import-openapi';
  /** As it was typed. */
  readonly file: string;
  /** Absent: the report is printed, and nothing is written. */
  readonly directory: string | undefined;
}

export interface ImportAgainCommand extends GlobalSettings {
  readonly kind: 'import-again';
  /** The URL of a database, with its password. */
  readonly url: string;
  /** The folder of a project or of an earlier import; absent: the one to work in. */
  readonly directory: string | undefined;
  /** Absent: as in the last import. The same of the other options of import. */
  readonly schemas: readonly string[] | undefined;
  readonly tables: readonly string[] | undefined;
  readonly skip: readonly string[] | undefined;
  readonly timestamps: 'utc' | undefined;
  /** Whether nothing is written. */
  readonly reportOnly: boolean;
  /** Whether the definitions stay as they are where the database has changed, too. */
  readonly keepEdits: boolean;
}

/** Text to print as it is: help, version, completion. */
export interface TextCommand {
  readonly kind: 'text';
  readonly text: string;
}

export type Command =
  | CreateCommand
  | GenerateCommand
  | CheckCommand
  | ExplainCommand
  | ImportCommand
  | ImportOpenApiCommand
  | ImportAgainCommand
  | VerifyCommand
  | TextCommand;
