/**
 * A week of a team: its service has edits and rows, the tool is upgraded, definitions change, and
 * three branches meet. What each of the days leaves behind is what the next one begins with.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';

import { buildOlder, makeOlder, OLDER } from './support/older.ts';
import { AUTHORIZATION, makeDatabase, runCommand, runScript, start } from './support/project.ts';
import type { Running } from './support/project.ts';
import { conflictSides } from '../../src/update/text.ts';

let project = '';
/** The tool that the team began with, and the one that it runs. */
let older = '';
let current: readonly string[] = [];
/** The databases that live through the week, as the service is told of them. */
const databases: Record<string, Readonly<Record<string, string>>> = {};

beforeAll(async () => {
  // Without a `.gitconfig` somebody has to be named.
  for (const role of ['AUTHOR', 'COMMITTER']) {
    process.env[`GIT_${role}_NAME`] = 'Ada';
    process.env[`GIT_${role}_EMAIL`] = 'ada@example.org';
  }
  older = await buildOlder();
  current = [older];
  project = await makeOlder(older, 'week', 'examples/bookshop.yaml');
  databases['PGlite'] = { DATA_DIR: '.data' };
  databases['PostgreSQL'] = { DATABASE_URL: await makeDatabase('week') };
});

const read = (file: string): string => readFileSync(join(project, file), 'utf8');
const write = (file: string, text: string): void => writeFileSync(join(project, file), text);

/** The lines of a text that another does not have. */
function missingIn(text: string, lines: string): readonly string[] {
  const there = new Set(text.split('\n'));
  return lines.split('\n').filter((line) => !there.has(line));
}

/** Replaces what stands in a file; fails where it does not. */
function edit(file: string, from: string, to: string): void {
  const before = read(file);
  expect(before).toContain(from);
  write(
    file,
    before.replace(from, () => to),
  );
}

async function git(...words: readonly string[]): Promise<string> {
  const { stdout } = await execa('git', words, { cwd: project });
  return stdout;
}

async function commit(message: string): Promise<void> {
  await git('add', '--all');
  await git('commit', '--quiet', '--message', message);
}

/** Runs the tool that the team has. */
async function tool(...words: readonly string[]): Promise<{ status?: number; output: string }> {
  const [command = '', ...first] = current;
  const { exitCode, all } = await execa(command, [...first, ...words], {
    cwd: project,
    all: true,
    reject: false,
  });
  return { ...(exitCode !== undefined && { status: exitCode }), output: all };
}

/** Runs the tool, which has to succeed. */
async function succeed(...words: readonly string[]): Promise<string> {
  const { status, output } = await tool(...words);
  expect(status, output).toBe(0);
  return output;
}

async function passes(...scripts: readonly string[]): Promise<void> {
  for (const script of scripts) {
    const { exitCode, output } = await runScript(project, script);
    expect(exitCode, output).toBe(0);
  }
}

/** After a run that is committed all agree, and another run has nothing to do. */
async function expectSettled(): Promise<void> {
  await succeed('check');
  await succeed('generate');
  expect(await git('status', '--porcelain')).toBe('');
}

interface Item {
  readonly id: string;
  readonly [member: string]: unknown;
}

async function call(
  service: Running,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const answer = await fetch(`${service.origin}/api/v1${path}`, {
    method,
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

async function create(service: Running, path: string, body: object): Promise<Item> {
  const answer = await call(service, 'POST', path, body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as Item;
}

const get = async (service: Running, path: string): Promise<unknown> => {
  const answer = await call(service, 'GET', path);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};

/** What was put into a database on Monday, as the service answered it then. */
interface Rows {
  readonly author: Item;
  readonly book: Item;
  readonly review: Item;
}
const stored: Record<string, Rows> = {};

async function fill(service: Running): Promise<Rows> {
  const author = await create(service, '/authors', {
    name: 'Ursula K. Le Guin',
    born_on: '1929-10-21',
    website: 'https://example.org/',
    biography: 'She wrote of Anarres.',
  });
  const book = await create(service, `/authors/${author.id}/books`, {
    title: 'The Dispossessed',
    isbn: '9780061054884',
    price: '8.99',
  });
  const review = await create(service, `/books/${book.id}/reviews`, { reader: 'Ada', rating: 5 });
  return { author, book, review };
}

/** The rows of Monday, under the names that they have since Tuesday. */
async function expectRows(service: Running, { author, book, review }: Rows): Promise<void> {
  const { biography, ...rest } = author;
  const renamed = { ...rest, about: biography };
  expect(await get(service, `/authors/${author.id}`)).toEqual(renamed);
  expect(await get(service, '/authors?q=anarres')).toMatchObject([{ id: author.id }]);
  expect(await get(service, `/books/${book.id}`)).toEqual({ ...book, page_count: 100 });
  expect(await get(service, '/books?page_count=100')).toMatchObject([{ id: book.id }]);
  expect(await get(service, `/reviews/${review.id}`)).toEqual(review);
}

/** What the team has made of the service is still what it does. */
async function expectEdits(service: Running, author: Item): Promise<void> {
  const found = (await get(service, `/authors/${author.id}/books`)) as Item[];
  expect(await get(service, '/books/count')).toEqual({ count: found.length });
  const one = await call(service, 'GET', `/books/${found[0]?.id}`);
  expect(one.headers.get('x-shop')).toBe('draft');
  const refused = await call(service, 'POST', '/books', {
    title: 'Untitled',
    isbn: '9780000000000',
    author_id: author.id,
  });
  expect(refused).toMatchObject({ status: 422, body: { message: 'A book has a title.' } });
}

describe.sequential("a team's week", () => {
  test('Monday: the team edits what it was given', async () => {
    const routes = 'src/collections/books/routes.ts';
    write(
      routes,
      read(routes).replace(
        /\n\}\n$/,
        () => `

  // For the sign at the door.
  const schema = {
    operationId: 'countBooks',
    tags,
    summary: 'Count books',
    response: { 200: { type: 'object', properties: { count: { type: 'integer' } } } },
  };
  app.get('/books/count', { schema }, async (request, reply) => {
    refuseParameters(request);
    const [row] = await database.query<{ count: number }>({
      text: 'select count(*)::int as "count" from "books"',
    });
    return reply.send({ count: row?.count ?? 0 });
  });
}
`,
      ),
    );
    edit(
      routes,
      '      return sendItem(request, reply, item);',
      `      void reply.header('x-shop', item.status);\n      return sendItem(request, reply, item);`,
    );
    const hooks = 'src/collections/books/hooks.ts';
    edit(
      hooks,
      'Hooks<Book, BookValues> = {};',
      `Hooks<Book, BookValues> = {
  beforeCreate(values) {
    if (values.title === 'Untitled') throw unprocessable('A book has a title.');
    return values;
  },
};`,
    );
    edit(
      hooks,
      `import type { Book,`,
      `import { unprocessable } from '../../platform/http/errors.ts';\nimport type { Book,`,
    );
    edit('package.json', '    "test": ', '    "report": "tsx scripts/report.ts",\n    "test": ');
    edit('package.json', '    "pg": ', '    "nanoid": "5.1.6",\n    "pg": ');
    edit('README.md', '## Start', 'Run by the shop team.\n\n## Start');
    write(
      'test/count.test.ts',
      `/** The sign at the door. */
import { expect, test } from 'vitest';

import { createBook } from './support/items/books.ts';
import { startService } from './support/service.ts';

const service = await startService();

test('the sign at the door counts books', async () => {
  await createBook(service);
  const answer = await service.get('/books/count');
  expect(answer.body).toEqual({ count: 1 });
});
`,
    );
    rmSync(join(project, '.vscode/extensions.json'));
    await passes('build');
    await commit('Count books, and refuse those without a title');
    // Edits of routes, package.json and README.md are no finding.
    await expectSettled();
    expect(await succeed('check')).toContain('3 files with your edits');
  });

  test.each(['PGlite', 'PostgreSQL'])('Monday: rows come in on %s', async (name) => {
    const service = await start(project, databases[name] ?? {});
    stored[name] = await fill(service);
    await expectEdits(service, stored[name].author);
    expect(await service.stop()).toBe(0);
  });

  test('Monday evening: the tool is upgraded, and all edits stay', async () => {
    expect(read('.create-service/manifest')).toContain(`\ngenerator ${OLDER}\n`);
    expect(existsSync(join(project, 'src/older.ts'))).toBe(true);
    // What the project has installed is the newer one.
    current = ['npx', '--no', 'create-service'];
    const stale = await tool('check');
    expect(stale.output).toContain('generator-differs');
    expect(stale.status).toBe(1);
    const edits = [
      'src/collections/books/routes.ts',
      'src/collections/books/hooks.ts',
      'README.md',
    ];
    const before = edits.map(read);
    await succeed('generate');

    expect(before.map((text, index) => missingIn(read(edits[index] ?? ''), text))).toEqual([
      ['/** All endpoints. */'],
      [],
      [],
    ]);
    expect(read('package.json')).not.toContain('"prettier": "3.0.0"');
    expect(JSON.parse(read('package.json'))).toMatchObject({
      scripts: { report: 'tsx scripts/report.ts', openapi: 'tsx src/write-openapi.ts' },
      dependencies: { nanoid: '5.1.6' },
    });
    expect(existsSync(join(project, 'src/older.ts'))).toBe(false);
    expect(existsSync(join(project, 'AGENTS.md'))).toBe(true);
    expect(existsSync(join(project, '.vscode/extensions.json'))).toBe(false);
    await passes('types');
    await commit('Upgrade create-service');
    await expectSettled();
    // Who still has the older one cannot undo it.
    const refused = await execa(older, ['generate'], { cwd: project, reject: false, all: true });
    expect(refused.exitCode, refused.all).toBe(1);
    expect(refused.all).toContain(OLDER);
    expect(await git('status', '--porcelain')).toBe('');
  });

  test('Tuesday: a field is added, one renamed, and a collection added', async () => {
    const books = 'definitions/collections/books.yaml';
    edit(
      books,
      '  published_at: {',
      '  page_count: { type: integer, required: true, minimum: 1, default: 100 }\n  published_at: {',
    );
    edit(books, 'filter: [status,', 'filter: [status, page_count,');
    const authors = 'definitions/collections/authors.yaml';
    edit(authors, '  biography: { type: text,', '  about: { type: text, renamed_from: biography,');
    edit(authors, 'search: [name, biography]', 'search: [name, about]');

    const stale = await tool('check');
    expect(stale.output).toContain('migration-not-written');
    expect(stale.status).toBe(1);
    const before = await git('status', '--porcelain');
    await succeed('generate', '--dry-run', '--diff');
    expect(await git('status', '--porcelain')).toBe(before);

    await succeed(
      ...['generate', 'collection', 'reviewers'],
      ...['name:string:required', 'book_id:reference:books:nested'],
    );
    await passes('types', 'lint', 'build');
    await commit('Reviewers, and how many pages a book has');
    await expectSettled();
    expect(existsSync(join(project, '.vscode/extensions.json'))).toBe(false);
    expect(JSON.parse(read('package.json'))).toMatchObject({
      scripts: { report: 'tsx scripts/report.ts' },
      dependencies: { nanoid: '5.1.6' },
    });
    expect(read('README.md')).toContain('\nRun by the shop team.\n');
    expect(read('README.md')).toContain('`/api/v1/books/{id}/reviewers`');
  });

  test.each(['PGlite', 'PostgreSQL'])('Tuesday: the rows are still there on %s', async (name) => {
    const service = await start(project, databases[name] ?? {});
    const rows = stored[name];
    if (rows === undefined) throw new Error('Monday has failed');
    await expectRows(service, rows);
    await expectEdits(service, rows.author);
    const reviewer = await create(service, `/books/${rows.book.id}/reviewers`, { name: 'Grace' });
    expect(await get(service, `/books/${rows.book.id}/reviewers`)).toEqual([reviewer]);
    expect(await service.stop()).toBe(0);
  });

  test('Wednesday: three branches that each add a collection meet', async () => {
    const trunk = await git('branch', '--show-current');
    await git('switch', '--quiet', '--create', 'shelves');
    await succeed(
      ...['generate', 'collection', 'shelves', 'code:string:required'],
      'book_id:reference:books:nested:on_delete=clear',
    );
    await commit('Shelves');

    await git('switch', '--quiet', '--create', 'sections', trunk);
    await succeed('generate', 'collection', 'sections', 'name:string:required:unique');
    edit('src/collections/sections/hooks.ts', '= {};', SECTION_HOOKS);
    edit('README.md', 'Run by the shop team.', 'Run by the shop team: ask Ada.');
    await commit('Sections');
    await git('switch', '--quiet', '--create', 'signatures', trunk);
    await succeed('generate', 'collection', 'signatures', 'words:text');
    await commit('Signatures');
    await git('switch', '--quiet', 'sections');
    // One database has met this branch before the other one.
    const early = databases['PostgreSQL'] ?? {};
    const { exitCode, output } = await runCommand(project, ['run', 'migrate'], {
      env: early,
      input: '',
    });
    expect(exitCode, output).toBe(0);

    // Both registered a collection at one place: where git cannot tell, either side will do.
    await git('switch', '--quiet', trunk);
    await git('merge', '--quiet', '--no-edit', 'shelves');
    for (const branch of ['sections', 'signatures']) {
      await git('merge', '--quiet', '--no-edit', '--strategy-option', 'ours', branch);
    }
    expect((await tool('check')).status).toBe(1);
    await succeed('generate');
    await passes('types', 'format:check', 'build');
    await commit('Bring the branches together');
    await expectSettled();
    expect(read('README.md')).toContain('Run by the shop team: ask Ada.');
  });

  test('Thursday: a conflict is told, resolved, and gone on from', async () => {
    const schema = 'src/collections/sections/schema.ts';
    const line = /^ {2}name: string\(.*\),$/m.exec(read(schema))?.[0] ?? 'no such line';
    edit(schema, line, "  name: described('By the door.', string()),");
    edit(
      'definitions/collections/sections.yaml',
      'type: string,',
      'type: string, description: On its sign.,',
    );
    const { status, output } = await tool('generate');
    expect(status, output).toBe(1);
    const at = read(schema).slice(0, read(schema).indexOf('By the door.')).split('\n').length;
    expect(output).toContain(`${schema}:${at} `);
    expect(read(schema)).toContain("  name: described('By the door.', string()),");
    expect(read(`${schema}.new`)).toMatch(
      /<<<<<<< on disk\n.*By the door\..*\n=======\n.*described\('On its sign\.', string\(\)\).*\n>>>>>>> /,
    );
    const open = await tool('check');
    expect(open.output).toContain('conflict-open');
    expect(open.status).toBe(1);

    const [, generated = ''] = conflictSides(read(`${schema}.new`)) ?? [];
    write(schema, generated.replace('string())', 'string({ maxLength: 40 }))'));
    rmSync(join(project, `${schema}.new`));
    await succeed('generate');
    await passes('types');
    await commit('What sections are called');
    await expectSettled();
    expect(read(schema)).toContain("described('On its sign.', string({ maxLength: 40 }))");
  });

  test('Thursday: what loses data is done when it is meant', async () => {
    edit(
      'definitions/collections/authors.yaml',
      /\n {2}website: .*/.exec(read('definitions/collections/authors.yaml'))?.[0] ?? 'no such line',
      '',
    );
    const before = await git('status', '--porcelain');
    const { status, output } = await tool('generate');
    expect(status, output).toBe(1);
    expect(output).toContain('--allow-data-loss');
    expect(await git('status', '--porcelain')).toBe(before);
    await succeed('generate', '--allow-data-loss');
    await passes('build');
    await commit('Authors have no website');
    await expectSettled();
  });

  test.each(['PGlite', 'PostgreSQL'])('Thursday: all of it runs on %s', async (name) => {
    const rows = stored[name];
    if (rows === undefined) throw new Error('Monday has failed');
    const old = await start(project, databases[name] ?? {});
    const { website, ...rest } = rows.author;
    expect(website).toBe('https://example.org/');
    await expectRows(old, { ...rows, author: rest });
    await expectEdits(old, rows.author);
    await expectBranches(old, rows.book);
    expect(await old.stop()).toBe(0);

    const fresh = await start(
      project,
      name === 'PGlite'
        ? { DATA_DIR: 'memory' }
        : { DATABASE_URL: await makeDatabase('week_fresh') },
    );
    const author = await create(fresh, '/authors', { name: 'Naomi Mitchison', about: 'A Scot.' });
    const book = await create(fresh, `/authors/${author.id}/books`, {
      title: 'Memoirs of a Spacewoman',
      isbn: '9780575011724',
      page_count: 176,
    });
    await expectEdits(fresh, author);
    await expectBranches(fresh, book);
    expect(await fresh.stop()).toBe(0);
  });

  test('Friday: tests of what changed pass, and that of the team', async () => {
    const { exitCode, output } = await runCommand(
      project,
      [
        ...['test', '--', 'test/count.test.ts', 'test/openapi.test.ts'],
        ...['books', 'shelves', 'sections'].map((name) => `test/collections/${name}.test.ts`),
      ],
      { env: {}, input: '' },
    );
    expect(exitCode, output).toBe(0);
    expect(stripVTControlCharacters(output)).toMatch(/Test Files\s+5 passed \(5\)/);
  });
});

/** Names are stored without the blanks around them. */
const SECTION_HOOKS = `= {
  beforeCreate: (values) => ({ ...values, name: values.name.trim() }),
};`;

/** What either branch added is served, with the hook of one. */
async function expectBranches(service: Running, book: Item): Promise<void> {
  const shelf = await create(service, `/books/${book.id}/shelves`, { code: 'A1' });
  expect(await get(service, `/books/${book.id}/shelves`)).toEqual([shelf]);
  const section = await create(service, '/sections', { name: ' Essays ' });
  expect(section).toMatchObject({ name: 'Essays' });
  const signature = await create(service, '/signatures', { words: 'For Ada.' });
  expect(await get(service, '/signatures')).toEqual([signature]);
}
