/** The value that rendering yields and the disk takes: files in memory, by path. */

/**
 * Who a file belongs to once it is written (ARCHITECTURE.md, "Ownership").
 * - `merged`: the generator's, and the team may edit it: three-way merge.
 * - `once`: written if absent, the team's afterwards.
 * - `until-edited`: replaced as long as nobody has edited it, the team's afterwards. Of an edited fixture, members are
 *   added and removed.
 * - `append`: a migration: written once and never again.
 */
export type Ownership = 'merged' | 'once' | 'until-edited' | 'append';

/** Whether the text that is generated is stored, as the base of later merges. */
export const hasBase = (ownership: Ownership): boolean =>
  ownership === 'merged' || ownership === 'until-edited';

export interface OutputFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  /** UTF-8, LF, formatted. */
  readonly text: string;
  readonly ownership: Ownership;
}

/** Sorted by path, in code-point order; no path twice. */
export type FileTree = readonly OutputFile[];

/** The file of a project with the SQL of existing tables. */
export const EXISTING_TABLES = 'existing-tables.sql';

/** The file of a migration in a project, by its name. */
export const migrationPath = (name: string): string => `migrations/${name}.sql`;

/** The file of a project with the views of existing tables. */
export const VIEWS_FILE = 'views.sql';
