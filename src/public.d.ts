/**
 * create-service as a library: definitions in, the files of a service out. Nothing is read or
 * written but the tool's own templates.
 */

/** A file of definitions, as `create-service` reads it. */
export interface DefinitionFile {
  /** As in a folder of definitions: `service.yaml`, `collections/books.yaml`; or any name, for a single file. */
  readonly path: string;
  /** YAML, or JSON where the path ends in `.json`. */
  readonly text: string;
}

/** One file that holds a whole service, or the files of a folder of definitions. */
export type Definitions = DefinitionFile | readonly DefinitionFile[];

export interface RenderOptions {
  /** What the service is called where its definitions do not say, in kebab-case. Default: `service`. */
  readonly name?: string;
  /**
   * What the project's development dependency on create-service installs from, as in a
   * package.json: a version, or `file:` and a path. Default: the version that renders.
   */
  readonly tool?: string;
  /** Which package manager the project has. Default: `npm`. */
  readonly packageManager?: 'npm' | 'pnpm' | 'yarn' | 'bun';
}

/** A file of a service. */
export interface RenderedFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  /** UTF-8 with LF, formatted. */
  readonly text: string;
}

/** One thing that is wrong in a definition. */
export interface DefinitionIssue {
  /** The path of its file. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  /** What kind of problem it is, for programs: `unknown-key`, say. */
  readonly code: string;
  /** The offending text, why it is wrong, and what to write instead. */
  readonly message: string;
}

/** Definitions are wrong. `message` has a line for each issue. */
export declare class DefinitionError extends Error {
  constructor(issues: readonly DefinitionIssue[]);
  readonly name: 'DefinitionError';
  /** All that is wrong, in the order of files and lines. */
  readonly issues: readonly DefinitionIssue[];
}

/**
 * Renders a service: what `create-service new` would write for the same definitions, with
 * `.create-service/`, so that `create-service generate` goes on from it. The same definitions give
 * the same bytes.
 *
 * @returns all files of the project, sorted by path in code-point order.
 * @throws {DefinitionError} where a definition is wrong.
 */
export declare function render(
  definitions: Definitions,
  options?: RenderOptions,
): Promise<readonly RenderedFile[]>;
