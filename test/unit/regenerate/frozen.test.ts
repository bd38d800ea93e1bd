/** What clients of frozen versions rely on, over the life of a project: kept, held, and merged. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { check } from '../../../src/commands/check.ts';
import { filesIn } from '../cli/support.ts';
import { makeProject } from './support.ts';
import type { TestProject } from './support.ts';

let place = '';
let project: TestProject;

const BOOKS = `fields:
  title: { type: string, required: true, max_length: 100 }
  price: { type: integer }
filter: [price]
`;
const service = 'definitions/service.yaml';
const books = 'definitions/collections/books.yaml';
const CONTRACT = '.create-service/versions/v1/collections/books.yaml';

beforeEach(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  project = await makeProject(path.join(place, 'shop'), {
    'service.yaml': 'name: shop\nversions: [1]\n',
    'collections/books.yaml': BOOKS,
  });
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const has = (file: string): boolean => existsSync(path.join(project.folder, file));
const addVersion = (): void =>
  project.edit(service, (text) => text.replace('versions: [1]', 'versions: [1, 2]'));
const dropPrice = (): void =>
  project.edit(books, (text) =>
    text.replace(/ {2}price: .*\n/, '').replace('filter: [price]', 'filter: []'),
  );

/** What a run refuses or tells: by place and code. */
async function breaking(allowBreaking = false): Promise<readonly string[]> {
  const { breaking: found } = await project.generate(undefined, allowBreaking);
  return found.map(({ at, code, versions }) => {
    const file = path.relative(project.folder, path.resolve(project.folder, at.file));
    return `${file}:${at.line}:${at.column} ${code} ${versions.join()}`;
  });
}
const findings = async (): Promise<readonly string[]> => {
  const owner = { pid: process.pid, host: 'here', random: '0a1b2c3d' };
  const result = await check({ cwd: project.folder, owner, isAlive: () => false });
  return result.ok ? result.findings.map(({ code }) => code) : ['issues'];
};

test("the one version of a new service is nobody's yet: it may change", async () => {
  expect(has('.create-service/versions')).toBe(false);
  dropPrice();
  expect(await breaking()).toEqual([]);
  expect(has('.create-service/versions')).toBe(false);
});

test('a new service with several versions keeps those below the highest', async () => {
  const folder = path.join(place, 'other');
  const other = await makeProject(folder, {
    'service.yaml': 'versions: [1, 2, 4]\n',
    'collections/books.yaml': BOOKS,
  });
  expect(other.read('.create-service/versions/v2/service.yaml')).toContain('\nversions: [2]\n');
  expect(Object.keys(filesIn(path.join(folder, '.create-service/versions')))).toEqual([
    'v1/collections/books.yaml',
    'v1/service.yaml',
    'v2/collections/books.yaml',
    'v2/service.yaml',
  ]);
  expect((await other.generate()).changes).toEqual([]);
});

test('a version below the highest is kept as it was, and is held to that', async () => {
  addVersion();
  expect(await breaking()).toEqual([]);
  expect(project.read(CONTRACT)).toContain('\n  price: { type: integer }\n');
  expect(has('.create-service/versions/v2')).toBe(false);
  expect(await findings()).toEqual([]);
  expect((await project.generate()).changes).toEqual([]);

  dropPrice();
  const before = filesIn(project.folder);
  const expected = [`${books}:2:1 member-gone 1`];
  expect(await breaking()).toEqual(expected);
  expect(filesIn(project.folder)).toEqual(before);
  expect(await findings()).toEqual(['breaking-change', 'not-generated', 'migration-not-written']);

  expect(await breaking(true)).toEqual(expected);
  expect(project.read(CONTRACT)).not.toContain('price');
  expect(await breaking()).toEqual([]);
  expect(await findings()).toEqual([]);
});

test('a version that is retired is kept no longer', async () => {
  addVersion();
  await project.generate();
  expect(has(CONTRACT)).toBe(true);
  project.edit(service, (text) => text.replace('versions: [1, 2]', 'versions: [2]\nretired: [1]'));
  expect(await breaking()).toEqual([]);
  expect(has('.create-service/versions')).toBe(false);
  expect(await findings()).toEqual([]);
  expect((await project.generate()).changes).toEqual([]);
});

test('a version that becomes frozen is what it was when it was generated last', async () => {
  addVersion();
  dropPrice();
  expect(await breaking()).toEqual([`${books}:2:1 member-gone 1`]);
  expect(has('.create-service/versions')).toBe(false);
});

test('what breaks nobody goes into the shape, so that it is held to that from then on', async () => {
  addVersion();
  await project.generate();
  project.edit(books, (text) => text.replace('  price:', '  pages: { type: integer }\n  price:'));
  expect(await breaking()).toEqual([]);
  expect(project.read(CONTRACT)).toContain('\n  pages: { type: integer }\n');
  project.edit(books, (text) => text.replace(/ {2}pages: .*\n/, ''));
  expect(await breaking()).toEqual([`${books}:2:1 member-gone 1`]);
});

test('a default of another generator is a change too', async () => {
  addVersion();
  await project.generate();
  project.edit(CONTRACT, (text) => text.replace('default: 20', 'default: 50'));
  expect(await breaking()).toEqual([`${books}:1:1 pages-smaller 1`]);
});

test('a missing contract is written again from the definitions of the last run', async () => {
  addVersion();
  await project.generate();
  const contract = project.read(CONTRACT);
  rmSync(path.join(project.folder, '.create-service/versions'), { recursive: true });
  dropPrice();
  expect(await breaking()).toEqual([`${books}:2:1 member-gone 1`]);
  project.write(books, BOOKS);
  expect(await breaking()).toEqual([]);
  expect(project.read(CONTRACT)).toBe(contract);
});

test('a contract that was edited to promise less allows no more changes', async () => {
  addVersion();
  await project.generate();
  const contract = project.read(CONTRACT);
  project.edit(CONTRACT, (text) => text.replace(/ {2}price: .*\n/, '').replace('[price]', '[]'));
  expect(await findings()).toEqual(['contract-altered']);

  dropPrice();
  expect(await findings()).toContain('contract-altered');
  expect(await breaking()).toEqual([`${books}:2:1 member-gone 1`]);

  project.write(books, BOOKS);
  expect(await breaking()).toEqual([]);
  expect(project.read(CONTRACT)).toBe(contract);
  expect(await findings()).toEqual([]);
});

test('a contract that was edited to promise more is reported, with what breaks it', async () => {
  addVersion();
  await project.generate();
  project.edit(CONTRACT, (text) =>
    text.replace('  price:', '  pages: { type: integer }\n  price:'),
  );
  expect(await findings()).toEqual(['breaking-change', 'contract-altered']);
});

test('a missing file of a contract is reported, and the contract still holds', async () => {
  addVersion();
  await project.generate();
  rmSync(path.join(project.folder, CONTRACT));
  const owner = { pid: process.pid, host: 'here', random: '0a1b2c3d' };
  const result = await check({ cwd: project.folder, owner, isAlive: () => false });
  expect(result).toMatchObject({
    findings: [
      {
        code: 'contract-missing',
        path: CONTRACT,
        message: 'the file is missing: it states what the clients of version 1 rely on',
      },
    ],
  });
  dropPrice();
  expect(await breaking()).toEqual([`${books}:2:1 member-gone 1`]);
});

test('the contract of a frozen newest version holds when its files are missing', async () => {
  project.edit(service, (text) =>
    text.replace('versions: [1]', 'versions: { 1: { frozen: true } }'),
  );
  await project.generate();
  rmSync(path.join(project.folder, '.create-service/versions'), { recursive: true });
  expect(await findings()).toEqual(['contract-missing', 'contract-missing']);
  dropPrice();
  expect(await breaking()).toEqual([`${books}:2:1 member-gone 1`]);
});

test('a contract with conflict markers is refused, and nothing is written', async () => {
  addVersion();
  await project.generate();
  project.edit(CONTRACT, (text) => text.replace('  price:', '<<<<<<< ours\n  price:'));
  dropPrice();
  expect(await findings()).toEqual(['contract-damaged']);
  await expect(project.generate()).rejects.toMatchObject({
    code: 'contract-damaged',
    message: expect.stringMatching(
      /^\.create-service\/versions\/v1\/collections\/books\.yaml:\d+ is no valid contract of version 1: /,
    ) as unknown,
  });
});

async function git(...words: readonly string[]): Promise<void> {
  const names = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org'];
  await execa('git', [...names, ...words], { cwd: project.folder });
}
async function commit(message: string): Promise<void> {
  await git('add', '--all');
  await git('commit', '--quiet', '--message', message);
}

test('one branch freezes a version, another changes it: the merge tells', async () => {
  await git('init', '--quiet', '--initial-branch', 'main');
  await commit('Start');
  await git('switch', '--quiet', '--create', 'freezes');
  addVersion();
  expect(await breaking()).toEqual([]);
  await commit('Version 2');
  await git('switch', '--quiet', 'main');
  dropPrice();
  expect(await breaking()).toEqual([]);
  await commit('No price');
  await git('merge', '--quiet', '--no-edit', 'freezes');

  expect(await findings()).toContain('breaking-change');
  expect(await breaking()).toEqual([`${books}:2:1 member-gone 1`]);
});

test('two branches add fields in one place: their shapes merge by themselves', async () => {
  const at = (folder: string, name: string): void =>
    writeFileSync(
      path.join(project.folder, `definitions/collections/${folder}.yaml`),
      BOOKS.replace('  price:', `  ${name}: { type: integer }\n  price:`),
    );
  addVersion();
  await project.generate();
  await git('init', '--quiet', '--initial-branch', 'main');
  await commit('Start');
  await git('switch', '--quiet', '--create', 'other');
  at('books', 'pages');
  await project.generate();
  await commit('Pages');
  await git('switch', '--quiet', 'main');
  at('books', 'parts');
  await project.generate();
  await commit('Parts');
  await expect(git('merge', '--quiet', '--no-edit', 'other')).rejects.toThrow('books.yaml');

  const contract = project.read(CONTRACT);
  for (const name of ['pages', 'parts', 'price']) {
    expect(contract.split(`\n  ${name}: { type: integer }\n`)).toHaveLength(2);
  }
  expect(contract).not.toContain('<<<<');
});

test('a contract taken whole from one branch still holds what the other promised', async () => {
  const withField = (name: string): void =>
    project.edit(books, (text) =>
      text.replace('  price:', `  ${name}: { type: integer }\n  price:`),
    );
  addVersion();
  await project.generate();
  await git('init', '--quiet', '--initial-branch', 'main');
  await commit('Start');
  await git('switch', '--quiet', '--create', 'other');
  withField('pages');
  await project.generate();
  await commit('Pages');
  await git('switch', '--quiet', 'main');
  withField('parts');
  await project.generate();
  await commit('Parts');
  await expect(git('merge', '--quiet', '--no-edit', 'other')).rejects.toThrow('books.yaml');
  // Both sides of the definitions are of this branch: what the other one promised is gone.
  await git('checkout', 'HEAD', '--', '.create-service/versions', books);
  await git('checkout', '--ours', '--', 'src', 'test', 'README.md');
  expect(await breaking()).toEqual([`${books}:2:1 member-gone 1`]);
  expect(await findings()).toContain('breaking-change');
});
