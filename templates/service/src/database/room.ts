/** Room on the disk: PGlite that runs out of it while it makes a database neither ends nor goes on. */
import { statfsSync } from 'node:fs';

const MEBIBYTE = 1024 * 1024;

/** @throws where the disk of a folder has less room than so many MiB. */
export function requireRoom(folder: string, needed: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const left = Math.floor((bavail * bsize) / MEBIBYTE);
  if (left >= needed) return;
  throw new Error(
    `The disk is full: ${folder} has ${left} MiB left, and the database needs ${needed}. Make room, ` +
      'or name another folder in DATA_DIR.',
  );
}
