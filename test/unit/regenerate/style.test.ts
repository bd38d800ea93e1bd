/** New files are in the style that the project's own Prettier asks for. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { check, resolveConfig } from 'prettier';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { replace } from '../../merge/bookshop.ts';
import { conflictSides } from '../../../src/update/text.ts';
import { makeProject } from './support.ts';
import type { TestProject } from './support.ts';

const INSTALLED = path.resolve('node_modules/prettier');

let place = '';
let project: TestProject;

beforeEach(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  project = await makeProject(path.join(place, 'shop'), {
    'service.yaml': 'name: shop\n',
    'collections/books.yaml': 'fields:\n  title: { type: string, max_length: 100 }\n',
  });
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const install = (): void => {
  mkdirSync(path.join(project.folder, 'node_modules'));
  symlinkSync(INSTALLED, path.join(project.folder, 'node_modules/prettier'));
};

/** Adds a collection, and makes what is generated for another clash with an edit. */
async function generateMore(): Promise<{ added: readonly string[]; beside: string }> {
  const schema = 'src/collections/books/schema.ts';
  project.edit(schema, (text) => replace(text, 'maxLength: 100', 'maxLength: 50'));
  project.edit('definitions/collections/books.yaml', (text) => replace(text, '100', '200'));
  project.write('definitions/collections/tags.yaml', 'fields:\n  name: { type: string }\n');
  const { outcomes } = await project.generate();
  const added = outcomes
    .filter(({ action, path: file }) => action === 'added' && /\.(ts|json|md)$/.test(file))
    .map((outcome) => outcome.path);
  expect(added.length).toBeGreaterThan(5);
  expect(outcomes.find((outcome) => outcome.path === schema)?.action).toBe('conflict');
  return { added, beside: `${schema}.new` };
}

/** Whether a file passes Prettier's own check with the configuration that it finds for the path. */
async function passes(file: string, text = project.read(file)): Promise<boolean> {
  const filepath = path.join(project.folder, file);
  const options = await resolveConfig(filepath, { editorconfig: true, useCache: false });
  return check(text, { ...options, filepath });
}

async function expectStyled(): Promise<void> {
  const { added, beside } = await generateMore();
  for (const one of added) expect([one, await passes(one)]).toEqual([one, true]);
  const file = beside.replace(/\.new$/, '');
  const [ours = '', theirs = ''] = conflictSides(project.read(beside)) ?? [];
  expect([await passes(file, ours), await passes(file, theirs)]).toEqual([true, true]);
  // It is no edit: nothing to do, the conflict can be resolved, and the files go as they came.
  expect((await project.generate()).changes).toEqual([]);
  project.write(file, theirs);
  project.write(beside, undefined);
  // What is merged into a file of that style is in it too.
  project.edit('definitions/collections/tags.yaml', (text) => `${text}  colour: { type: text }\n`);
  await project.generate();
  expect(project.read('src/collections/tags/schema.ts')).toContain('colour');
  expect(await passes('src/collections/tags/schema.ts')).toBe(true);
  expect((await project.generate()).changes).toEqual([]);
  project.write('definitions/collections/tags.yaml', undefined);
  const { outcomes } = await project.generate();
  expect(outcomes.filter(({ action }) => action === 'left')).toEqual([]);
  for (const one of added) {
    expect([one, existsSync(path.join(project.folder, one))]).toEqual([one, false]);
  }
}

const TABS = JSON.stringify({ useTabs: true, semi: false, printWidth: 60 });

describe('with the Prettier of the project', () => {
  beforeEach(install);

  test('files in that style go with the definitions that needed them, all in one run', async () => {
    project.write('.prettierrc.json', TABS);
    const books = 'definitions/collections/books.yaml';
    const plain = project.read(books);
    project.edit(books, (text) => `${text}search: [title]\n`);
    const { outcomes } = await project.generate();
    const added = outcomes.filter(({ action }) => action === 'added').map((one) => one.path);
    const words = 'src/platform/http/search-words.ts';
    expect(added).toContain(words);
    expect(await passes(words)).toBe(true);
    project.write(books, plain);
    await project.generate();
    const platform = added.filter((file) => file.startsWith('src/platform/'));
    expect(platform.filter((file) => existsSync(path.join(project.folder, file)))).toEqual([]);
    expect((await project.generate()).changes).toEqual([]);
  });

  test('new files and those beside conflicts have the style of .prettierrc.json', async () => {
    project.write('.prettierrc.json', TABS);
    await expectStyled();
    expect(await passes('src/app.ts')).toBe(false);
  });

  test('configuration in code, overrides, CRLF and .editorconfig count', async () => {
    project.write('.prettierrc.json', undefined);
    project.write(
      'prettier.config.mjs',
      `export default { endOfLine: 'crlf', overrides: [{ files: '*.ts', options: { semi: false } }] };\n`,
    );
    project.write(
      '.editorconfig',
      'root = true\n\n[*]\nindent_style = tab\nmax_line_length = 70\n',
    );
    const { added } = await generateMore();
    for (const one of added) expect([one, await passes(one)]).toEqual([one, true]);
    expect(project.read('src/collections/tags/schema.ts')).toMatch(/\r\n\tname: .*[^;]\r\n/);
    for (const file of added) expect(project.read(file)).not.toMatch(/(^|[^\r])\n/);
  });

  test('a configuration that cannot be used is told, and nothing is written', async () => {
    project.write('.prettierrc.json', '{ "semi": fals }');
    project.write('definitions/collections/tags.yaml', 'fields:\n  name: { type: string }\n');
    await expect(project.generate()).rejects.toMatchObject({
      code: 'prettier-config',
      message: expect.stringContaining('.prettierrc.json') as string,
    });
    expect(existsSync(path.join(project.folder, 'src/collections/tags'))).toBe(false);
  });
});

describe('without Prettier in the project', () => {
  test('the bundled formatter follows .prettierrc.json and .editorconfig', async () => {
    expect(existsSync(path.join(project.folder, 'node_modules'))).toBe(false);
    project.write('.prettierrc.json', JSON.stringify({ semi: false }));
    project.write(
      '.editorconfig',
      'root = true\n\n[*]\nindent_style = tab\nmax_line_length = 70\n',
    );
    await expectStyled();
  });

  test('a configuration that cannot be used is told', async () => {
    project.write('.prettierrc.json', '{ "semi": fals }');
    project.write('definitions/collections/tags.yaml', 'fields:\n  name: { type: string }\n');
    await expect(project.generate()).rejects.toMatchObject({ code: 'prettier-config' });
  });
});
