/**
 * Two branches change the definitions, both generate, and git merges them. Whatever side is taken of
 * the files that git cannot merge: `generate` and `check` then work, all migrations apply, and the
 * database has the schema of a new service of these definitions.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { check } from '../../../src/commands/check.ts';
import type { OpenDatabase } from '../../../templates/service/src/platform/database/database.ts';
import {
  createInMemory,
  overPglite,
} from '../../../templates/service/src/platform/database/pglite.ts';
import { filesIn } from '../cli/support.ts';
import { apply, inSchema } from '../migration/apply.ts';
import { catalogOf } from '../migration/support.ts';
import { makeProject } from './support.ts';
import type { TestProject } from './support.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = overPglite(await createInMemory(), () => {});
}, 60_000);
afterAll(() => database.close());

let place = '';
beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** What a branch may do; any two of these are independent of each other. */
const CHANGES = [
  'add a field',
  'add a filter',
  'widen a field',
  'rename a field',
  'drop a field',
  'describe a collection',
  'add a collection',
  'add a collection that refers to another',
  'search another collection',
] as const;
type Change = (typeof CHANGES)[number];

/** The definitions after some changes. */
function definitions(done: ReadonlySet<Change>): Record<string, string> {
  const lines = (...all: (string | false)[]): string =>
    `${all.filter((line) => line !== false).join('\n')}\n`;
  return {
    'service.yaml': 'name: shop\n',
    'collections/books.yaml': lines(
      done.has('describe a collection') && 'description: What one reads.',
      'fields:',
      `  title: { type: string, required: true, max_length: ${done.has('widen a field') ? 900 : 300} }`,
      done.has('rename a field')
        ? '  remark: { type: text, renamed_from: note }'
        : '  note: { type: text }',
      '  price: { type: integer }',
      done.has('add a field') && '  pages: { type: integer, required: true, backfill: 1 }',
      `filter: [${done.has('add a filter') ? 'price' : ''}]`,
    ),
    'collections/authors.yaml': lines(
      'fields:',
      '  name: { type: string, max_length: 50 }',
      !done.has('drop a field') && '  shoe_size: { type: number }',
      done.has('search another collection') && 'search: [name]',
    ),
    ...(done.has('add a collection') && {
      'collections/tags.yaml': 'fields:\n  word: { type: string, unique: true, max_length: 20 }\n',
    }),
    ...(done.has('add a collection that refers to another') && {
      'collections/reviews.yaml':
        'fields:\n  book_id: { type: reference, to: books, required: true, nested: true }\n',
    }),
  };
}

/** Any changes on two branches, none on both, and a side for each file that git cannot merge. */
const history = fc.record({
  branches: fc
    .shuffledSubarray([...CHANGES], { minLength: 2 })
    .chain((changes) =>
      fc.nat(changes.length).map((at) => [changes.slice(0, at), changes.slice(at)] as const),
    ),
  sides: fc.infiniteStream(fc.boolean()),
  takesWholeRecord: fc.boolean(),
});

async function git(project: TestProject, ...words: string[]): Promise<string> {
  const settings = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const { stdout } = await execa('git', [...settings, ...words], {
    cwd: project.folder,
    reject: false,
  });
  return stdout;
}

async function commit(project: TestProject, message: string): Promise<void> {
  await git(project, 'add', '--all');
  await git(project, 'commit', '-q', '-m', message);
}

function define(project: TestProject, texts: Readonly<Record<string, string>>): void {
  const there = Object.keys(filesIn(path.join(project.folder, 'definitions')));
  for (const file of there.filter((one) => !(one in texts))) {
    project.write(`definitions/${file}`, undefined);
  }
  for (const [file, text] of Object.entries(texts)) project.write(`definitions/${file}`, text);
}

/** A branch off `main` that generates from other definitions. */
async function branch(
  project: TestProject,
  name: string,
  texts: Readonly<Record<string, string>>,
): Promise<void> {
  await git(project, 'switch', '-q', '-c', name, 'main');
  define(project, texts);
  await project.generate();
  await commit(project, name);
}

/** Takes one side of each file that git could not merge. */
async function takeSides(project: TestProject, sides: Iterator<boolean>): Promise<void> {
  const conflicted = await git(project, 'diff', '--name-only', '--diff-filter=U');
  for (const file of conflicted.split('\n').filter((one) => one !== '')) {
    const side = sides.next().value === true ? '--ours' : '--theirs';
    await git(project, 'checkout', side, '--', file);
  }
}

const findings = async ({ folder }: TestProject): Promise<readonly string[]> => {
  const owner = { pid: process.pid, host: 'here', random: '0a1b2c3d' };
  const result = await check({ cwd: folder, owner, isAlive: () => false });
  return result.ok ? result.findings.map(({ code, message }) => `${code} ${message}`) : ['issues'];
};

const migrationsOf = (project: TestProject): { name: string; text: string }[] =>
  readdirSync(path.join(project.folder, 'migrations')).map((file) => ({
    name: file.replace('.sql', ''),
    text: project.read(`migrations/${file}`),
  }));

async function schemaOf(project: TestProject, schema: string): Promise<readonly string[]> {
  await inSchema(database, schema);
  await apply(database, migrationsOf(project));
  return catalogOf(database);
}

test('a random side of each conflict leads to the schema of a new service', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ branches: [one, other], sides, takesWholeRecord }) => {
      number += 1;
      const project = await makeProject(path.join(place, `p${number}`), definitions(new Set()));
      await git(project, 'init', '-q', '-b', 'main');
      await commit(project, 'start');
      await branch(project, 'one', definitions(new Set(one)));
      await branch(project, 'other', definitions(new Set(other)));
      await git(project, 'merge', '--no-edit', 'one');
      await takeSides(project, sides);
      if (takesWholeRecord) await git(project, 'checkout', 'HEAD', '--', '.create-service');

      const both = definitions(new Set([...one, ...other]));
      define(project, both);
      await project.generate();
      expect(await findings(project)).toEqual([]);
      expect((await project.generate()).changes).toEqual([]);
      const fresh = await makeProject(path.join(place, `fresh${number}`), both);
      expect(await schemaOf(project, 'migrated')).toEqual(await schemaOf(fresh, 'fresh'));
      for (const { folder } of [project, fresh]) rmSync(folder, { recursive: true });
    }),
    { numRuns: 3 },
  );
}, 300_000);

describe('two branches', () => {
  let project: TestProject;
  const BOOKS = 'definitions/collections/books.yaml';
  const withFields = (...fields: string[]): Record<string, string> => ({
    ...definitions(new Set()),
    'collections/books.yaml': ['fields:', '  title: { type: string }', ...fields, ''].join('\n'),
  });

  beforeEach(async () => {
    project = await makeProject(path.join(place, 'shop'), withFields());
    await git(project, 'init', '-q', '-b', 'main');
    await commit(project, 'start');
  });

  const merged = async (texts: Readonly<Record<string, string>>): Promise<void> => {
    await git(project, 'merge', '--no-edit', 'one');
    await takeSides(project, [true].values());
    await git(project, 'checkout', 'HEAD', '--', '.create-service', 'src', 'test', 'README.md');
    define(project, texts);
  };
  const changed = (...titles: string[]): Record<string, string> => ({
    ...withFields(),
    'collections/books.yaml': `fields:\n${titles.join('\n')}\n`,
  });

  test('that change one field differently are told, with both migrations and what to do', async () => {
    const pages = '  pages: { type: integer }';
    await branch(project, 'one', changed(pages, '  title: { type: string, max_length: 9 }'));
    const other = changed('  title: { type: string, max_length: 20 }');
    await branch(project, 'other', other);
    await merged(other);
    const migrations = migrationsOf(project).map(({ name }) => name);
    // Each has a file that is applied later, and names it.
    const [first = '', second = ''] = migrations.filter((name) => name.startsWith('0002_'));
    const told = `migrations/${first}.sql and migrations/${second}.sql come from different branches, and both change the field title of books`;
    await expect(project.generate()).rejects.toMatchObject({
      code: 'migrations-clash',
      message: told,
    });
    expect(await findings(project)).toEqual([`migrations-clash ${told}`]);

    // What the message says: the one that is not applied anywhere goes, and is written anew.
    for (const name of migrations.filter((one) => one.includes(second.slice('0002_'.length)))) {
      project.write(`migrations/${name}.sql`, undefined);
    }
    await project.generate();
    expect(await findings(project)).toEqual([]);
    const fresh = await makeProject(path.join(place, 'fresh'), {
      ...withFields(),
      'collections/books.yaml': project.read(BOOKS),
    });
    expect(await schemaOf(project, 'migrated')).toEqual(await schemaOf(fresh, 'fresh'));
  });

  test('that add the same field are told, for the second migration fails', async () => {
    const pages = changed('  title: { type: string }', '  pages: { type: integer }');
    await branch(project, 'one', pages);
    await branch(project, 'other', {
      ...pages,
      'collections/books.yaml': `${pages['collections/books.yaml']}filter: [pages]\n`,
    });
    await merged(pages);
    await expect(project.generate()).rejects.toMatchObject({
      code: 'migrations-clash',
      message: expect.stringContaining('both change the field pages of books') as string,
    });
  });

  describe('leave a fixture that nobody edited to generate', () => {
    const FIXTURE = 'test/fixtures/books.ts';
    const required = (name: string): string =>
      `  ${name}: { type: string, required: true, max_length: 9, backfill: x }`;
    const middle = [
      '  title: { type: string }',
      required('isbn'),
      '  pages: { type: integer }',
      '  about: { type: text }',
      required('published'),
    ];
    const books = (first: readonly string[], last: readonly string[]): Record<string, string> =>
      changed(...middle.slice(0, 1), ...first, ...middle.slice(1, 4), ...last, ...middle.slice(4));
    beforeEach(async () => {
      define(project, books([], []));
      await project.generate();
      await commit(project, 'books');
    });
    /** Takes what stands on this branch of all that git could not merge. */
    const takeOurs = async (): Promise<void> =>
      takeSides(project, fc.sample(fc.constant(true), 99).values());
    /** The fixture of a new service of these definitions. */
    const fresh = async (texts: Readonly<Record<string, string>>): Promise<string> =>
      (await makeProject(path.join(place, 'fresh'), texts)).read(FIXTURE);
    /** Whether the fixture follows one more change. */
    const expectFollows = async (texts: Readonly<Record<string, string>>): Promise<void> => {
      define(project, texts);
      const { outcomes, oldNames } = await project.generate();
      expect(oldNames.filter((use) => use.path === FIXTURE)).toEqual([]);
      expect(outcomes).toContainEqual(
        expect.objectContaining({ path: FIXTURE, action: 'updated' }) as unknown,
      );
      expect(project.read(FIXTURE)).toBe(await fresh(texts));
    };

    test('where git merges it', async () => {
      await branch(project, 'one', books([required('ccc')], []));
      await branch(project, 'other', books([], [required('ddd')]));
      await git(project, 'merge', '--no-edit', 'one');
      const conflicted = await git(project, 'diff', '--name-only', '--diff-filter=U');
      expect(conflicted.split('\n')).not.toContain(FIXTURE);
      await takeOurs();
      const both = books([required('ccc')], [required('ddd')]);
      define(project, both);
      await project.generate();
      await commit(project, 'merged');
      expect(await findings(project)).toEqual([]);
      expect(project.read(FIXTURE)).toContain('ccc:');
      expect(project.read(FIXTURE)).toContain('ddd:');
      await expectFollows(books([required('ccc')], [required('ddd'), required('eee')]));
    });

    test.each([
      ['theirs', '--theirs'],
      ['both, with the markers of git', '--merge'],
    ])('where the definitions of one are kept, and of the fixture %s', async (_of, side) => {
      await branch(project, 'one', books([required('aaa')], []));
      const kept = books([required('bbb')], []);
      await branch(project, 'other', kept);
      await git(project, 'merge', '--no-edit', 'one');
      await takeOurs();
      await git(project, 'checkout', side, '--', FIXTURE);
      const taken = project.read(FIXTURE);
      expect([/^<{7} /m.test(taken), taken.includes('bbb:')]).toEqual([
        side === '--merge',
        side !== '--theirs',
      ]);
      define(project, kept);
      const { oldNames } = await project.generate();
      expect(oldNames.filter((use) => use.path === FIXTURE)).toEqual([]);
      await expectFollows(books([required('bbb'), required('eee')], []));
    });
  });

  test('of which the merge is reverted are as before it, and may be merged again', async () => {
    await branch(project, 'one', withFields('  pages: { type: integer }'));
    await branch(project, 'other', definitions(new Set(['add a collection'])));
    await git(project, 'merge', '--no-edit', '-X', 'ours', 'one');
    await git(project, 'revert', '--no-edit', '-m', '1', 'HEAD');
    await project.generate();
    expect(await findings(project)).toEqual([]);
    await commit(project, 'settled');
    await git(project, 'revert', '--no-edit', '-X', 'theirs', 'HEAD~1');
    const both = {
      ...withFields('  pages: { type: integer }'),
      'collections/tags.yaml': definitions(new Set(['add a collection']))['collections/tags.yaml']!,
    };
    define(project, both);
    await project.generate();
    expect(await findings(project)).toEqual([]);
    const fresh = await makeProject(path.join(place, 'fresh'), both);
    expect(await schemaOf(project, 'migrated')).toEqual(await schemaOf(fresh, 'fresh'));
  });

  test('of which a migration has the conflict markers of git are told', async () => {
    const line = '-- definitions: + collections.books.fields.x {"type":"text"}';
    project.edit(
      'migrations/0001_initial.sql',
      (text) => `${text}<<<<<<< HEAD\n${line}\n>>>>>>> one\n`,
    );
    await expect(project.generate()).rejects.toMatchObject({ code: 'migrations-unmerged' });
  });
});

describe('a migration that a person wrote', () => {
  test('leaves the definitions as they were, and may say what it changes in them', async () => {
    const project = await makeProject(path.join(place, 'shop'), definitions(new Set()));
    project.write('migrations/0002_by_hand.sql', 'create index "mine" on "books" ("price");\n');
    expect(await findings(project)).toEqual([]);
    expect((await project.generate()).changes).toEqual([]);

    project.write(
      'migrations/0003_pages.sql',
      'alter table "books" add column "pages" integer not null default 1;\n' +
        'alter table "books" alter column "pages" drop default;\n' +
        '-- definitions: + collections.books.fields.pages {"type":"integer","required":true}\n',
    );
    define(project, definitions(new Set(['add a field'])));
    const { migration } = await project.generate();
    expect(migration).toBeUndefined();
  });

  test('with a line that records nothing is told of', async () => {
    const project = await makeProject(path.join(place, 'shop'), definitions(new Set()));
    project.write('migrations/0002_by_hand.sql', 'select 1;\n-- definitions: + books.pages\n');
    await expect(project.generate()).rejects.toMatchObject({
      code: 'record-damaged',
      message: expect.stringContaining('migrations/0002_by_hand.sql:2') as unknown,
    });
  });

  test('in place of all others is refused, unless it records the definitions', async () => {
    const project = await makeProject(path.join(place, 'shop'), definitions(new Set()));
    const initial = 'migrations/0001_initial.sql';
    project.edit(initial, (text) => text.replaceAll(/^-- definitions: .*\n/gm, ''));
    await expect(project.generate()).rejects.toMatchObject({
      code: 'record-damaged',
      message: expect.stringContaining(initial) as unknown,
    });
  });
});
