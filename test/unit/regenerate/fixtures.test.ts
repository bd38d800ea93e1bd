/** Fixtures of tests: they are the team's from their first edit on. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makeProject } from './support.ts';
import type { TestProject } from './support.ts';

const FIXTURE = 'test/fixtures/books.ts';
const BOOKS =
  'fields:\n' +
  '  title: { type: string, required: true }\n' +
  '  isbn: { type: string, required: true, unique: true }\n';

let place = '';
let project: TestProject;

beforeEach(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
  project = await makeProject(path.join(place, 'shop'), {
    'service.yaml': 'name: shop\n',
    'collections/books.yaml': BOOKS,
  });
}, 60_000);
afterEach(() => rmSync(place, { recursive: true, force: true }));

const actionsOf = (outcomes: readonly { path: string; action: string }[]): object =>
  Object.fromEntries(outcomes.map(({ path: file, action }) => [file, action]));

test('a change of definitions gives an edited fixture its members, and leaves its values', async () => {
  project.edit(FIXTURE, (text) => text.replace("title: 'Title 1'", "title: 'Of Rivers'"));
  project.edit('definitions/collections/books.yaml', (text) =>
    text
      .replace('  title: {', '  name: { renamed_from: title,')
      .concat('  pages: { type: integer, required: true, backfill: 1 }\n'),
  );
  const { outcomes, oldNames } = await project.generate();
  expect(actionsOf(outcomes)).toMatchObject({ [FIXTURE]: 'merged' });
  const after = project.read(FIXTURE);
  expect(after).toMatch(/return \{\n {4}name: 'Of Rivers',\n {4}isbn: .*,\n {4}pages: 1,\n {2}\};/);
  expect(after).not.toMatch(/^ +title:/m);
  expect(oldNames.filter((use) => use.path === FIXTURE)).toEqual([]);
  expect((await project.generate()).changes).toEqual([]);
});

test('what makes the items of references follows the definitions, also in an edited fixture', async () => {
  project.edit(FIXTURE, (text) => text.replace("title: 'Title 1'", "title: 'Of Rivers'"));
  project.write('definitions/collections/authors.yaml', 'fields: { name: { type: string } }\n');
  project.edit('definitions/collections/books.yaml', (text) =>
    text.concat('  author_id: { type: reference, to: authors }\n'),
  );
  await project.generate();
  expect(project.read(FIXTURE)).toMatch(/return \{\n {4}author_id: createAuthor,\n {2}\};/);

  project.write('definitions/collections/authors.yaml', undefined);
  project.write(
    'definitions/collections/writers.yaml',
    'renamed_from: authors\nfields: { name: { type: string } }\n',
  );
  project.edit('definitions/collections/books.yaml', (text) =>
    text.replace('to: authors', 'to: writers'),
  );
  await project.generate(undefined, true);
  const after = project.read(FIXTURE);
  expect(after).toMatch(/return \{\n {4}author_id: createWriter,\n {2}\};/);
  expect(after).toContain("import { createWriter } from '../support/items/writers.ts';");
  expect(after).not.toContain('createAuthor');
  expect(after).toContain("title: 'Of Rivers'");
});

test('a fixture that nobody edited follows the definitions', async () => {
  project.edit('definitions/collections/books.yaml', (text) =>
    text.replace('  isbn:', '  pages: { type: integer, required: true, backfill: 1 }\n  isbn:'),
  );
  const { outcomes } = await project.generate();
  expect(actionsOf(outcomes)).toMatchObject({ [FIXTURE]: 'updated' });
  expect(project.read(FIXTURE)).toContain('pages: 1,');
  expect((await project.generate()).changes).toEqual([]);
});

describe('names that are gone are listed in the lines of the team alone', () => {
  const read = async (allowBreaking = false): Promise<readonly string[]> => {
    const { oldNames } = await project.generate(undefined, allowBreaking);
    return oldNames.map(({ path: file, line, name }) => `${file}:${line} ${name}`);
  };

  test('where a collection is removed, whose fixture exports what all fixtures do', async () => {
    project.write('definitions/collections/pens.yaml', 'fields:\n  ink: { type: string }\n');
    await project.generate();
    project.edit(FIXTURE, (text) => `${text}\nexport const ours = valid(1);\n`);
    project.write('definitions/collections/pens.yaml', undefined);
    expect(await read()).toEqual([]);
  });

  test('where a new name has the old one in it', async () => {
    project.edit('definitions/collections/books.yaml', (text) =>
      text.replace('  title: {', '  full_title: { renamed_from: title,'),
    );
    expect(await read()).toEqual([]);
    expect(project.read(FIXTURE)).toContain("full_title: 'Full title 1'");
  });

  test('not where the fixture of an older version has its members', async () => {
    project.edit(
      'definitions/service.yaml',
      (text) => `${text}versions: { 1: {}, 2: { frozen: false } }\n`,
    );
    await project.generate();
    const older = 'test/fixtures/v1/books.ts';
    project.edit('definitions/collections/books.yaml', (text) =>
      text.replace('  title: {', '  heading: { renamed_from: title, name_in: { 1: title },'),
    );
    expect(await read()).toEqual([]);
    expect(project.read(older)).toContain('title:');

    project.edit('definitions/collections/books.yaml', (text) =>
      text.replace('heading: { renamed_from: title,', 'headline: { renamed_from: heading,'),
    );
    project.edit(older, (text) => text.replace("title: 'Title 1'", "title: 'Of Rivers'"));
    project.edit(FIXTURE, (text) => text.replace("heading: 'Heading 1'", "heading: 'Of Rivers'"));
    expect(await read()).toEqual([]);
    expect(project.read(FIXTURE)).toContain("headline: 'Of Rivers'");
    expect(project.read(older)).toContain("title: 'Of Rivers'");
  });

  test('files of the collection first: others may mean something else', async () => {
    project.write('scripts/print.ts', `export const title = 'Report';\n`);
    project.write('src/of-books.ts', `import './collections/books/schema.ts';\nconst title = 1;\n`);
    project.edit(FIXTURE, (text) => `${text}\nexport const ours = { title: 'Of Rivers' };\n`);
    project.edit('definitions/collections/books.yaml', (text) =>
      text.replace('  title: {', '  name: { renamed_from: title,'),
    );
    expect([...new Set((await read()).map((use) => use.replace(/:.*/, '')))]).toEqual([
      'src/of-books.ts',
      FIXTURE,
      'scripts/print.ts',
    ]);
  });
});

test('a fixture that was deleted stays deleted', async () => {
  project.write(FIXTURE, undefined);
  project.edit(
    'definitions/collections/books.yaml',
    (text) => `${text}  pages: { type: integer }\n`,
  );
  await project.generate();
  expect(existsSync(path.join(project.folder, FIXTURE))).toBe(false);
});
