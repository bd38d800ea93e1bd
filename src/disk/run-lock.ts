/**
 * Keeps two runs from writing to one project at once: a file that is made only where there is
 * none, with the process that made it. What a dead process left is taken over.
 */
import path from 'node:path';

import { userError } from '../shared/errors.ts';
import { errnoOf, withFileErrors } from './file-system.ts';
import type { FileSystem } from './file-system.ts';
import { RECORD } from './manifest.ts';
import type { Owner } from './staging.ts';

const LOCK = `${RECORD}/lock`;
/** Milliseconds after which a lock whose process cannot be looked at is nobody's: a run takes seconds. */
const FORGOTTEN = 10 * 60 * 1000;

/** Who asks for the lock, and how to find out about others. */
export interface LockOptions {
  readonly owner: Owner;
  readonly isAlive: (pid: number) => boolean;
  /** The project as the user knows it. */
  readonly shown: string;
}

/**
 * Takes the lock of a project.
 * @returns gives it back.
 * @throws UserError where another run has it.
 */
export function takeLock(fs: FileSystem, folder: string, options: LockOptions): () => void {
  const { owner, shown } = options;
  const file = path.join(folder, LOCK);
  return withFileErrors(shown, () => {
    if (!tryLock(fs, file, owner)) {
      putAside(fs, file, options);
      if (!tryLock(fs, file, owner)) throw userError('busy', { folder: shown, pid: undefined });
    }
    return () => fs.rmSync(file, { force: true });
  });
}

/** Whether another run is at work on a project. */
export function isLocked(fs: FileSystem, folder: string, options: LockOptions): boolean {
  const holder = readHolder(fs, path.join(folder, LOCK));
  return holder !== undefined && isAtWork(holder, options);
}

function tryLock(fs: FileSystem, file: string, owner: Owner): boolean {
  try {
    fs.writeFileSync(file, `${JSON.stringify(owner)}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    // On a full disk the file is made, and stays empty: nobody could tell whose it is.
    const half = readHolder(fs, file);
    if (half !== undefined && half.owner === undefined) fs.rmSync(file, { force: true });
    throw error;
  }
}

/** Takes a lock away that nobody holds any more; by a rename, so that only one run does. */
function putAside(fs: FileSystem, file: string, options: LockOptions): void {
  const holder = readHolder(fs, file);
  if (holder === undefined) return;
  if (isAtWork(holder, options)) {
    throw userError('busy', { folder: options.shown, pid: holder.owner?.pid });
  }
  const aside = `${file}.${options.owner.random}`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  const taken = readHolder(fs, aside);
  if (taken !== undefined && taken.text !== holder.text) {
    // Another run was sooner, and this is its own lock.
    fs.renameSync(aside, file);
    throw userError('busy', { folder: options.shown, pid: taken.owner?.pid });
  }
  fs.rmSync(aside, { force: true });
}

interface Holder {
  readonly text: string;
  readonly owner: Owner | undefined;
  /** Milliseconds since it was written. */
  readonly age: number;
}

function isAtWork({ owner, age }: Holder, options: LockOptions): boolean {
  if (owner === undefined || owner.host !== options.owner.host) return age < FORGOTTEN;
  return owner.pid !== options.owner.pid && options.isAlive(owner.pid);
}

function readHolder(fs: FileSystem, file: string): Holder | undefined {
  const entry = fs.statSync(file, { throwIfNoEntry: false });
  if (entry === undefined) return undefined;
  const age = Date.now() - entry.mtimeMs;
  try {
    const text = fs.readFileSync(file, 'utf8');
    return { text, age, owner: ownerIn(text) };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A run that was killed while it wrote its lock leaves less than an owner. */
function ownerIn(text: string): Owner | undefined {
  try {
    const { pid, host, random } = JSON.parse(text) as Owner;
    return { pid, host, random };
  } catch {
    return undefined;
  }
}
