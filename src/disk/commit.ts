/**
 * Writes a new project whole or not at all. All files are written into a staging folder first;
 * what makes them a project is one rename, the last act.
 *
 * A folder that is there already and cannot be replaced (it is somebody's working directory, or
 * it holds a `.git`) is filled in place: the staging folder is within it, is renamed when it is
 * complete, and its entries then move up, `package.json` last. A run that is killed between these
 * moves is brought to its end by the next one (staging.ts).
 */
import path from 'node:path';

import { errnoOf, withFileErrors } from './file-system.ts';
import type { FileSystem } from './file-system.ts';
import type { WrittenFile } from './manifest.ts';
import { removeStaging, moveContentsUp, readyName, stagingName } from './staging.ts';
import type { Owner } from './staging.ts';

export interface Commit {
  /** Absolute. */
  readonly target: string;
  /** The target as the user knows it. */
  readonly shown: string;
  readonly files: readonly WrittenFile[];
  /** Whether the target is there and has to stay the folder that it is. */
  readonly inPlace: boolean;
  readonly owner: Owner;
}

/** @throws UserError after which the disk is as it was before. */
export function commitProject(fs: FileSystem, commit: Commit): void {
  withFileErrors(commit.shown, () => {
    if (commit.inPlace) fillFolder(fs, commit);
    else makeFolder(fs, commit);
  });
}

/** Renaming over a folder is refused where it is a mount point, or by the system (Windows). */
const CANNOT_REPLACE = new Set(['EBUSY', 'EXDEV', 'EPERM', 'EEXIST', 'EACCES', 'EROFS']);

function makeFolder(fs: FileSystem, commit: Commit): void {
  const { target, files, owner } = commit;
  const parent = path.dirname(target);
  const made: string[] = [];
  const staging = path.join(parent, stagingName(path.basename(target), owner));
  try {
    makeFolders(fs, parent, made);
    stage(fs, staging, files);
    fs.renameSync(staging, target);
  } catch (error) {
    removeStaging(fs, staging);
    removeEmpty(fs, made);
    const isThere = fs.lstatSync(target, { throwIfNoEntry: false }) !== undefined;
    if (!isThere || !CANNOT_REPLACE.has(errnoOf(error) ?? '')) throw error;
    fillFolder(fs, commit);
  }
}

function fillFolder(fs: FileSystem, { target, files, owner }: Commit): void {
  const staging = path.join(target, stagingName('', owner));
  const ready = path.join(target, readyName(owner));
  try {
    stage(fs, staging, files);
    fs.renameSync(staging, ready);
  } catch (error) {
    removeStaging(fs, staging);
    throw error;
  }
  moveContentsUp(fs, ready, target);
}

function stage(fs: FileSystem, staging: string, files: readonly WrittenFile[]): void {
  fs.mkdirSync(staging);
  const folders = new Set<string>();
  for (const { path: name, text } of files) {
    const file = path.join(staging, name);
    const folder = path.dirname(file);
    if (!folders.has(folder)) fs.mkdirSync(folder, { recursive: true });
    folders.add(folder);
    fs.writeFileSync(file, text, { flag: 'wx' });
  }
}

/**
 * Makes a folder and those above it that are missing; `made` is given each, from the top down.
 * Node's own `recursive` tries without end where a system folder refuses (`/proc`).
 */
function makeFolders(fs: FileSystem, folder: string, made: string[]): void {
  if (fs.statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  makeFolders(fs, path.dirname(folder), made);
  fs.mkdirSync(folder);
  made.push(folder);
}

function removeEmpty(fs: FileSystem, made: readonly string[]): void {
  try {
    for (const folder of made.toReversed()) fs.rmdirSync(folder);
  } catch {
    // Somebody has put something there meanwhile: it stays.
  }
}
