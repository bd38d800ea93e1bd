/** Whether a project has just the shared files that its code imports, told from its record: nothing is rendered. */
import type { Project } from '../disk/project.ts';
import { neededOutputs } from '../plan/needed-outputs.ts';
import { OFFERED_PATHS } from '../plan/outputs.ts';
import { importedFiles } from '../shared/imports.ts';
import { readWholeCache } from './render-cache.ts';
import type { CacheHits } from './render-cache.ts';
import { teamFilesIn } from './team-files.ts';

/**
 * Whether the definitions of the last run yield the same files as then. Only code of the team can have changed that.
 * @param cached what the last run generated; if the record of it is incomplete, this cannot be told.
 */
export function hasNeededFiles(
  project: Project,
  cached: CacheHits | undefined = readWholeCache(project),
): boolean {
  if (cached === undefined) return false;
  const files = project.manifest.entries.map(({ path }) => ({ target: path }));
  const known = new Set(files.map(({ target }) => target));
  const texts = new Map([
    ...cached.tree.map(({ path, text }) => [path, text] as const),
    // The record of a deleted file is that of an older text. Then this is not known, and the outputs are rendered.
    ...cached.resolved
      .filter(({ outcome }) => outcome?.action !== 'absent')
      .map(({ path, base = '' }) => [path, base] as const),
  ]);
  const needed = neededOutputs({
    outputs: files.filter(({ target }) => !OFFERED_PATHS.has(target)),
    offered: Array.from(OFFERED_PATHS, (target) => ({ target })),
    importsOf: ({ target }) => importedFiles(target, texts.get(target) ?? ''),
    team: teamFilesIn(project, (file) => known.has(file), new Map()),
  });
  let count = 0;
  for (const { target } of needed) {
    if (!known.has(target)) return false;
    count += 1;
  }
  return count === known.size;
}
