/**
 * Staging folders: their names, which tell whose they are, and what becomes of those that a
 * killed run left behind.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';

import type { FileSystem } from './file-system.ts';

/** The process that a staging folder belongs to. */
export interface Owner {
  readonly pid: number;
  /** The machine's name: on a shared disk, processes of others cannot be looked at. */
  readonly host: string;
  /** Eight hexadecimal digits. */
  readonly random: string;
}

/** Long names would make one that no file system takes. */
const LONGEST_NAME = 40;

const STAGING = /^\.(?:.+\.)?create-service-([0-9a-f]{8})-(\d+)-[0-9a-f]{8}$/;
const READY = /^\.create-service-ready-[0-9a-f]{8}-\d+-[0-9a-f]{8}$/;

/** The staging folder of a project; without a name, of the folder that it stands in. */
export function stagingName(project: string, owner: Owner): string {
  const name = Array.from(project).slice(0, LONGEST_NAME).join('');
  return `.${name === '' ? '' : `${name}.`}create-service-${tagOf(owner)}`;
}

/** The staging folder within a project once it is complete. */
export const readyName = (owner: Owner): string => `.create-service-ready-${tagOf(owner)}`;

const tagOf = ({ host, pid, random }: Owner): string => `${hashOf(host)}-${pid}-${random}`;

const hashOf = (host: string): string =>
  createHash('sha256').update(host).digest('hex').slice(0, 8);

/** Whether a name is one of a staging folder, complete or not. */
export const isStaging = (name: string): boolean => STAGING.test(name) || READY.test(name);

/** Removes the staging folders in a folder whose processes are gone. */
export function removeStale(
  fs: FileSystem,
  folder: string,
  host: string,
  isAlive: (pid: number) => boolean,
): void {
  for (const name of namesIn(fs, folder)) {
    const found = STAGING.exec(name);
    if (found === null || found[1] !== hashOf(host) || isAlive(Number(found[2]))) continue;
    removeStaging(fs, path.join(folder, name));
  }
}

/** Brings to its end what a run began that was killed while it moved its files into a folder. */
export function finishMoves(fs: FileSystem, folder: string): boolean {
  const found = namesIn(fs, folder).filter((name) => READY.test(name));
  for (const name of found) moveContentsUp(fs, path.join(folder, name), folder);
  return found.length > 0;
}

/** Without its package.json a folder is no project to anybody: it comes last. */
const byTurn = (one: string, other: string): number =>
  Number(one === 'package.json') - Number(other === 'package.json');

/**
 * Moves the contents of a folder to its parent, and removes the folder. What is there already stays. Where a
 * move is refused, those before it are taken back, and the folder is removed all the same.
 */
export function moveContentsUp(fs: FileSystem, from: string, to: string): void {
  const moves: Move[] = [];
  try {
    moveEntries(fs, { source: from, target: to }, moves);
  } catch (error) {
    // Where that is refused too, the folder stays, for the next run to finish.
    for (const { source, target } of moves.toReversed()) fs.renameSync(target, source);
    removeStaging(fs, from);
    throw error;
  }
  removeStaging(fs, from);
}

interface Move {
  readonly source: string;
  readonly target: string;
}

function moveEntries(fs: FileSystem, { source: from, target: to }: Move, moves: Move[]): void {
  for (const name of fs.readdirSync(from).toSorted(byTurn)) {
    const move = { source: path.join(from, name), target: path.join(to, name) };
    const there = fs.lstatSync(move.target, { throwIfNoEntry: false });
    if (there === undefined) {
      fs.renameSync(move.source, move.target);
      moves.push(move);
    } else if (there.isDirectory() && fs.lstatSync(move.source).isDirectory()) {
      moveEntries(fs, move, moves);
    }
  }
}

/** Removes a staging folder; that it cannot be is no failure, for the next run removes it. */
export function removeStaging(fs: FileSystem, staging: string): void {
  try {
    fs.rmSync(staging, { recursive: true, force: true });
  } catch {
    // It is hidden, and in nobody's way.
  }
}

function namesIn(fs: FileSystem, folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
