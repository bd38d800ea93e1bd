/**
 * Golden output: what the definitions of a case yield. The bookshop shows every file; each other case shows
 * the files that differ for its reason. Files that are copied from `templates/` as they are stay out.
 * `npm run cases` writes the expected files; review their difference as code.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { formatIssue, parseSingleFile } from '../../src/definition/index.ts';
import { renderProject } from '../../src/project/render-project.ts';
import { NPM } from '../../src/shared/package-manager.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const TEMPLATES = path.join(HERE, '../../templates/service');
const UPDATE = process.env['UPDATE_CASES'] === '1';

/**
 * Files that the repository has beside their templates, so that the plain files that import them compile and are tested in
 * place. They are never emitted.
 */
const STAND_INS = ['src/platform/features.ts', 'src/platform/service.ts'];

interface Case {
  readonly name: string;
  readonly from: string;
  /** The files that the case is about; absent for all. */
  readonly shows?: readonly string[];
}

const CASES: readonly Case[] = [
  { name: 'bookshop', from: '../../examples/bookshop.yaml' },
  {
    // One collection without nested paths, search, unique fields or references.
    name: 'minimal',
    from: 'minimal/definitions.yaml',
    shows: [
      'migrations/0001_initial.sql',
      'src/collections/index.ts',
      'src/collections/notes/repository.ts',
      'src/collections/notes/routes.ts',
    ],
  },
  {
    // Only the `Accept` header names the version.
    name: 'accept-only',
    from: 'accept-only/definitions.yaml',
    shows: ['src/platform/service.ts'],
  },
  {
    // Only the path names the version.
    name: 'path-only',
    from: 'path-only/definitions.yaml',
    shows: ['src/platform/service.ts'],
  },
  {
    // Names and texts that mean something else in TypeScript, SQL or Markdown.
    name: 'hostile',
    from: 'hostile/definitions.json',
    shows: [
      'definitions/collections/constructors.yaml',
      'migrations/0001_initial.sql',
      'src/collections/constructors/repository.ts',
      'src/collections/constructors/schema.ts',
      'src/collections/records/schema.ts',
      'test/fixtures/constructors.ts',
    ],
  },
  {
    // Rules over several members.
    name: 'checks',
    from: 'checks/definitions.yaml',
    shows: [
      'migrations/0001_initial.sql',
      'src/collections/bookings/schema.ts',
      'test/fixtures/bookings.ts',
    ],
  },
  {
    // Tables that other programs made, beside one of the service.
    name: 'existing-tables',
    from: 'existing-tables/definitions.yaml',
    shows: [
      'existing-tables.sql',
      'migrations/0001_initial.sql',
      'src/collections/films/repository.ts',
      'src/collections/films/schema.ts',
      'src/platform/features.ts',
      'test/support/database.ts',
      'views.sql',
    ],
  },
  {
    // Items that belong to the user at the end of a path.
    name: 'permissions',
    from: 'permissions/definitions.yaml',
    shows: [
      'src/collections/loans/repository.ts',
      'src/collections/wishes/routes.ts',
      'test/permissions/loans.test.ts',
    ],
  },
  {
    // Owner paths over collections that link users to items.
    name: 'owner-links',
    from: 'owner-links/definitions.yaml',
    shows: ['src/collections/customers/repository.ts'],
  },
  {
    // Older versions of the API, and items that are made in the background.
    name: 'versions',
    from: 'versions/definitions.yaml',
    shows: [
      'migrations/0001_initial.sql',
      'src/collections/books/routes.ts',
      'src/collections/books/v1.ts',
      'src/collections/books/v2.ts',
      'src/collections/books/views.ts',
      'src/collections/people/v3.ts',
      'src/collections/reviews/routes.ts',
      'src/collections/reviews/work.ts',
      'src/platform/service.ts',
      'test/versions/books.test.ts',
    ],
  },
];

/** The files of a case that are compared, by path. */
async function rendered({ from, shows }: Case): Promise<Map<string, string>> {
  const file = path.join(HERE, from);
  const result = await parseSingleFile(
    { path: path.basename(file), bytes: readFileSync(file) },
    { fallbackName: 'service' },
  );
  if (!result.ok) throw new Error(result.issues.map(formatIssue).join('\n'));
  const files = await renderProject(result, { tool: '0.0.0', manager: NPM });
  const isShown = ({ path: target }: { readonly path: string }): boolean =>
    shows === undefined ? !isCopied(target) : shows.includes(target);
  return new Map(files.filter(isShown).map(({ path: target, text }) => [target, text]));
}

/** Whether a file is copied from its template as it is. */
const isCopied = (file: string): boolean =>
  existsSync(path.join(TEMPLATES, file.replace(/^\./, '_'))) && file !== 'package.json';

function readTree(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(
    names.map((name) => [
      path.relative(folder, name).replaceAll(path.sep, '/'),
      readFileSync(name, 'utf8'),
    ]),
  );
}

function writeTree(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

describe.each(CASES)('$name', (one) => {
  const folder = path.join(HERE, one.name, 'expected');

  test('yields the expected files, and no others', async () => {
    const files = await rendered(one);
    if (UPDATE) writeTree(folder, files);
    const expected = readTree(folder);
    expect([...files.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
    for (const [file, text] of files) expect(text, file).toBe(expected.get(file));
  });

  test('shows what it names', async () => {
    expect([...(await rendered(one)).keys()]).toEqual(
      expect.arrayContaining([...(one.shows ?? [])]),
    );
  });

  test('yields the same bytes a second time', async () => {
    expect(await rendered(one)).toEqual(await rendered(one));
  });
});

test.each(STAND_INS)('%s is beside its template as the bookshop has it', async (file) => {
  const [bookshop] = CASES;
  const text = (await rendered({ ...bookshop!, shows: [file] })).get(file) ?? '';
  const standIn = path.join(TEMPLATES, file);
  if (UPDATE) writeFileSync(standIn, text);
  expect(readFileSync(standIn, 'utf8')).toBe(text);
});

test('the expected files are few enough to be reviewed', () => {
  const files = [...readTree(HERE)];
  const bytes = files.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
  expect(files.length).toBeLessThanOrEqual(170);
  expect(bytes).toBeLessThanOrEqual(1_000_000);
  const isCopy = ([, text]: [string, string], at: number): boolean =>
    files.findIndex(([, other]) => other === text) !== at;
  expect(files.filter(isCopy).map(([file]) => file)).toEqual([]);
});
