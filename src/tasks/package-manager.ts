/** Asks a package manager for its version, and installs a project's dependencies with it. */
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { PackageManager } from '../shared/package-manager.ts';
import { lastLines } from './output.ts';
import { runProgram } from './run.ts';

type InstallOutcome =
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

/** Milliseconds for a package manager to tell its version, and to download the named version first. */
const VERSION_TIMEOUT = 10_000;
const DOWNLOAD_TIMEOUT = 60_000;

/**
 * The version of a package manager on this machine.
 * @param folder an existing folder: one whose package.json names a version may have another one.
 * @returns undefined where it is not installed, or does not tell in time.
 */
export async function installedVersion(
  manager: PackageManager,
  folder: string,
  interrupted: AbortSignal,
  timeout = VERSION_TIMEOUT,
): Promise<string | undefined> {
  const { status, output } = await runProgram(manager, ['--version'], {
    cwd: folder,
    interrupted,
    timeout,
    // Corepack would ask on the terminal before it downloads one.
    env: { COREPACK_ENABLE_DOWNLOAD_PROMPT: '0' },
  });
  return status === 0 ? /^\d+\.\d+\.\d+$/m.exec(output)?.[0] : undefined;
}

/**
 * The version that runs in a project whose package.json names one: Corepack, and pnpm from 10 on, download it.
 * @param place an existing folder, in which such a project is made for a moment.
 * @returns undefined where that fails.
 */
export async function versionInProject(
  manager: PackageManager,
  named: string,
  place: string,
  interrupted: AbortSignal,
): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(place, 'create-service-'));
  try {
    const packageJson = JSON.stringify({ private: true, packageManager: `${manager}@${named}` });
    await writeFile(path.join(folder, 'package.json'), packageJson);
    return await installedVersion(manager, folder, interrupted, DOWNLOAD_TIMEOUT);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs to its end; ends it where `interrupted` is aborted. */
export async function install(
  manager: PackageManager,
  folder: string,
  interrupted: AbortSignal,
): Promise<InstallOutcome> {
  // Without one, Yarn takes the folder for a part of whatever project is above it.
  if (manager === 'yarn') await appendFile(path.join(folder, 'yarn.lock'), '');
  const ended = await runProgram(manager, ARGUMENTS[manager], {
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
