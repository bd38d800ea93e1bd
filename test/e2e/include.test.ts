/** Embedded items: what they show, to whom, in how many statements, in each version, and how they change ETags and pages. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';
import { expect, test } from 'vitest';

import { makeDatabase, makeProject } from './support/project.ts';

const TESTS = `import { afterAll, beforeEach, expect, test } from 'vitest';

import type { OpenDatabase } from '../src/platform/database/database.ts';
import { makeCaller } from './support/callers.ts';
import { openTestDatabase } from './support/database.ts';
import { linksOf, readForthAndBack } from './support/lists.ts';
import { startService } from './support/service.ts';
import type { Answer, Item } from './support/service.ts';

type Members = Item & Record<string, unknown>;

/** The selects of the service since the last \`clear\`, without those of credentials. */
const selects: string[] = [];
const opened = await openTestDatabase();
const database: OpenDatabase = {
  ...opened,
  query: (statement, values) => {
    if (/^select|^with/.test(statement.text) && !/"(?:tokens|users)"/.test(statement.text)) selects.push(statement.text);
    return opened.query(statement, values);
  },
};
const service = await startService({}, {}, database);
afterAll(() => opened.close());
beforeEach(() => service.clear());

/** The table that a statement reads first. */
const tableOf = (text: string) => /(?:from|join) "(\\w+)"/.exec(text)?.[1];

const make = (path: string, body: object): Promise<Members> => service.create<Members>(path, body);

/** Two books by authors of one publisher; the second author has neither publisher nor mentor. */
async function library() {
  const country = await make('/countries', { name: 'Sweden' });
  const publisher = await make('/publishers', { name: 'P', secret: 's', country_id: country.id });
  const mentor = await make('/authors', { name: 'Mentor', publisher_id: publisher.id });
  const author = await make('/authors', {
    name: 'Ann', biography: 'Long', rank: 7, publisher_id: publisher.id, mentor_id: mentor.id,
  });
  const other = await make('/authors', { name: 'Bob' });
  const book = await make('/books', { title: 'A', author_id: author.id, editor_id: other.id, price: 1 });
  const second = await make('/books', { title: 'B', author_id: other.id, price: 2 });
  return { country, publisher, mentor, author, other, book, second };
}

test('an item has the items that include names, and the same as at their own paths', async () => {
  const { publisher, mentor, author, other, book } = await library();
  const path = \`/books/\${book.id}\`;
  expect(await service.get(\`\${path}?include=author\`)).toMatchObject({ status: 200, body: { ...book, author } });
  expect((await service.get(\`\${path}?include=author\`)).body).toEqual({ ...book, author });
  expect((await service.get(\`\${path}?include=editor,author.publisher\`)).body).toEqual({
    ...book,
    author: { ...author, publisher },
    editor: other,
  });
  expect((await service.get(\`\${path}?include=author,author.mentor,author.publisher,editor.mentor,review\`)).body).toEqual({
    ...book,
    author: { ...author, publisher, mentor },
    editor: { ...other, mentor: null },
    review: null,
  });
  expect(JSON.stringify((await service.get(\`\${path}?include=author.publisher\`)).body)).not.toContain('secret');
  expect((await service.get(path)).body).toEqual(book);
  const head = await service.head(\`\${path}?include=author\`);
  expect(head.status).toBe(200);
  expect(head.headers.get('etag')).toBe((await service.get(\`\${path}?include=author\`)).headers.get('etag'));
  expect(head.headers.get('etag')).not.toBe((await service.get(path)).headers.get('etag'));
});

test('a list reads each level with one statement for each collection', async () => {
  const { publisher, author, other, mentor, book, second } = await library();
  const third = await make('/books', { title: 'C', author_id: author.id, editor_id: mentor.id });
  selects.length = 0;
  const { body } = await service.get('/books?include=author.publisher,editor');
  expect(body).toEqual([
    { ...book, author: { ...author, publisher }, editor: other },
    { ...second, author: { ...other, publisher: null }, editor: null },
    { ...third, author: { ...author, publisher }, editor: mentor },
  ]);
  expect(selects.map(tableOf)).toEqual(['books', 'authors', 'publishers']);
  selects.length = 0;
  await service.get('/books?include=author.mentor');
  expect(selects.map(tableOf)).toEqual(['books', 'authors', 'authors']);
  selects.length = 0;
  // The mentor is read already, as the editor of a book.
  await service.get('/books?include=author,editor,author.mentor');
  expect(selects.map(tableOf)).toEqual(['books', 'authors']);
  selects.length = 0;
  await service.get('/books');
  expect(selects).toHaveLength(1);
  selects.length = 0;
  await service.get(\`/books/\${book.id}?include=author\`);
  expect(selects.map(tableOf)).toEqual(['books', 'authors']);
});

test('lists keep include in their links, and embed in pages, searches, filters and nested lists', async () => {
  const { author, other, book, second } = await library();
  const found = async (path: string) => (await service.get<Members[]>(path)).body;
  expect(await found('/books?include=author&price[gt]=1')).toEqual([{ ...second, author: other }]);
  expect(await found('/books?include=author&q=a')).toEqual([{ ...book, author }]);
  expect(await found('/books?include=author&sort=-title&limit=1')).toEqual([{ ...second, author: other }]);
  expect(await found(\`/authors/\${author.id}/books?include=editor\`)).toEqual([{ ...book, editor: other }]);
  expect(await found(\`/authors/\${String(author['mentor_id'])}/pupils?include=publisher\`)).toMatchObject([
    { id: author.id, publisher: { name: 'P' } },
  ]);
  const first = await service.get('/books?include=author&limit=1&count=true');
  const { next = '' } = linksOf(first);
  expect(next).toContain('include=author');
  expect(first.headers.get('total-count')).toBe('2');
  expect((await service.request('GET', next)).body).toEqual([{ ...second, author: other }]);
  expect(await found('/books?include=author&fields=title')).toEqual([
    { id: book.id, title: 'A', author },
    { id: second.id, title: 'B', author: other },
  ]);
  expect((await service.get('/books?price=9&include=author')).body).toEqual([]);
});

test('each item shows what changed in those embedded in it, and its ETag too', async () => {
  const { author, publisher, book } = await library();
  const path = \`/books/\${book.id}\`;
  const tagOf = async (query: string) => String((await service.get(path + query)).headers.get('etag'));
  const isKnown = async (query: string, tag: string) =>
    (await service.request('GET', \`/api/v2\${path}\${query}\`, { headers: { 'if-none-match': tag } })).status === 304;
  const deep = '?include=author.publisher';
  const [plain, one, two] = [await tagOf(''), await tagOf('?include=author'), await tagOf(deep)];
  expect(new Set([plain, one, two, await tagOf('?include=editor'), await tagOf('?include=review')]).size).toBe(5);
  expect(await isKnown('?include=author', one)).toBe(true);
  expect(await isKnown(deep, one)).toBe(false);
  expect(await isKnown('?include=author', plain)).toBe(false);
  expect(await isKnown('', one)).toBe(false);
  await service.patch(\`/publishers/\${publisher.id}\`, { name: 'Q' });
  expect(await isKnown('?include=author', one)).toBe(true);
  expect(await isKnown(deep, two)).toBe(false);
  await service.patch(\`/authors/\${author.id}\`, { name: 'Zoe' });
  expect(await isKnown('?include=author', one)).toBe(false);
  expect(await isKnown('', plain)).toBe(true);
  // The tag names the revision of the item, and a change of the author is none of it.
  const change = (tag: string) =>
    service.request('PATCH', \`/api/v2\${path}\`, { headers: { 'if-match': tag }, body: { price: 5 } });
  expect(await change(two)).toHaveStatus(200);
  expect(await change(two)).toBeError(412);
  expect(await service.request('DELETE', \`/api/v2\${path}\`, { headers: { 'if-match': await tagOf(deep) } })).toHaveStatus(204);
});

test('an item that the caller may not read is null, and a collection is refused', async () => {
  const owner = await makeCaller(service, 'owner');
  const stranger = await makeCaller(service, 'stranger');
  const editor = await makeCaller(service, 'editor', ['editor']);
  const author = await make('/authors', { name: 'Ann' });
  const review = await owner.service.create<Members>('/reviews', { text: 'mine' });
  const contract = await service.create<Members>('/contracts', { terms: 'hidden', signer_id: owner.id });
  const book = await make('/books', { title: 'A', author_id: author.id, review_id: review.id, contract_id: contract.id });
  const path = \`/books/\${book.id}?include=review,contract\`;
  expect((await owner.service.get(path)).body).toEqual({ ...book, review, contract });
  expect((await editor.service.get(path)).body).toEqual({ ...book, review, contract });
  expect((await service.get(path)).body).toEqual({ ...book, review, contract });
  expect((await stranger.service.get(path)).body).toEqual({ ...book, review: null, contract: null });
  expect((await stranger.service.get('/books?include=review,contract')).body).toEqual([{ ...book, review: null, contract: null }]);
  const anonymous = service.as(undefined);
  expect(await anonymous.get(path)).toBeError(401, 'review, contract');
  expect(await anonymous.get('/books?include=review')).toBeError(401, 'review');
  expect((await anonymous.get('/books?include=author')).status).toBe(200);
  const plan = await service.create<Members>('/plans', {
    number: 1, book_id: book.id, budget_id: (await make('/budgets', { amount: 3 })).id,
  });
  for (const refused of [\`/plans/\${plan.id}?include=budget\`, '/plans?include=book,budget']) {
    expect(await stranger.service.get(refused)).toBeError(403, 'budget');
    // However the name is written.
    for (const name of ['%69nclude', 'includ%65', '%69%6E%63%6C%75%64%65']) {
      const written = refused.replace('include', name);
      expect(await stranger.service.get(written)).toBeError(403, 'budget');
      expect(await anonymous.get(written)).toBeError(401);
      expect((await editor.service.get(written)).body).toEqual((await editor.service.get(refused)).body);
    }
    expect((await editor.service.get(refused)).status).toBe(200);
  }
  // So it does for what embedded items refer to.
  const project = await service.create<Members>('/projects', { name: 'P', plan_id: plan.id });
  expect(await stranger.service.get(\`/projects/\${project.id}?include=plan.budget\`)).toBeError(403, 'plan.budget');
  expect(await stranger.service.get('/projects?include=plan')).toHaveStatus(200);
  // By role comes before the item, and the item before the query.
  const gone = \`/plans/\${author.id}\`;
  expect(await stranger.service.get(\`\${gone}?include=budget\`)).toBeError(403);
  expect(await stranger.service.get(\`\${gone}?include=other\`)).toBeError(404);
  expect((await stranger.service.get(\`/plans/\${plan.id}?include=book.review\`)).body).toMatchObject({ book: { review: null } });
  expect(await stranger.service.get(\`/books/\${book.id}?include=contract\`)).toMatchObject({ body: { contract: null } });
});

test('paths that are unknown, deep, doubled or empty are refused', async () => {
  const { book } = await library();
  const cases: [string, string][] = [
    ['include=', '""'],
    ['include=author,', '""'],
    ['include=Author', '"Author"'],
    ['include=%20author', '" author"'],
    ['include=author_id', '"author_id"'],
    ['include=author.publisher.country', '"author.publisher.country"'],
    ['include=author,author', 'twice'],
    ['include=author&include=editor', 'once'],
    ['include=toString', '"toString"'],
    [\`include=\${'x'.repeat(4000)}\`, 'does not support'],
    ['included=author', 'Known'],
  ];
  for (const [query, words] of cases) {
    for (const path of ['/books', \`/books/\${book.id}\`]) {
      expect(await service.get(\`\${path}?\${query}\`)).toBeError(400, words);
    }
  }
  expect(await service.get('/books?include=nobody')).toBeError(
    400,
    'Supported: author, author.publisher, author.mentor, editor, editor.publisher, editor.mentor, review, contract.',
  );
  expect(await service.get('/countries?include=author')).toBeError(400, 'unknown parameter');
  expect(await service.post('/books?include=author', { title: 'x', author_id: book['author_id'] })).toBeError(400);
  expect(await service.patch(\`/books/\${book.id}?include=author\`, { title: 'x' })).toBeError(400);
});

test('version 1 names and shows what it has', async () => {
  const { author, book, other } = await library();
  const older = service.in(1);
  const shown = (await older.get<Members>(\`/authors/\${author.id}\`)).body;
  expect(shown).toMatchObject({ label: 'Ann', rank: '7' });
  const plain = (await older.get<Members>(\`/books/\${book.id}\`)).body;
  expect((await older.get(\`/books/\${book.id}?include=writer,editor\`)).body).toEqual({
    ...plain,
    writer: shown,
    editor: (await older.get(\`/authors/\${other.id}\`)).body,
  });
  expect((await older.get('/books?include=writer.mentor&fields=title&limit=1')).body).toMatchObject([
    { id: book.id, title: 'A', writer: { label: 'Ann', mentor: { label: 'Mentor' } } },
  ]);
  expect(await older.get('/books?include=author')).toBeError(400, 'writer, writer.publisher');
  expect(await older.get('/books?include=review')).toBeError(400);
  const plan = await make('/plans', { number: 1, book_id: book.id });
  expect((await older.get(\`/plans/\${plan.id}?include=book.writer\`)).body).toMatchObject({ book: { writer: { label: 'Ann' } } });
  expect((await service.get(\`/plans/\${plan.id}?include=book.author\`)).body).toMatchObject({ book: { author: { name: 'Ann' } } });
  expect((await older.request('GET', \`/api/books/\${book.id}?include=writer\`, { headers: { accept: 'application/vnd.include.v1+json' } })).body).toMatchObject({ writer: shown });
});

test('a page with large embedded items is shorter, and all pages have all items', async () => {
  const text = 'x'.repeat(900_000);
  const authors = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => make('/authors', { name: \`A\${n}\`, biography: text + n })));
  for (const { id } of authors) await make('/books', { title: 'T', author_id: id });
  const first = await service.get<Members[]>('/books?include=author');
  expect(first.body).toHaveLength(4);
  // Also where the first of these items is larger than a page, and not of the first item of the list.
  const plain = (await service.get<Members[]>('/books')).body;
  const edited = await service.patch<Members>(\`/books/\${plain[1]?.id}\`, { editor_id: authors[0]?.id });
  expect(edited).toHaveStatus(200);
  const small = await startService({ PAGE_BYTES: '65536' }, {}, database);
  const editors: unknown[] = [];
  for (let link: string | undefined = '/api/v2/books?include=editor'; link !== undefined;) {
    const answer: Answer<Members[]> = await small.request<Members[]>('GET', link);
    editors.push(...answer.body.map(({ editor }) => (editor as Members | null)?.id));
    link = linksOf(answer).next;
  }
  expect(editors).toEqual(authors.map((_, at) => (at === 1 ? authors[0]?.id : undefined)));
  const sizes: number[] = [];
  const seen: string[] = [];
  for (let link: string | undefined = '/api/v2/books?include=author'; link !== undefined;) {
    const answer: Answer<Members[]> = await service.request<Members[]>('GET', link);
    sizes.push(Number(answer.headers.get('content-length')));
    seen.push(...answer.body.map(({ author }) => (author as Members).id));
    link = linksOf(answer).next;
  }
  expect(seen).toEqual(authors.map(({ id }) => id));
  expect(Math.max(...sizes)).toBeLessThan(4 * 1024 * 1024);
  const { forth, back } = await readForthAndBack(service, '/books?include=author&sort=title');
  expect(back).toEqual(forth);
  expect(forth).toHaveLength(6);
  // One author many times counts as often as it is sent, and is read once.
  for (let n = 0; n < 10; n++) await make('/books', { title: 'U', author_id: authors[0]?.id });
  selects.length = 0;
  const same = await service.get<Members[]>('/books?sort=-title&include=author');
  expect(same.body).toHaveLength(4);
  expect(selects).toHaveLength(2);
  // A single item is sent whatever it takes.
  await service.patch(\`/authors/\${authors[1]?.id}\`, { mentor_id: authors[2]?.id });
  const book = await make('/books', { title: 'Z', author_id: authors[1]?.id, editor_id: authors[0]?.id });
  const item = await service.get<Members>(\`/books/\${book.id}?include=author.mentor,editor\`);
  expect(JSON.stringify(item.body).length).toBeGreaterThan(2_700_000);
});

test('a first item larger than a page is sent alone, with all that it refers to', async () => {
  const small = await startService({ PAGE_BYTES: '65536' }, {}, database);
  const text = 'y'.repeat(60_000);
  const [one, two] = await Promise.all(['1', '2'].map((n) => make('/authors', { name: n, biography: text })));
  for (const n of [1, 2, 3]) await make('/books', { title: \`T\${n}\`, author_id: one?.id, editor_id: two?.id });
  const { body, headers } = await small.get<Members[]>('/books?include=author,editor');
  expect(body).toHaveLength(1);
  expect(body[0]).toMatchObject({ author: one, editor: two });
  expect(headers.get('link')).toContain('rel="next"');
  expect((await readForthAndBack(small, '/books?include=author,editor,author.mentor')).forth).toHaveLength(3);
});

test('a reference to a removed item does not occur, and one that was cleared is null', async () => {
  const { book, other } = await library();
  await service.delete(\`/books/\${(await service.get<Members[]>('/books?sort=-title')).body[0]?.id}\`);
  await service.delete(\`/authors/\${other.id}\`);
  expect((await service.get(\`/books/\${book.id}?include=editor\`)).body).toMatchObject({ editor: null, editor_id: null });
});
`;

test('responses embed the items that include names, on both databases', async () => {
  const project = await makeProject('include', 'test/e2e/definitions/include.yaml');
  writeFileSync(join(project, 'test/include.test.ts'), TESTS);
  // What is emitted for each collection runs on one of them.
  for (const [env, files] of [
    [{}, ['include']],
    [{ DATABASE_URL: await makeDatabase('include') }, ['include', 'books', 'plans', 'openapi']],
  ] as const) {
    const run = await execa('npx', ['vitest', 'run', ...files], {
      cwd: project,
      env,
      all: true,
      reject: false,
    });
    expect(run, run.all).toMatchObject({ exitCode: 0 });
  }
});
