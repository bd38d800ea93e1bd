/**
 * Changes a project whole or not at all. All new texts, and copies of what they replace, are
 * written into a folder of the record first, with a journal of what is to be done; the rename of
 * that folder is where the run takes place. What follows are renames, the manifest last. Where
 * one is refused, those before it are taken back; where the process dies, the next run does the
 * rest (`recover`).
 */
import path from 'node:path';

import { userError } from '../shared/errors.ts';
import { hashOf, readLayout } from '../update/text.ts';
import { errnoOf, withFileErrors } from './file-system.ts';
import type { FileSystem } from './file-system.ts';
import { requireInside } from './inside.ts';
import { MANIFEST, RECORD } from './manifest.ts';

/** One file to write or to remove. */
export interface FileChange {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  /** As it is written; absent: the file is removed. */
  readonly raw?: string;
  /** The file whose permissions it takes over, where it replaces none. */
  readonly like?: string;
  /** The hash of the text that was there when it was decided; absent: nothing was there. */
  readonly before?: string;
}

interface Entry {
  readonly path: string;
  readonly kind: 'write' | 'remove';
  readonly before: string | null;
}

const RUN = `${RECORD}/run`;
const STAGED = `${RECORD}/run-new`;
const JOURNAL = 'journal.json';

/**
 * Applies changes to files.
 * @param shown gives the name of a path of the project in messages.
 * @throws UserError after which the project is as it was before.
 */
export function applyChanges(
  fs: FileSystem,
  folder: string,
  changes: readonly FileChange[],
  shown: (file: string) => string,
): void {
  if (changes.length === 0) return;
  const paths = changes.flatMap(({ path: file, like = file }) => [file, like]);
  withFileErrors(shown(RECORD), () => requireInside(fs, folder, paths, shown));
  const ordered = changes.toSorted((one, other) => turn(one) - turn(other));
  const staged = path.join(folder, STAGED);
  const run = path.join(folder, RUN);
  try {
    stage(fs, folder, ordered, shown);
    withFileErrors(shown(RECORD), () => fs.renameSync(staged, run));
  } catch (error) {
    discard(fs, staged);
    throw error;
  }
  const entries = ordered.map(entryOf);
  const done: number[] = [];
  try {
    for (const [index, entry] of entries.entries()) {
      withFileErrors(shown(entry.path), () => apply(fs, folder, { entry, index }));
      done.push(index);
    }
  } catch (error) {
    undo(fs, folder, entries, done);
    discard(fs, run);
    throw error;
  }
  removeEmptyFolders(fs, folder, removalsIn(entries));
  discard(fs, run);
}

const removalsIn = (entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(({ kind }) => kind === 'remove');

/** Files first, then the record, and in it the manifest last. */
const turn = ({ path: file }: FileChange): number =>
  file === MANIFEST ? 2 : file.startsWith(`${RECORD}/`) ? 1 : 0;

const entryOf = ({ path: file, raw, before }: FileChange): Entry => ({
  path: file,
  kind: raw === undefined ? 'remove' : 'write',
  before: before ?? null,
});

function stage(
  fs: FileSystem,
  folder: string,
  changes: readonly FileChange[],
  shown: (file: string) => string,
): void {
  const staged = path.join(folder, STAGED);
  withFileErrors(shown(RECORD), () => {
    fs.rmSync(staged, { recursive: true, force: true });
    for (const name of ['', 'new', 'old']) fs.mkdirSync(path.join(staged, name));
  });
  for (const [index, change] of changes.entries()) {
    withFileErrors(shown(change.path), () => stageOne(fs, folder, { change, index }, shown));
  }
  withFileErrors(shown(RECORD), () => {
    const text = `${JSON.stringify(changes.map(entryOf), undefined, 1)}\n`;
    fs.writeFileSync(path.join(staged, JOURNAL), text);
  });
}

function stageOne(
  fs: FileSystem,
  folder: string,
  { change, index }: { change: FileChange; index: number },
  shown: (file: string) => string,
): void {
  const target = path.join(folder, change.path);
  const staged = path.join(folder, STAGED);
  if (hashAt(fs, target) !== change.before) {
    throw userError('changed-meanwhile', { path: shown(change.path) });
  }
  if (change.before !== undefined) {
    const copy = path.join(staged, 'old', String(index));
    fs.writeFileSync(copy, fs.readFileSync(target));
    fs.chmodSync(copy, modeOf(fs, target));
  }
  if (change.raw === undefined) return;
  const fresh = path.join(staged, 'new', String(index));
  fs.writeFileSync(fresh, change.raw);
  const model = change.before === undefined ? change.like : change.path;
  if (model !== undefined) fs.chmodSync(fresh, modeOf(fs, path.join(folder, model)));
}

const modeOf = (fs: FileSystem, file: string): number => fs.statSync(file).mode & 0o777;

/** The hash of the text at a path; undefined where nothing is. */
function hashAt(fs: FileSystem, file: string): string | undefined {
  try {
    return hashOf(readLayout(fs.readFileSync(file, 'utf8')).text);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

interface Step {
  readonly entry: Entry;
  readonly index: number;
}

function apply(fs: FileSystem, folder: string, { entry, index }: Step): void {
  const target = path.join(folder, entry.path);
  if (entry.kind === 'remove') {
    fs.rmSync(target, { force: true });
    return;
  }
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.renameSync(path.join(folder, RUN, 'new', String(index)), target);
}

/** Takes steps back; where that is refused too, the journal stays, for the next run. */
function undo(
  fs: FileSystem,
  folder: string,
  entries: readonly Entry[],
  done: readonly number[],
): void {
  for (const index of done.toReversed()) {
    const entry = entries[index];
    if (entry === undefined) continue;
    const target = path.join(folder, entry.path);
    // The new text goes back to where the next run looks for it, should this one die here.
    if (entry.kind === 'write') {
      fs.renameSync(target, path.join(folder, RUN, 'new', String(index)));
    }
    if (entry.before !== null) {
      fs.renameSync(path.join(folder, RUN, 'old', String(index)), target);
    }
  }
  removeEmptyFolders(fs, folder, entries);
}

/** What `recover` did. */
export interface Recovery {
  /** Files that had been edited since, and the files beside them with the text of the run. */
  readonly beside: readonly string[];
}

/** Whether a run was interrupted in the middle of its changes. */
export const wasInterrupted = (fs: FileSystem, folder: string): boolean =>
  fs.statSync(path.join(folder, RUN, JOURNAL), { throwIfNoEntry: false }) !== undefined;

/**
 * Brings to its end what a run began that was killed, and clears away what it left. A file that
 * somebody has changed since then stays, and the text of the run is put beside it.
 * @returns undefined where nothing had been begun.
 */
export function recover(
  fs: FileSystem,
  folder: string,
  shown: (file: string) => string,
): Recovery | undefined {
  const run = path.join(folder, RUN);
  discard(fs, path.join(folder, STAGED));
  if (!wasInterrupted(fs, folder)) {
    discard(fs, run);
    return undefined;
  }
  const entries = readJournal(fs, folder, shown);
  const paths = entries.map(({ path: file }) => file);
  withFileErrors(shown(RECORD), () => requireInside(fs, folder, paths, shown));
  const beside: string[] = [];
  for (const [index, entry] of entries.entries()) {
    withFileErrors(shown(entry.path), () => {
      const moved = finish(fs, folder, { entry, index });
      if (moved !== undefined) beside.push(moved);
    });
  }
  removeEmptyFolders(fs, folder, removalsIn(entries));
  discard(fs, run);
  return { beside };
}

/** What a run was about to do. @throws UserError where its journal does not say so. */
function readJournal(
  fs: FileSystem,
  folder: string,
  shown: (file: string) => string,
): readonly Entry[] {
  const file = `${RUN}/${JOURNAL}`;
  const text = fs.readFileSync(path.join(folder, file), 'utf8');
  try {
    const entries = JSON.parse(text) as readonly unknown[];
    if (entries.every(isEntry)) return entries;
  } catch {
    // It is no JSON, or no list.
  }
  throw userError('journal-damaged', { path: shown(file), folder: shown(RUN) });
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { path: file, kind, before } = value as Readonly<Record<keyof Entry, unknown>>;
  return (
    typeof file === 'string' &&
    (kind === 'write' || kind === 'remove') &&
    (before === null || typeof before === 'string')
  );
}

/** Does one step that may be done already; answers the file beside where it was not to be. */
function finish(fs: FileSystem, folder: string, { entry, index }: Step): string | undefined {
  const target = path.join(folder, entry.path);
  const now = hashAt(fs, target);
  const isAsBefore = now === undefined || now === entry.before;
  const fresh = path.join(folder, RUN, 'new', String(index));
  if (entry.kind === 'remove') {
    if (isAsBefore) fs.rmSync(target, { force: true });
    return undefined;
  }
  if (fs.statSync(fresh, { throwIfNoEntry: false }) === undefined) return undefined;
  if (isAsBefore || entry.path.startsWith(`${RECORD}/`)) {
    apply(fs, folder, { entry, index });
    return undefined;
  }
  const beside = freeName(fs, folder, `${entry.path}.new`);
  fs.renameSync(fresh, path.join(folder, beside));
  return beside;
}

function freeName(fs: FileSystem, folder: string, wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}${number}`;
    const there = fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false });
    if (there === undefined) return name;
  }
}

/** Folders that a removed file, or one that was taken back, leaves with nothing in them. */
function removeEmptyFolders(fs: FileSystem, folder: string, entries: readonly Entry[]): void {
  const folders = new Set(entries.map(({ path: file }) => path.posix.dirname(file)));
  for (const deepest of [...folders].toSorted().toReversed()) {
    for (let below = deepest; below !== '.'; below = path.posix.dirname(below)) {
      try {
        fs.rmdirSync(path.join(folder, below));
      } catch {
        // There is something in it still, or it is gone.
        break;
      }
    }
  }
}

/** Removes what a run left; its journal first, so that what is left of it is never taken for one. */
function discard(fs: FileSystem, folder: string): void {
  try {
    fs.rmSync(path.join(folder, JOURNAL), { force: true });
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is in nobody's way: a run that begins looks at its journal first.
  }
}
