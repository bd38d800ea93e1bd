/** Checks the free disk space, because PGlite hangs when it runs out of it while it makes a database. */
import { statfsSync } from 'node:fs';

const MEBIBYTE = 1024 * 1024;

/** @throws if the disk of the folder has less free space than this many MiB. */
export function requireSpace(folder: string, needed: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const left = Math.floor((bavail * bsize) / MEBIBYTE);
  if (left >= needed) return;
  throw new Error(
    `The disk is full: ${folder} has ${left} MiB left, and the database needs ${needed}. Make room, ` +
      'or name another folder in DATA_DIR.',
  );
}
