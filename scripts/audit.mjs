/**
 * Asks the registry for advisories of this package's dependencies, and of those of a service with
 * everything in it: `npm run audit`. It needs the network, so it is no test.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const service = mkdtempSync(path.join(tmpdir(), 'create-service-audit-'));

const npm = (cwd, ...words) => spawnSync('npm', words, { cwd, stdio: 'inherit' }).status === 0;

console.log('create-service');
const isToolClean = npm(root, 'audit', '--omit=dev');
console.log('The emitted service');
copyFileSync(path.join(root, 'templates/service/package.json'), path.join(service, 'package.json'));
const isServiceClean =
  npm(service, 'install', '--package-lock-only', '--no-audit', '--no-fund') &&
  npm(service, 'audit');
rmSync(service, { recursive: true });
process.exitCode = isToolClean && isServiceClean ? 0 : 1;
