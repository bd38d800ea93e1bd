/** What a team adds to an emitted service, one after the other in the same project, and what it costs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';

import { AUTHORIZATION, makeDatabase, makeProject, runScript, start } from './support/project.ts';

const RULES = `import type { Hooks } from '../../platform/database/hooks.ts';
import { unprocessable } from '../../platform/http/errors.ts';
import type { Book, BookValues } from './schema.ts';

function check(values: BookValues): BookValues {
  if (!/^\\p{Lu}/u.test(values.title)) throw unprocessable('A title begins with a capital letter.');
  if (Number(values.price) < 1 || Number(values.price) % 0.5 !== 0) {
    throw unprocessable('A price is at least 1, and a multiple of 0.5.');
  }
  return values;
}

export const bookHooks: Hooks<Book, BookValues> = {
  beforeCreate(values) {
    if (values.status !== 'draft') throw unprocessable('A new book is a draft.');
    return check(values);
  },
  beforeUpdate: (values) => check(values),
};
`;

let project = '';
beforeAll(async () => {
  project = await makeProject('own-code', 'examples/bookshop.yaml');
  writeFileSync(join(project, 'src/collections/books/hooks.ts'), RULES);
});

/** Replaces a text in a file of the project. */
function edit(file: string, from: string, to: string): void {
  const path = join(project, file);
  const text = readFileSync(path, 'utf8');
  expect(text, file).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

/** Runs the tests of books, and of what refers to them. */
async function redTests(): Promise<{ passed: number; failed: string[] }> {
  const report = `${project}-report.json`;
  const filters = ['books', 'reviews'];
  await execa('npx', ['vitest', 'run', ...filters, '--reporter=json', `--outputFile=${report}`], {
    cwd: project,
    reject: false,
  });
  const { numPassedTests: passed, testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number;
    testResults: { assertionResults: { fullName: string; status: string }[] }[];
  };
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = all.filter(({ status }) => status !== 'passed').map(({ fullName }) => fullName);
  return { passed, failed };
}

test('three rules turn tests red, and edits of the fixture turn them green', async () => {
  const before = await redTests();
  expect(before.failed.length).toBeGreaterThan(100);

  const fixture = join(project, 'test/fixtures/books.ts');
  const [head = '', another = '', changed = ''] = readFileSync(fixture, 'utf8').split(
    /(?=export function (?:another|changed))/,
  );
  const edited = [
    head.replace(`title: 'Title 1',`, `title: 'Title 1',\n    price: '1.00',`),
    another.replace(`status: 'published'`, `status: 'draft'`),
    changed.replace(`status: 'draft'`, `status: 'published'`).replace(
      '= {};',
      `= {
  title: ['A', 'Quiet River', 'Quiet', 'Élan Straße 7'],
  price: ['1.00', '2.50', '4.00'],
  status: ['draft'],
};`,
    ),
  ].join('');
  writeFileSync(fixture, edited);
  expect((await runScript(project, 'types')).output).not.toContain('error');
  const after = await redTests();
  expect(after.failed).toEqual([]);
  expect(after.passed).toBeGreaterThan(200);
});

/** The members that the next test adds, in the two places that they take. */
function addComputedMembers(): void {
  edit(
    'src/collections/books/schema.ts',
    'BookComputed = object({})',
    'BookComputed = object({ reviews_count: integer(), author_name: string() })',
  );
  edit('src/collections/books/schema.ts', '  itemShape,\n', '  integer,\n  itemShape,\n');
  edit(
    'src/collections/books/repository.ts',
    `  updated_at: '"books"."updated_at"',\n`,
    `  updated_at: '"books"."updated_at"',
  reviews_count: '(select count(*) from "reviews" where "book_id" = "books"."id")',
  author_name: '(select "name" from "authors" where "authors"."id" = "books"."author_id")',
`,
  );
}

interface Answer {
  readonly status: number;
  readonly etag: string;
  readonly body: Readonly<Record<string, unknown>> & { readonly id: string };
}

test('a count and a joined member take two edits', async () => {
  addComputedMembers();
  for (const script of ['types', 'lint', 'format:check']) {
    const { exitCode, output } = await runScript(project, script);
    expect(exitCode, output).toBe(0);
  }
  expect((await redTests()).failed).toEqual([]);

  await runScript(project, 'build');
  const { origin } = await start(project, { DATABASE_URL: await makeDatabase('own_code') });
  const api = `${origin}/api/v1`;
  const send = async (
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${api}${path}`, {
      method,
      headers: { authorization: AUTHORIZATION, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      etag: response.headers.get('etag') ?? '',
      body: (text === '' ? {} : JSON.parse(text)) as Answer['body'],
    };
  };
  const author = await send('POST', '/authors', { name: 'Ursula K. Le Guin' });
  const values = { title: 'Always Coming Home', isbn: '9780520227354', price: '2.50' };
  const created = await send('POST', '/books', { ...values, author_id: author.body.id });
  const computed = { reviews_count: 0, author_name: 'Ursula K. Le Guin' };
  expect(created).toMatchObject({ status: 201, body: computed });
  const path = `/books/${created.body.id}`;
  const before = await send('GET', path);
  expect(before).toEqual({ ...created, status: 200 });

  // It is read-only, and in the document.
  const sent = await send('PATCH', path, { reviews_count: 7 });
  expect(sent).toMatchObject({ status: 422, body: { message: 'reviews_count is read-only.' } });
  const { components } = (await send('GET', '/openapi.json')).body as unknown as {
    components: { schemas: { Book: { properties: object; required: string[] } } };
  };
  expect(components.schemas.Book).toMatchObject({
    properties: { reviews_count: { type: 'integer', readOnly: true } },
    required: expect.arrayContaining(['reviews_count', 'author_name']),
  });

  // The ETag depends on it, and the revision does not.
  await send('POST', `${path}/reviews`, { reader: 'Ada', rating: 5 });
  const unchanged = { 'if-none-match': before.etag };
  const after = await send('GET', path, undefined, unchanged);
  expect(after).toMatchObject({ status: 200, body: { ...computed, reviews_count: 1 } });
  expect(after.etag).not.toBe(before.etag);
  expect((await send('GET', path, undefined, { 'if-none-match': after.etag })).status).toBe(304);
  const raised = await send('PATCH', path, { price: '3.00' }, { 'if-match': before.etag });
  expect(raised).toMatchObject({ status: 200, body: { price: '3.00', reviews_count: 1 } });
  const lost = await send('PATCH', path, { price: '4.00' }, { 'if-match': after.etag });
  expect(lost.status).toBe(412);
  expect((await send('GET', path)).etag).toBe(raised.etag);

  // Lists have it.
  const list = await send('GET', '/books?fields=author_name,reviews_count');
  expect(list.body).toEqual([
    { id: created.body.id, author_name: author.body['name'], reviews_count: 1 },
  ]);
});

test('a change of the definitions merges with all that', async () => {
  edit(
    'definitions/collections/books.yaml',
    'sort: [title, published_at, created_at]',
    'sort: [title, pages, published_at, created_at]',
  );
  edit(
    'definitions/collections/books.yaml',
    '  published_at: { type: timestamp }\n',
    '  published_at: { type: timestamp }\n  pages: { type: integer, minimum: 1 }\n',
  );
  const { exitCode, all } = await execa('npx', ['create-service', 'generate'], {
    cwd: project,
    all: true,
    reject: false,
  });
  expect(exitCode, all).toBe(0);
  expect((await runScript(project, 'types')).output).not.toContain('error');
  expect((await redTests()).failed).toEqual([]);
});
