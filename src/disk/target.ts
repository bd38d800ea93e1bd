/** What stands where a new project is to go, and whether it may go there. */
import path from 'node:path';

import { userError } from '../shared/errors.ts';
import { withFileErrors } from './file-system.ts';
import type { FileSystem } from './file-system.ts';
import { isStaging } from './staging.ts';

export interface Target {
  /** Absolute, with symbolic links followed where the folder is there. */
  readonly folder: string;
  /** Whether it holds something, or is where the user stands: then it has to stay. */
  readonly inPlace: boolean;
}

/** What is no hindrance to a project: its history, and what editors and systems leave. */
const HARMLESS = new Set(['.git', '.idea', '.vscode', '.DS_Store', 'Thumbs.db', 'LICENSE']);

/**
 * @param folder absolute.
 * @param shown the folder as the user knows it.
 * @param cwd absolute: a folder that somebody works in is not replaced.
 * @param sources absolute paths of what the project is made from, which may stand in the folder.
 * @throws UserError where something is in the way.
 */
export function examineTarget(
  fs: FileSystem,
  folder: string,
  { shown, cwd, sources }: { shown: string; cwd: string; sources: readonly string[] },
): Target {
  return withFileErrors(shown, () => {
    const found = fs.lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return { folder, inPlace: false };
    if (found.isSymbolicLink() && fs.statSync(folder, { throwIfNoEntry: false }) === undefined) {
      throw userError('dangling-link', { path: shown });
    }
    const real = fs.realpathSync(folder);
    if (!fs.statSync(real).isDirectory()) throw userError('target-is-file', { path: shown });
    const entries = fs.readdirSync(real);
    const inTheWay = entries.filter(
      (name) =>
        !HARMLESS.has(name) &&
        !isStaging(name) &&
        ![folder, real].some((parent) => sources.includes(path.join(parent, name))),
    );
    if (inTheWay.length > 0) {
      throw userError('target-not-empty', { folder: shown, entries: inTheWay.toSorted() });
    }
    const isWorkedIn = real === fs.realpathSync(cwd);
    return { folder: real, inPlace: entries.length > 0 || isWorkedIn };
  });
}
