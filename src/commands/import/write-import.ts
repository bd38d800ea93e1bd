/** Writes the definitions and reports of an import into a new folder, whole or not at all. */
import path from 'node:path';

import { commitProject } from '../../disk/commit.ts';
import { realFileSystem as fs } from '../../disk/file-system.ts';
import type { WrittenFile } from '../../disk/manifest.ts';
import { finishMoves, removeStale } from '../../disk/staging.ts';
import type { Owner } from '../../disk/staging.ts';
import { examineTarget } from '../../disk/target.ts';
import { displayPath } from '../../shared/display-path.ts';

/** Where an import writes to, and for whom. */
export interface ImportTarget {
  /** The folder to make, absolute; absent: nothing is written. */
  readonly target: string | undefined;
  /** Absolute. */
  readonly cwd: string;
  readonly interrupted: AbortSignal;
  readonly owner: Owner;
  /** Whether a process of this machine is still there. */
  readonly isAlive: (pid: number) => boolean;
}

/** Checks the folder before anything is read. @throws UserError if it is not free. */
export function requireFreeTarget({ target, cwd, owner, isAlive }: ImportTarget): void {
  if (target === undefined) return;
  removeStale(fs, path.dirname(target), owner.host, isAlive);
  removeStale(fs, target, owner.host, isAlive);
  finishMoves(fs, target);
  examineTarget(fs, target, { shown: displayPath(cwd, target), cwd, sources: [] });
}

/** Writes the folder; returns its path. @throws UserError if it is no longer free. */
export function writeImport(
  { cwd, owner }: ImportTarget,
  target: string,
  definitions: readonly WrittenFile[],
  markdown: string,
  report: object,
): string {
  const shown = displayPath(cwd, target);
  const { folder, inPlace } = examineTarget(fs, target, { shown, cwd, sources: [] });
  const files = [
    ...definitions,
    { path: 'import-report.md', text: markdown },
    { path: 'import-report.json', text: `${JSON.stringify(report, undefined, 2)}\n` },
  ];
  commitProject(fs, { target: folder, shown, files, inPlace, owner });
  return folder;
}
