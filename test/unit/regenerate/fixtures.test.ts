/** Fixtures of tests: the team's from their first edit on, and generated until 0.2.0. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { sidesOf } from '../../../src/update/text.ts';
import { makeProject } from './support.ts';
import type { TestProject } from './support.ts';

const FIXTURE = 'test/fixtures/books.ts';
const BASE = `.create-service/base/${FIXTURE}.base`;
const OWN_TEST = 'test/ours.test.ts';
const BOOKS =
  'fields:\n' +
  '  title: { type: string, required: true }\n' +
  '  isbn: { type: string, required: true, unique: true }\n';

/** The fixture as 0.1.0 generated it. */
const GENERATED = `/** Books for tests. */
import type { Book, BookValues } from '../../src/collections/books/schema.ts';
import type { TestService } from '../support/service.ts';

/** A body that creates a book, with what is needed and no more; no two share a value that must be unique. */
export async function bookBody(service: TestService, given: Partial<BookValues> = {}) {
  const n = service.serial('books');
  return {
    title: 'Title 1',
    isbn: \`Isbn \${n + 1}\`,
    ...given,
  } satisfies Partial<BookValues>;
}

/** Creates a book. @param given the members that matter to the test. */
export async function createBook(
  service: TestService,
  given: Partial<BookValues> = {},
): Promise<Book> {
  return service.create('/books', await bookBody(service, given));
}
`;

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

describe('a project of 0.1.0', () => {
  beforeEach(() => {
    const hash = createHash('sha256').update(GENERATED).digest('hex');
    project.write(FIXTURE, GENERATED);
    project.write(BASE, GENERATED);
    project.write('test/support/items/books.ts', undefined);
    project.write('.create-service/base/test/support/items/books.ts.base', undefined);
    project.edit('.create-service/manifest', (text) =>
      text
        .replace(/^generator .*$/m, 'generator 0.1.0')
        .replace(/^test\/support\/items\/books\.ts .*\n/m, '')
        .replace(new RegExp(`^${FIXTURE} .*$`, 'm'), `${FIXTURE} merged ${hash}`),
    );
    project.write(
      OWN_TEST,
      `import { createBook } from './fixtures/books.ts';\n\nexport const make = createBook;\n`,
    );
  });

  /** What holds after each update. */
  async function expectTeams(): Promise<void> {
    expect(project.read('.create-service/manifest')).toMatch(
      new RegExp(`^${FIXTURE} until-edited `, 'm'),
    );
    project.edit(FIXTURE, (text) => `${text}\nexport const ours = 1;\n`);
    project.edit(
      'definitions/collections/books.yaml',
      (text) => `${text}  pages: { type: integer }\n`,
    );
    const { outcomes } = await project.generate();
    expect(actionsOf(outcomes)).toMatchObject({ [FIXTURE]: 'merged' });
    expect(project.read(FIXTURE)).toMatch(/pages: \d[^]*export const ours = 1;/);
  }

  test('an unedited fixture is replaced, and is the team’s then', async () => {
    const { outcomes } = await project.generate();
    expect(actionsOf(outcomes)).toMatchObject({
      [FIXTURE]: 'updated',
      'test/support/items/books.ts': 'added',
      [OWN_TEST]: 'imports',
    });
    expect(project.read(OWN_TEST)).toContain(`from './support/items/books.ts'`);
    expect((await project.generate()).changes).toEqual([]);
    await expectTeams();
  });

  test('values that the team changed are in valid()', async () => {
    project.edit(FIXTURE, (text) => text.replace("title: 'Title 1'", "title: 'Of Rivers'"));
    const { outcomes } = await project.generate();
    expect(actionsOf(outcomes)).toMatchObject({ [FIXTURE]: 'merged', [OWN_TEST]: 'imports' });
    expect(project.read(FIXTURE)).toMatch(
      /valid\(n = 0\): BookInput \{\n {2}return \{\n {4}title: 'Of Rivers',/,
    );
    expect(project.read(FIXTURE)).not.toContain('createBook');
    expect((await project.generate()).changes).toEqual([]);
    await expectTeams();
  });

  test('edits that cannot be merged stay, with the new fixture beside them', async () => {
    project.edit(FIXTURE, (text) =>
      text.replace(
        'bookBody(service, given));',
        "bookBody(service, { title: 'Ours', ...given }));",
      ),
    );
    const edited = project.read(FIXTURE);
    const { outcomes } = await project.generate();
    expect(actionsOf(outcomes)).toMatchObject({ [FIXTURE]: 'conflict' });
    expect(project.read(FIXTURE)).toBe(edited);
    const [, generated = ''] = sidesOf(project.read(`${FIXTURE}.new`)) ?? [];
    expect(generated).toContain('export function valid(n = 0)');
    expect((await project.generate()).changes).toEqual([]);
    project.write(FIXTURE, generated.replace("title: 'Title 1'", "title: 'Ours'"));
    project.write(`${FIXTURE}.new`, undefined);
    await project.generate();
    expect(project.read(FIXTURE)).toContain("title: 'Ours'");
    await expectTeams();
  });
});
