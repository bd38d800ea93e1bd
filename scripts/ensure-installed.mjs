/**
 * Installs this repository's dependencies where they are missing or not those of the lock file,
 * so that every script works from a fresh clone. Uses nothing but Node.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs `npm ci` if it is needed; ends the process where that fails. */
export function ensureInstalled() {
  if (isInstalled()) return;
  console.error('Installing the dependencies of this repository …');
  const options = { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' };
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], options);
  if (error !== undefined) console.error(`npm could not be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Whether npm's record of what it installed holds all that the lock file asks for. */
function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  return Object.entries(wanted).every(
    ([name, { version, optional, devOptional }]) =>
      name === '' ||
      installed[name]?.version === version ||
      // For another platform.
      ((optional || devOptional) && installed[name] === undefined),
  );
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages;
  } catch {
    return {};
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) ensureInstalled();
