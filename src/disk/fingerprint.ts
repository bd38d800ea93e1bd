/**
 * What a run of the generator hangs on, as one hash. Where it is the one in the manifest, the same
 * version has generated from the same definitions before: there is nothing to generate, whatever
 * the team has edited since. Two branches that met have two, or one that is of neither: then all
 * is looked at.
 */
import { createHash } from 'node:crypto';

import type { PackageManager } from '../shared/package-manager.ts';
import type { WrittenFile } from './manifest.ts';

/**
 * @param version of the generator.
 * @param manager the project's package manager.
 * @param definitions with LF, by their paths in the project.
 * @param recorded what the migrations record of the definitions, where that counts too.
 */
export function fingerprintOf(
  version: string,
  manager: PackageManager,
  definitions: readonly WrittenFile[],
  recorded = '',
): string {
  const hash = createHash('sha256').update(`${version}\n${manager}\n${recorded}`);
  const sorted = definitions.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  for (const { path, text } of sorted) {
    // Lengths keep one file's end apart from the next one's beginning.
    hash.update(`\n${path.length} ${path} ${text.length} ${text}`);
  }
  return hash.digest('hex');
}
