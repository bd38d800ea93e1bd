/** Files that lack generated code, as both `generate` and `check` report them. */
import type { MissingPart } from '../merge/index.ts';
import type { Outcome } from './types.ts';

/** A file with the generated code that edits removed from it. */
export interface FileWithMissing {
  readonly path: string;
  readonly missing: readonly MissingPart[];
}

/** The files of a run that lack generated code. */
export const missingOf = (outcomes: readonly Outcome[]): readonly FileWithMissing[] =>
  outcomes.flatMap(({ path, missing = [] }) => (missing.length === 0 ? [] : [{ path, missing }]));
