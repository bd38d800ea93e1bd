/** The package manager of a project that lives: package.json says which, on every machine. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { check } from '../../../src/commands/check.ts';
import { NPM } from '../../../src/shared/package-manager.ts';
import type { ChosenManager } from '../../../src/shared/package-manager.ts';
import { makeProject } from './support.ts';
import type { TestProject } from './support.ts';

let place = '';
beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const make = async (manager: ChosenManager): Promise<TestProject> =>
  makeProject(
    path.join(place, 'shop'),
    { 'service.yaml': 'name: shop\n', 'collections/books.yaml': 'fields: { a: { type: text } }\n' },
    manager,
  );
const codes = async ({ folder }: TestProject): Promise<readonly string[]> => {
  const owner = { pid: process.pid, host: 'here', random: '0a1b2c3d' };
  const result = await check({ cwd: folder, owner, isAlive: () => false });
  return result.ok ? result.findings.map(({ code }) => code) : ['issues'];
};
const fieldOf = ({ read }: TestProject): unknown =>
  (JSON.parse(read('package.json')) as Record<string, unknown>)['packageManager'];

test('what a project was made for it stays, whoever generates it', async () => {
  const project = await make({ name: 'pnpm', version: undefined });
  expect((await project.generate()).changes).toEqual([]);
  project.edit('definitions/collections/books.yaml', (text) => text.replace('a:', 'b:'));
  await project.generate();
  expect(project.read('README.md')).toContain('\npnpm install\n');
  expect(await codes(project)).toEqual([]);
});

test('a team goes over to another by its field, and all follows', async () => {
  const project = await make(NPM);
  project.edit('README.md', (text) => `${text}\nOur own words.\n`);
  project.edit('package.json', (text) =>
    text.replace('"type"', '"packageManager": "yarn@4.9.0+sha224.ab",\n  "type"'),
  );
  expect(await codes(project)).toEqual(['not-generated']);
  await project.generate();
  expect(project.read('Dockerfile')).toContain('RUN yarn install --immutable\n');
  expect(project.read('README.md')).toMatch(/\nyarn install\n[^]*\nOur own words\.\n$/);
  expect(existsSync(path.join(project.folder, '.yarnrc.yml'))).toBe(true);
  expect(fieldOf(project)).toBe('yarn@4.9.0+sha224.ab');
  expect(project.read('package.json')).toContain('"resolutions"');
  expect(project.read('package.json')).not.toContain('"overrides"');
  expect(await codes(project)).toEqual([]);
  expect((await project.generate()).changes).toEqual([]);

  project.edit('package.json', (text) => text.replace('yarn@4.9.0+sha224.ab', 'npm@11.0.0'));
  expect(await codes(project)).toEqual(['not-generated']);
  await project.generate();
  expect(project.read('Dockerfile')).toContain('RUN npm ci ');
  expect(existsSync(path.join(project.folder, '.yarnrc.yml'))).toBe(false);
  expect(fieldOf(project)).toBe('npm@11.0.0');
  expect(await codes(project)).toEqual([]);
});

test.each([
  ['an older version', '9.0.0'],
  ['a newer version', '99.0.0'],
])('%s is the choice of the team, and stays', async (_what, version) => {
  const project = await make({ name: 'pnpm', version: undefined });
  project.edit('package.json', (text) => text.replace(/pnpm@[^"]+/, `pnpm@${version}`));
  expect(await codes(project)).toEqual([]);
  project.edit('definitions/collections/books.yaml', (text) => text.replace('a:', 'b:'));
  await project.generate();
  expect(fieldOf(project)).toBe(`pnpm@${version}`);
});

test('a field that was taken out says nothing of another package manager', async () => {
  const project = await make({ name: 'bun', version: undefined });
  project.edit('package.json', (text) => text.replace(/,\n *"packageManager": "[^"]*"/, ''));
  expect(fieldOf(project)).toBeUndefined();
  project.edit('definitions/collections/books.yaml', (text) => text.replace('a:', 'b:'));
  await project.generate();
  expect(fieldOf(project)).toBeUndefined();
  expect(project.read('Dockerfile')).toContain('RUN bun install --frozen-lockfile\n');
});

test('a new project takes the version that runs, but none that is older than what is known to work', async () => {
  const newer = await make({ name: 'pnpm', version: '99.1.2' });
  expect(fieldOf(newer)).toBe('pnpm@99.1.2');
  rmSync(newer.folder, { recursive: true });
  const older = await make({ name: 'yarn', version: '1.22.22' });
  expect(fieldOf(older)).toMatch(/^yarn@4\./);
});
