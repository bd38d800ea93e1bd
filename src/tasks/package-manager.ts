/** Installs a project's dependencies, with one of four package managers. */
import { execa } from 'execa';

import { lastLines } from './output.ts';

export type InstallOutcome =
  | { readonly kind: 'installed' }
  | { readonly kind: 'interrupted' }
  /** `output`: the last of what the package manager said. */
  | { readonly kind: 'failed'; readonly reason: string; readonly output: readonly string[] };

/** What installs with each: the words after its name. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  npm: ['install', '--no-audit', '--no-fund'],
};

/** Runs to its end; ends it where `interrupted` is aborted. */
export async function install(
  manager: string,
  folder: string,
  interrupted: AbortSignal,
): Promise<InstallOutcome> {
  const result = await execa(manager, ARGUMENTS[manager] ?? ['install'], {
    cwd: folder,
    stdin: 'ignore',
    all: true,
    reject: false,
    cancelSignal: interrupted,
  });
  if (interrupted.aborted) return { kind: 'interrupted' };
  if (!result.failed) return { kind: 'installed' };
  const reason =
    result.code === 'ENOENT'
      ? `${manager} is not on this machine`
      : result.exitCode === undefined
        ? `it was ended by ${result.signal ?? 'something else'}`
        : `it ended with status ${result.exitCode}`;
  return { kind: 'failed', reason, output: lastLines(result.all) };
}
