/**
 * Keeps what a run writes and removes inside the project: paths come from the manifest and from the
 * journal of a run, which anybody may have edited, and folders may be symbolic links.
 */
import path from 'node:path';

import { userError } from '../shared/errors.ts';
import { errnoOf } from './file-system.ts';
import type { FileSystem } from './file-system.ts';

/**
 * Whether a path is one that a project has: relative, with forward slashes, and without a way up. What
 * Windows takes for another path (drives, backslashes, a dot or blank at the end of a name) is none.
 */
export const isProjectPath = (file: string): boolean =>
  !/[\\\p{Cc}]|^[a-z]:/iu.test(file) &&
  !/^\.git(?:\/|$)/i.test(file) &&
  file.split('/').every((name) => name !== '' && !/[. ]$/.test(name));

/**
 * Refuses paths that lead out of the project, by their names or by a link to a folder elsewhere.
 * @param shown gives the name of a path of the project in messages.
 * @throws UserError
 */
export function requireInside(
  fs: FileSystem,
  folder: string,
  files: readonly string[],
  shown: (file: string) => string,
): void {
  const root = fs.realpathSync(folder);
  const known = new Set<string>();
  for (const file of files) {
    const parent = path.dirname(path.join(folder, file));
    const isInside =
      isProjectPath(file) && (known.has(parent) || isBelow(root, realFolder(fs, parent)));
    if (!isInside) throw userError('outside-project', { path: shown(file) });
    known.add(parent);
  }
}

const isBelow = (root: string, folder: string): boolean =>
  folder === root || folder.startsWith(root.endsWith(path.sep) ? root : `${root}${path.sep}`);

/** Where a folder really is; one that is not there yet will be where its parent is. */
function realFolder(fs: FileSystem, folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) throw error;
    // A link to nothing: what is made there would be elsewhere.
    if (isLink(fs, folder)) return '';
    return path.join(realFolder(fs, path.dirname(folder)), path.basename(folder));
  }
}

function isLink(fs: FileSystem, file: string): boolean {
  try {
    return fs.lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}
