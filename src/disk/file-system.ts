/**
 * What this stage needs of the file system. All of it is synchronous: a signal is then answered
 * before or after a commit, never within one, and nothing else runs meanwhile.
 */
import * as fs from 'node:fs';

import { UserError, userError } from '../shared/errors.ts';
import type { UserErrorCode } from '../shared/errors.ts';
import { ownMember } from '../shared/json.ts';

export type FileSystem = Pick<
  typeof fs,
  | 'lstatSync'
  | 'statSync'
  | 'realpathSync'
  | 'readdirSync'
  | 'readFileSync'
  | 'mkdirSync'
  | 'chmodSync'
  | 'writeFileSync'
  | 'renameSync'
  | 'rmdirSync'
  | 'rmSync'
>;

/** The one of this machine. */
export const realFileSystem: FileSystem = fs;

const CODES: Readonly<Record<string, UserErrorCode>> = {
  EACCES: 'not-allowed',
  EPERM: 'not-allowed',
  EROFS: 'read-only',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EFBIG: 'file-limit',
  ENOTDIR: 'not-a-folder',
  ENAMETOOLONG: 'path-too-long',
  ELOOP: 'link-loop',
};

/** Node's code of an error of the file system; undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Runs work on a path, and turns errors of the file system into user errors.
 * @param shown the path as the user knows it.
 */
export function withFileErrors<T>(shown: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const code = errnoOf(error);
    if (error instanceof UserError || code === undefined) throw error;
    const failure = userError((ownMember(CODES, code) ?? 'disk-failure') as 'disk-failure', {
      path: shown,
      code,
    });
    failure.cause = error;
    throw failure;
  }
}
