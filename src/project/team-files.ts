/** What code of the team imports: of its own files, and of generated ones that it has edited. */
import type { Project } from '../disk/project.ts';
import type { TeamFile } from '../plan/needed-outputs.ts';
import { UserError } from '../shared/errors.ts';
import { importedFiles, isImportingFile } from '../shared/imports.ts';
import type { DiskFile } from '../update/types.ts';

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
    const there = isImportingFile(file) ? lookAt(file, diskFile) : undefined;
    if (there?.kind !== 'text') return [];
    const entry = entries.get(file);
    const isUnedited =
      entry?.hashes.includes(there.hash) === true ||
      (entry !== undefined && isSameButStyle(baseOf(file), there.text));
    // A file that is generated once is the team's from the beginning.
    if (isUnedited && !(entry?.ownership === 'once' && isOutput(file))) return [];
    const importsOf = (text: string): readonly string[] =>
      importedFiles(file, text).map((one) => moves.get(one) ?? one);
    // A fixture that is edited stays as it is, whatever is generated now.
    const isKept = entry === undefined || entry.ownership === 'until-edited';
    const generated = isKept ? [] : importsOf(baseOf(file) ?? '');
    const imports = importsOf(there.text).filter((one) => !generated.includes(one));
    const generatedImports = moves.has(file) ? [] : generated;
    return [{ path: file, isGenerated: entry !== undefined, imports, generatedImports }];
  });
}

/** A file that cannot be read imports nothing that is known. */
function lookAt(file: string, diskFile: Project['diskFile']): DiskFile | undefined {
  try {
    return diskFile(file);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** Whether two texts differ in the style of the project alone, as a formatter has it. */
const isSameButStyle = (base: string | undefined, text: string): boolean =>
  base !== undefined && withoutStyle(base) === withoutStyle(text);

const withoutStyle = (text: string): string => text.replaceAll(/[\s"'`;,()]/g, '');
