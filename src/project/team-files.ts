/** What code of the team imports: of its own files, and of generated ones that it has edited. */
import type { Project } from '../disk/project.ts';
import type { TeamFile } from '../plan/needed-outputs.ts';
import { importedFiles, isImportingFile } from '../shared/imports.ts';

/**
 * Reads the files of a project that are the team's.
 * @param isOutput whether a file is still generated. An unedited file that is not is the team's no more than others.
 * @param moves new paths of files by their old ones.
 */
export function teamFilesIn(
  { manifest, sourceFiles, diskFile, baseOf }: Project,
  isOutput: (file: string) => boolean,
  moves: ReadonlyMap<string, string>,
): readonly TeamFile[] {
  const entries = new Map(manifest.entries.map((entry) => [entry.path, entry]));
  return sourceFiles().flatMap((file): TeamFile[] => {
    const there = isImportingFile(file) ? diskFile(file) : undefined;
    if (there?.kind !== 'text') return [];
    const entry = entries.get(file);
    const isUnedited = entry?.hashes.includes(there.hash) === true;
    // A file that is generated once is the team's from the beginning.
    if (isUnedited && !(entry?.ownership === 'once' && isOutput(file))) return [];
    const importsOf = (text: string): readonly string[] =>
      importedFiles(file, text).map((one) => moves.get(one) ?? one);
    const generated = entry === undefined ? [] : importsOf(baseOf(file) ?? '');
    const imports = importsOf(there.text).filter((one) => !generated.includes(one));
    return [{ path: file, imports, generatedImports: moves.has(file) ? [] : generated }];
  });
}
