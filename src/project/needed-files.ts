/** Whether a project has just the shared files that its code imports, told from its record: nothing is rendered. */
import type { Project } from '../disk/project.ts';
import { OFFERED_PATHS } from '../plan/outputs.ts';
import { importedFiles, isImportingFile } from '../shared/imports.ts';
import { readWholeCache } from './render-cache.ts';
import type { CacheHits } from './render-cache.ts';
import { teamFilesIn } from './team-files.ts';

/**
 * Whether the definitions of the last run yield the same files as then. Only code of the team can have changed that.
 * @param cached what the last run generated; if the record of it is incomplete, this cannot be told, and is assumed.
 */
export function hasNeededFiles(
  project: Project,
  cached: CacheHits | undefined = readWholeCache(project),
): boolean {
  if (cached === undefined) return true;
  const paths = project.manifest.entries.map(({ path }) => path);
  const rest = new Set(paths.filter((file) => OFFERED_PATHS.has(file)));
  const queue = paths.filter((file) => isImportingFile(file) && !rest.has(file));
  const known = new Set(paths);
  let lacks = false;
  const take = (files: readonly string[]): void => {
    for (const file of files) {
      if (rest.delete(file)) queue.push(file);
      lacks ||= OFFERED_PATHS.has(file) && !known.has(file);
    }
  };
  const texts = new Map([
    ...cached.tree.map(({ path, text }) => [path, text] as const),
    ...cached.resolved.map(({ path, base = '' }) => [path, base] as const),
  ]);
  const team = teamFilesIn(project, (file) => known.has(file), new Map());
  for (const { imports } of team) take(imports);
  for (const file of queue) {
    if (lacks || rest.size === 0) break;
    take(importedFiles(file, texts.get(file) ?? ''));
  }
  return !lacks && rest.size === 0;
}
