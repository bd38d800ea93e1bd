/**
 * Generated files that this version of the tool no longer has and that code of the team imports: `generate` leaves them
 * to the team, whose code would not compile without them.
 */
import { importedFiles } from '../shared/imports.ts';

const SHARED = /^(?:src\/platform|test\/support)\//;

/** The source code of a project, as far as the imports of removed files are concerned. */
interface ImportingCode {
  /** Files that are no longer generated. */
  readonly retired: readonly string[];
  readonly team: readonly TeamImports[];
  /** The text of a file on disk; empty if there is none. */
  readonly textOf: (file: string) => string;
}

/** The files that a file of the team imports, and those that its text imported when it was generated last. */
interface TeamImports {
  readonly path: string;
  readonly imports: readonly string[];
  readonly generatedImports: readonly string[];
}

/** The files that stay, with those that they import themselves. By path: what each imports. */
export function importedRetiredFiles({
  retired,
  team,
  textOf,
}: ImportingCode): ReadonlyMap<string, readonly string[]> {
  const candidates = new Set(retired.filter((file) => SHARED.test(file)));
  const kept = new Map<string, readonly string[]>();
  if (candidates.size === 0) return kept;
  // A file that stays although nothing generates it any more needs all of its imports.
  const rest = team.flatMap(({ path, imports, generatedImports }) =>
    retired.includes(path) ? [...imports, ...generatedImports] : imports,
  );
  for (const file of rest) {
    if (!candidates.delete(file)) continue;
    const imports = importedFiles(file, textOf(file));
    kept.set(file, imports);
    rest.push(...imports);
  }
  return kept;
}
