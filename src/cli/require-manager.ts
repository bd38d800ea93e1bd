/** Refuses a package manager that is missing or too old, before anything is written. */
import { tmpdir } from 'node:os';

import { testedVersion } from '../project/tested-version.ts';
import { userError } from '../shared/errors.ts';
import { OLDEST_VERSIONS } from '../shared/package-manager.ts';
import type { ChosenManager, PackageManager } from '../shared/package-manager.ts';
import { compareVersions } from '../update/versions.ts';
import { Interrupted } from './interrupted.ts';
import type { World } from './world.ts';

/** What installs each, or a newer version of it. */
const INSTALL: Readonly<Record<PackageManager, string>> = {
  npm: 'it comes with Node',
  pnpm: 'npm install --global pnpm',
  yarn: 'npm install --global @yarnpkg/cli-dist',
  bun: 'npm install --global bun',
};

/**
 * @param manager with its version, if it is known.
 * @throws UserError if dependencies cannot be installed with it.
 */
export async function requireManager(
  { name, version }: ChosenManager,
  cwd: string,
  { interrupted }: World,
): Promise<void> {
  const { installedVersion, versionInProject } = await import('../tasks/package-manager.ts');
  const own = version ?? (await installedVersion(name, cwd, interrupted));
  if (interrupted.aborted) throw new Interrupted();
  const install = INSTALL[name];
  if (own === undefined) throw userError('manager-missing', { name, install });
  const oldest = OLDEST_VERSIONS[name] ?? own;
  if (compareVersions(own, oldest) >= 0) return;
  const named = await versionInProject(name, testedVersion(name) ?? oldest, tmpdir(), interrupted);
  if (interrupted.aborted) throw new Interrupted();
  if (named !== undefined && compareVersions(named, oldest) >= 0) return;
  throw userError('manager-too-old', { name, version: own, oldest, install });
}
