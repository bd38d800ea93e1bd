/**
 * Writes test/e2e/installed/: what emitted projects may depend on, as package.json and lock file, from the versions in
 * templates/service/package.json. End-to-end tests install it once: `npm run lock` after a version changes there.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const folder = new URL('test/e2e/installed/', root);
/** They are in the template for their versions alone. */
const MANAGERS = new Set(['@yarnpkg/cli-dist', 'bun', 'pnpm']);

const template = readFileSync(new URL('templates/service/package.json', root), 'utf8');
const { dependencies, devDependencies, overrides } = JSON.parse(template);
const packages = Object.entries(devDependencies).filter(([name]) => !MANAGERS.has(name));
const manifest = {
  name: 'installed',
  private: true,
  dependencies,
  devDependencies: Object.fromEntries(packages),
  overrides,
};
writeFileSync(new URL('package.json', folder), `${JSON.stringify(manifest, undefined, 2)}\n`);
const words = ['install', '--package-lock-only', '--no-audit', '--no-fund', '--ignore-scripts'];
execFileSync('npm', words, { cwd: fileURLToPath(folder), stdio: 'inherit' });
