/**
 * The inputs of a run as one hash. If it equals that in the manifest, this version has generated the same files
 * from the same definitions before, so there is nothing to generate, whatever the team has edited since. After a
 * merge of two branches the manifest has two hashes, or one of neither: then everything is compared.
 */
import { createHash } from 'node:crypto';

import type { Ownership } from '../shared/files.ts';
import type { PackageManager } from '../shared/package-manager.ts';
import type { WrittenFile } from './manifest.ts';

/**
 * @param version of the generator.
 * @param manager the project's package manager.
 * @param definitions with LF, by their paths in the project.
 * @param more what else a run depends on; see `recordedInputs`.
 */
export function fingerprintOf(
  version: string,
  manager: PackageManager,
  definitions: readonly WrittenFile[],
  more = '',
): string {
  const hash = createHash('sha256').update(`${version}\n${manager}\n${more}`);
  const sorted = definitions.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  for (const { path, text } of sorted) {
    // Lengths keep one file's end apart from the next one's beginning.
    hash.update(`\n${path.length} ${path} ${text.length} ${text}`);
  }
  return hash.digest('hex');
}

/**
 * What a run depends on besides the definitions: the definitions that migrations record, and the files of the
 * manifest. A line that somebody has removed from it brings a deleted file back.
 */
export function recordedInputs(
  recordLines: string,
  entries: readonly { readonly path: string; readonly ownership: Ownership }[],
): string {
  const paths = entries.flatMap(({ path, ownership }) => (ownership === 'append' ? [] : path));
  return [recordLines, ...paths.toSorted()].join('\n');
}
