/**
 * Platform files that no definition needs any more and that code of the team imports: `generate` leaves them to the
 * team, whose code would not compile without them.
 */
import path from 'node:path';

const PLATFORM = 'src/platform/';
const IMPORT = /\b(?:from|import)(?:\s+|\s*\(\s*)?['"](\.{1,2}\/[^'"\n]+)['"]/g;

/** The source code of a project, as far as the imports of removed files are concerned. */
interface ImportingCode {
  /** Files that are no longer generated. */
  readonly retired: readonly string[];
  /** Code of the team: its own files, and edited ones. */
  readonly files: () => Iterable<{ readonly path: string; readonly text: string }>;
  /** The text of a file on disk; undefined if there is none. */
  readonly textOf: (file: string) => string | undefined;
  /** The text that was generated last for a file: its imports are not the team's. */
  readonly baseOf: (file: string) => string | undefined;
}

/** The platform files that stay, with those that they import themselves. */
export function importedPlatformFiles(code: ImportingCode): ReadonlySet<string> {
  const candidates = new Set(code.retired.filter((file) => file.startsWith(PLATFORM)));
  const kept = new Set<string>();
  if (candidates.size === 0) return kept;
  const keep = (file: string, text: string, base: string): void => {
    const generated = new Set(importsIn(file, base));
    for (const imported of importsIn(file, text)) {
      if (generated.has(imported) || kept.has(imported) || !candidates.has(imported)) continue;
      kept.add(imported);
      keep(imported, code.textOf(imported) ?? '', '');
    }
  };
  for (const { path: file, text } of code.files()) {
    // A file that stays although nothing generates it any more needs all of its imports.
    keep(file, text, code.retired.includes(file) ? '' : (code.baseOf(file) ?? ''));
  }
  return kept;
}

/** The files that a text imports, by their paths in the project. */
const importsIn = (file: string, text: string): readonly string[] =>
  [...text.matchAll(IMPORT)].map(([, specifier = '']) =>
    path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts'),
  );
