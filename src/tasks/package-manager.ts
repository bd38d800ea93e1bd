/** Installs a project's dependencies, with one of four package managers. */
import { appendFile } from 'node:fs/promises';
import path from 'node:path';

import type { PackageManager } from '../package-manager.ts';
import { lastLines } from './output.ts';
import { run } from './run.ts';

export type InstallOutcome =
  | { readonly kind: 'installed' }
  | { readonly kind: 'interrupted' }
  /** `output`: the last of what the package manager said. */
  | { readonly kind: 'failed'; readonly reason: string; readonly output: readonly string[] };

/** What installs with each for the first time, also where CI would have the lock file be there. */
const ARGUMENTS: Readonly<Record<PackageManager, readonly string[]>> = {
  npm: ['install', '--no-audit', '--no-fund'],
  pnpm: ['install', '--no-frozen-lockfile'],
  yarn: ['install', '--no-immutable'],
  bun: ['install'],
};

/** Runs to its end; ends it where `interrupted` is aborted. */
export async function install(
  manager: PackageManager,
  folder: string,
  interrupted: AbortSignal,
): Promise<InstallOutcome> {
  // Without one, Yarn takes the folder for a part of whatever project is above it.
  if (manager === 'yarn') await appendFile(path.join(folder, 'yarn.lock'), '');
  const ended = await run(manager, ARGUMENTS[manager], {
    cwd: folder,
    interrupted,
  });
  if (interrupted.aborted) return { kind: 'interrupted' };
  if (ended.status === 0) return { kind: 'installed' };
  const reason = ended.isMissing
    ? `${manager} is not on this machine`
    : ended.status === undefined
      ? `it was ended by ${ended.signal ?? 'something else'}`
      : `it ended with status ${ended.status}`;
  return { kind: 'failed', reason, output: lastLines(ended.output) };
}
