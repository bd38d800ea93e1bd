/** What a team adds to an emitted service, one after the other in the same project, and what it costs. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';

import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { change, CHANGES, commit, edit } from './support/own-changes.ts';
import type { Size } from './support/own-changes.ts';
import { blocksOf } from './support/page.ts';
import {
  AUTHORIZATION,
  makeDatabase,
  makeProject,
  ROOT,
  runScript,
  start,
} from './support/project.ts';
import { freePort } from '../../src/tasks/free-port.ts';

let project = '';
beforeAll(async () => {
  project = await makeProject('own-code', 'examples/bookshop.yaml', { git: true });
  await commit(project, 'The service as it was made');
});

/** Runs emitted tests whose path has one of the words; gives the number of green ones, and the red ones. */
async function runTests(...words: string[]): Promise<{ passed: number; failed: string[] }> {
  const report = `${project}-report.json`;
  await execa('npx', ['vitest', 'run', ...words, '--reporter=json', `--outputFile=${report}`], {
    cwd: project,
    reject: false,
  });
  const { numPassedTests: passed, testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number;
    testResults: { status: string; name: string; assertionResults: Assertion[] }[];
  };
  const failed = testResults.flatMap(({ name, status, assertionResults }) => {
    const red = assertionResults.filter((one) => one.status !== 'passed');
    return status === 'failed' && red.length === 0 ? [name] : red.map(({ fullName }) => fullName);
  });
  return { passed, failed };
}

interface Assertion {
  readonly fullName: string;
  readonly status: string;
}

test('a rule alone turns tests red: the values that they send are in one file', async () => {
  const [rule] = CHANGES;
  change(project, { ...rule, name: 'the rule', files: rule?.files?.slice(0, 1) ?? [] });
  const { failed } = await runTests('collections/books');
  expect(failed.length).toBeGreaterThan(50);
});

test('the endpoint of the guide compiles, and has no warning', async () => {
  const guide = readFileSync(join(ROOT, 'docs/guide.md'), 'utf8');
  const [block] = blocksOf(guide, ['An endpoint of your own']);
  const file = join(project, 'src/collections/discounts.ts');
  writeFileSync(file, block?.text ?? '');
  for (const script of ['types', 'lint']) {
    const { exitCode, output } = await runScript(project, script);
    expect(exitCode, output).toBe(0);
  }
  rmSync(file);
});

test('the guide says how many files and lines each change takes', async () => {
  const sizes: [string, Size][] = [];
  for (const one of CHANGES) {
    change(project, one);
    sizes.push([one.name, await commit(project, one.name)]);
  }
  // Wider rows than those that are there.
  await execa('npx', ['prettier', '--write', 'README.md'], { cwd: project });
  await commit(project, 'README: formatted');
  const guide = readFileSync(join(ROOT, 'docs/guide.md'), 'utf8');
  const rows = sizes.map(([name, { files, added, removed }]) =>
    [name, files, added, removed].join(' | '),
  );
  const told = Array.from(guide.matchAll(/^\| (an? .*|JWTs.*) \|$/gm), ([, row = '']) =>
    row
      .split(/ *\| */)
      .slice(0, 4)
      .join(' | '),
  );
  expect(told).toEqual(rows);
});

interface Answer {
  readonly status: number;
  readonly etag: string;
  readonly body: Readonly<Record<string, unknown>> & { readonly id: string };
}

/** An OpenID provider that is a receiver of webhooks, too. */
const issuer = `http://127.0.0.1:${await freePort()}`;
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const received: { id: number; type: string; item: { id: string; title: string } }[] = [];
let others: Server;
beforeAll(async () => {
  const answers: Readonly<Record<string, object>> = {
    '/.well-known/openid-configuration': { jwks_uri: `${issuer}/keys` },
    '/keys': { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] },
  };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks = await request.toArray();
    received.push(JSON.parse(Buffer.concat(chunks).toString()) as (typeof received)[number]);
    // The first delivery fails.
    response.writeHead(received.length === 1 ? 503 : 204).end();
  };
  others = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (answer === undefined) void receive(request, response);
    else response.end(JSON.stringify(answer));
  });
  others.listen(Number(new URL(issuer).port), '127.0.0.1');
});
afterAll(() => others.close());

/** A JWT of the provider. */
function makeJwt(claims: object, key = privateKey, alg = 'RS256'): string {
  const parts = [
    { alg, kid: 'one' },
    { iss: issuer, aud: 'bookshop', exp: Date.now() / 1000 + 60, ...claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = sign('RSA-SHA256', Buffer.from(parts.join('.')), key).toString('base64url');
  return [...parts, signature].join('.');
}

let database = '';

describe.each(['before', 'after'])('%s a change of the definitions', (stage) => {
  let api = '';
  let kill = (): void => {};
  beforeAll(async () => {
    if (stage === 'after') await changeDefinitions();
    else database = await makeDatabase('own_code');
    const { exitCode, output } = await runScript(project, 'build');
    if (exitCode !== 0) throw new Error(output);
    const env = {
      DATABASE_URL: database,
      WEBHOOK_URL: `${issuer}/events`,
      OIDC_ISSUER: issuer,
      OIDC_AUDIENCE: 'bookshop',
    };
    const { origin } = await start(project, env, process.execPath, '/health/ready', (end) => {
      kill = end;
    });
    api = `${origin}/api/v1`;
  });
  afterAll(() => kill());

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

  /** The parameters, properties and so on of the document. */
  const readDocument = async (): Promise<Document> =>
    (await send('GET', '/openapi.json')).body as unknown as Document;

  let count = stage === 'before' ? 0 : 500;
  const bookValues = (values: object = {}): object => {
    count += 1;
    const isbn = `9780000000${String(count).padStart(3, '0')}`;
    return { title: `Title ${count}`, isbn, price: '2.50', ...values };
  };
  const makeAuthor = (name: string) => send('POST', '/authors', { name });
  const makeBook = async (values: object = {}): Promise<Answer> => {
    const author = await makeAuthor('Ursula K. Le Guin');
    return send('POST', `/authors/${author.body.id}/books`, bookValues(values));
  };

  test('a rule refuses what it does not allow', async () => {
    expect(await makeBook({ price: '2.25' })).toMatchObject({
      status: 422,
      body: { message: 'A price is at least 1, and a multiple of 0.5.' },
    });
    const { status, body } = await makeBook();
    expect(status).toBe(201);
    const answer = await send('PATCH', `/books/${body.id}`, { title: 'lower case' });
    expect(answer.status).toBe(422);
  });

  test('a joined member and a count are in answers, in lists, in the document and in the ETag', async () => {
    const created = await makeBook();
    const computed = { reviews_count: 0, author_name: 'Ursula K. Le Guin' };
    expect(created).toMatchObject({ status: 201, body: computed });
    const path = `/books/${created.body.id}`;
    const before = await send('GET', path);
    expect(before).toEqual({ ...created, status: 200 });

    const sent = await send('PATCH', path, { reviews_count: 7 });
    expect(sent).toMatchObject({ status: 422, body: { message: 'reviews_count is read-only.' } });
    expect((await readDocument()).components.schemas['Book']).toMatchObject({
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

    const list = await send(
      'GET',
      `/books?fields=author_name,reviews_count&author_id=${String(created.body['author_id'])}`,
    );
    expect(list.body).toEqual([{ id: created.body.id, ...computed, reviews_count: 1 }]);
  });

  test('an endpoint reports, and its schema is in the document', async () => {
    const { body: book } = await makeBook();
    const path = `/authors/${String(book['author_id'])}/report`;
    const empty = { books: 1, published: 0, reviews: 0, rating: null };
    expect(await send('GET', path)).toMatchObject({ status: 200, body: empty });
    for (const rating of [4, 5]) {
      await send('POST', `/books/${book.id}/reviews`, { reader: 'Ada', rating });
    }
    expect((await send('GET', path)).body).toEqual({ ...empty, reviews: 2, rating: 4.5 });
    expect((await fetch(api + path)).status).toBe(401);
    expect((await readDocument()).paths['/api/v1/authors/{id}/report']?.['get']).toMatchObject({
      operationId: 'getAuthorReport',
      responses: { 200: {}, 401: {}, 403: {}, 404: {}, 410: {} },
    });
  });

  test('a filter operator finds by what a name begins with', async () => {
    const author = await makeAuthor(`Élan_${stage} %`);
    for (const [prefix, found] of [
      [`Élan_${stage} %`, [author.body]],
      [`Élan_${stage}`, [author.body]],
      [`Élan%`, []],
      [`lan_${stage}`, []],
    ] as const) {
      const answer = await send('GET', `/authors?name[starts]=${encodeURIComponent(prefix)}`);
      expect(answer).toMatchObject({ status: 200, body: found });
    }
    expect(await send('GET', '/reviews?reader[starts]=A')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Supported operators: ne, in, null, gt') },
    });
    const { parameters = [] } = (await readDocument()).paths['/api/v1/authors']?.['get'] ?? {};
    expect(parameters).toContainEqual(
      expect.objectContaining({
        name: 'name[starts]',
        description: '`name` begins with the value.',
      }),
    );
  });

  test('a transaction over two collections stores both or nothing', async () => {
    const { body: book } = await makeBook();
    const path = `/books/${book.id}/publication`;
    const review = { reader: 'Ada', rating: 5 };
    expect((await send('POST', path, { ...review, rating: 6 })).status).toBe(422);
    expect((await send('GET', `/books/${book.id}`)).body['status']).toBe('draft');
    const key = { 'idempotency-key': `publish-${book.id}` };
    const done = await send('POST', path, review, key);
    expect(done).toMatchObject({ status: 201, body: { book_id: book.id, rating: 5 } });
    expect(await send('POST', path, review, key)).toEqual(done);
    expect((await send('GET', `/books/${book.id}`)).body['status']).toBe('published');

    const again = await send('POST', path, review);
    expect(again).toMatchObject({
      status: 409,
      body: { message: 'This book is published already.' },
    });
    expect((await send('GET', `/books/${book.id}/reviews`)).body).toHaveLength(1);
  });

  test('a JWT of the provider is a credential beside others', async () => {
    const username = `ada-${stage}`;
    const user = { username, password: 'correct horse battery', roles: ['editor'] };
    expect((await send('POST', '/users', user)).status).toBe(201);
    const post = async (authorization: string): Promise<number> => {
      const { status } = await send('POST', '/authors', { name: 'Ada' }, { authorization });
      return status;
    };
    const claims = { sub: username };
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    expect(await post(`Bearer ${makeJwt(claims)}`)).toBe(201);
    for (const jwt of [
      makeJwt({ sub: 'nobody' }),
      makeJwt({ ...claims, exp: Date.now() / 1000 - 1 }),
      makeJwt({ ...claims, aud: 'another' }),
      makeJwt({ ...claims, iss: 'https://example.org' }),
      makeJwt(claims, stranger),
      makeJwt(claims, privateKey, 'none'),
    ]) {
      expect(await post(`Bearer ${jwt}`)).toBe(401);
    }
    const basic = Buffer.from(`${username}:${user.password}`).toString('base64');
    expect(await post(`Basic ${basic}`)).toBe(201);
    const token = await send('POST', '/tokens', {}, { authorization: `Basic ${basic}` });
    expect(await post(`Bearer ${String(token.body['token'])}`)).toBe(201);
  });

  test('a webhook is sent after the commit, at least once, and never without it', async () => {
    const { body: book } = await makeBook();
    const nowhere = bookValues({ title: `Nowhere ${stage}`, author_id: book.id });
    // The reference is checked at the end of the transaction, after the hook.
    expect((await send('POST', '/books', nowhere)).status).toBe(422);
    await send('PATCH', `/books/${book.id}`, { price: '3.00' });
    await expect
      .poll(() => received.filter(({ item }) => item.id === book.id).map(({ type }) => type))
      .toEqual(['book.created', 'book.updated']);
    // What the receiver refused is sent again.
    const [first] = received;
    await expect
      .poll(() => received.filter(({ id }) => id === first?.id).length, { timeout: 20_000 })
      .toBe(2);
    expect(received.map(({ item }) => item.title)).not.toContain(`Nowhere ${stage}`);
  });
});

interface Document {
  readonly paths: Record<string, Record<string, { readonly parameters?: object[] }>>;
  readonly components: { readonly schemas: Record<string, object> };
}

/** Adds a field, a reference, a sort key and a searched member, and generates. */
async function changeDefinitions(): Promise<void> {
  const books = 'definitions/collections/books.yaml';
  edit(project, [books, 'sort: [title,', 'sort: [title, pages,']);
  edit(project, [books, 'search: [title]', 'search: [title, isbn]']);
  edit(project, [
    books,
    '  published_at: { type: timestamp }\n',
    `  published_at: { type: timestamp }
  pages: { type: integer, minimum: 1 }
  translator_id: { type: reference, to: authors }\n`,
  ]);
  const { exitCode, all } = await execa('npx', ['create-service', 'generate'], {
    cwd: project,
    all: true,
    reject: false,
  });
  expect(exitCode, all).toBe(0);
}

test('after it, the project type-checks, is linted and formatted, and its tests pass', async () => {
  for (const script of ['types', 'lint', 'format:check']) {
    const { exitCode, output } = await runScript(project, script);
    expect(exitCode, output).toBe(0);
  }
  const { passed, failed } = await runTests('author', 'book', 'review', 'openapi');
  expect(failed).toEqual([]);
  expect(passed).toBeGreaterThan(300);
});

test('a computed member that has another type than its shape says turns tests red', async () => {
  const shape = 'src/collections/books/schema.ts';
  edit(project, [shape, 'reviews_count: integer()', 'reviews_count: string()']);
  const { failed } = await runTests('collections/books');
  expect(failed.length).toBeGreaterThan(10);
});
