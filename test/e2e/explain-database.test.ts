/** `explain --database` on a real PostgreSQL: what it tells of a large table, and what it refuses. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { execa } from 'execa';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';

import { withDatabase } from '../../src/database/session.ts';
import { freePort } from '../../src/tasks/free-port.ts';
import { makeDatabase, ROOT, runSql } from './support/project.ts';

const DEFINITIONS = `name: shop
collections:
  authors:
    fields: { name: { type: string } }
  books:
    fields:
      shelf: { type: integer, required: true }
      secret: { type: string, max_length: 20 }
      price: { type: decimal, precision: 6, scale: 2 }
      author_id: { type: reference, to: authors, nested: true }
      published_at: { type: timestamp, required: true }
    sort: [published_at]
    filter: [shelf, price, secret]
    pages: { default: 200, maximum: 200 }
    permissions: { read: public, create: [admin], update: [admin], delete: [admin] }
`;

/** 30 shelves with 6,667 books each, and five secrets; neither prices nor authors. */
const FILL = `insert into "books" ("id", "shelf", "secret", "published_at")
  select gen_random_uuid(), n % 30, 'hidden-' || n % 5,
    timestamptz '2020-01-01' + (n * 7919::bigint % 200000) * interval '1 hour'
  from generate_series(1, 200000) n;
insert into "authors" ("id", "name") select gen_random_uuid(), 'a' from generate_series(1, 30);
vacuum analyze "books"`;

interface Ended {
  readonly exitCode?: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface TableDocument {
  readonly collection: string;
  readonly note: string | null;
  readonly missingIndexes: readonly string[];
  readonly indexes: readonly { readonly name: string; readonly valid: boolean }[];
  readonly lists: readonly {
    readonly request: string;
    readonly rowsRead: number | null;
    readonly overLimit: boolean;
    readonly entry: readonly string[] | null;
    readonly reason: string | null;
  }[];
}

let project = '';
let url = '';

async function explain(database: string, ...words: readonly string[]): Promise<Ended> {
  const typed = ['explain', '--database', database, ...words];
  return execa(inject('command'), typed, { cwd: project, reject: false });
}

async function tableOf(collection: string, database = url): Promise<TableDocument> {
  const { stdout } = await explain(database, '--json');
  const { collections } = JSON.parse(stdout) as { collections: readonly TableDocument[] };
  const found = collections.find((one) => one.collection === collection);
  if (found === undefined) throw new Error(stdout);
  return found;
}

const migrate = async (database: string): Promise<unknown> =>
  runSql(database, readFileSync(path.join(project, 'migrations/0001_initial.sql'), 'utf8'));

/** The URL with another part. */
const withPart = (part: 'username' | 'password' | 'port' | 'pathname', value: string): string =>
  Object.assign(new URL(url), { [part]: value }).href;

beforeAll(async () => {
  project = path.join(inject('workshop'), 'explain-database');
  const from = `${project}.yaml`;
  writeFileSync(from, DEFINITIONS);
  const words = ['--no-install', '--no-git', '--yes', '--from', from];
  await execa(inject('command'), ['new', project, ...words]);
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(project, 'node_modules'));
  url = await makeDatabase('explain_database');
});

test('says what is not migrated, and what has no rows or no statistics', async () => {
  const database = await makeDatabase('explain_database_new');
  const { stdout, exitCode } = await explain(database);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    'books\n  The database does not have this table, or this user does not see it. Check the name of the database and the search_path, or run npm run migrate.',
  );
  await migrate(database);
  // The server would analyze it by itself, whenever it comes to it.
  await runSql(database, 'alter table "books" set (autovacuum_enabled = off)');
  expect((await tableOf('books', database)).note).toBe(
    'the server has no statistics of this table yet: run analyze "books"',
  );
  await runSql(database, `insert into "authors" ("id", "name") values (gen_random_uuid(), 'a')`);
  await runSql(database, 'analyze');
  expect((await tableOf('books', database)).note).toBe(
    'the table is empty: there is nothing to measure',
  );
  expect((await tableOf('authors', database)).note).toBe(
    'plans say nothing yet: no list can read more than 5,000 rows',
  );
  // `vacuum` counts the rows, and no values.
  await runSql(
    database,
    `insert into "books" ("id", "shelf", "published_at")
      select gen_random_uuid(), 1, now() from generate_series(1, 9000)`,
  );
  await runSql(database, 'vacuum "books"');
  expect((await tableOf('books', database)).note).toBe(
    'the server has no statistics of this table yet: run analyze "books"',
  );
  await runSql(database, 'alter table "books" drop column "price", drop column "shelf"');
  expect((await tableOf('books', database)).note).toMatch(
    /^the table does not have (?:price and shelf|shelf and price): run npm run migrate, and ask again$/,
  );
});

describe('of a large table', () => {
  beforeAll(async () => {
    await migrate(url);
    for (const statement of FILL.split(';')) await runSql(url, statement);
  });

  test('tells which lists walk it, and the entry that an index needs', async () => {
    const { stdout, stderr, exitCode } = await explain(url);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/^books: about 200,000 rows, \d+ MB$/m);
    expect(stdout).toMatch(/^ {2}books__shelf__idx +\d+(?:\.\d)? MB +(?:never|\d+)$/m);
    expect(stdout).toMatch(
      / {4}GET \/books\?shelf=…&sort=published_at\n {6}reads about [56],\d{3} rows, by books__\w+(?:, and sorts them)?\n {6}Add to indexes: \[shelf, published_at\]/,
    );
    // Of a secret a fifth of the rows match: 200,000 × 201 / 40,000.
    expect(stdout).toMatch(/^ {2}5 other lists read at most 1,0\d\d rows\.$/m);
    expect(stdout).toMatch(
      /^ {2}\d of them walks? an index until a page is full, .* came late in it:\n {4}GET \/books\?/m,
    );
    // Neither values of the table nor the password are printed.
    expect(stdout).not.toMatch(/hidden|password/);
  });

  test('an index that serves the list makes it read one page', async () => {
    const before = (await tableOf('books')).lists;
    const request = '/books?shelf=…&sort=published_at';
    expect(before.find((list) => list.request === request)).toMatchObject({
      overLimit: true,
      entry: ['shelf', 'published_at'],
    });
    // A list without values to ask for.
    expect(before.find((list) => list.request === '/books?price=…')).toMatchObject({
      rowsRead: null,
      overLimit: false,
    });
    await runSql(url, 'create index "by_shelf" on "books" ("shelf", "published_at", "id")');
    onTestFinished(async () => {
      await runSql(url, 'drop index "by_shelf"');
    });
    expect((await tableOf('books')).lists.find((list) => list.request === request)).toMatchObject({
      rowsRead: 201,
      overLimit: false,
      entry: null,
    });
  });

  test('says which indexes are missing or not complete', async () => {
    await runSql(url, 'alter index "books__published_at__sort" rename to "other"');
    await runSql(
      url,
      `update pg_index set indisvalid = false where indexrelid = '"books__shelf__idx"'::regclass`,
    );
    onTestFinished(async () => {
      await runSql(url, 'alter index "other" rename to "books__published_at__sort"');
      await runSql(url, 'reindex index "books__shelf__idx"');
    });
    const { stdout } = await explain(url);
    expect(stdout).toContain(
      '  Not in the database: books__published_at__sort. Run npm run migrate.\n' +
        '  Not complete, and not used: books__shelf__idx. ',
    );
    const { missingIndexes, lists } = await tableOf('books');
    expect(missingIndexes).toEqual(['books__published_at__sort']);
    const reasons = lists.filter(({ overLimit }) => overLimit).map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(
      new Set(['an index of the definitions is not in the database']),
    );
  });

  test('it runs in a transaction that cannot write, as a user who can only read', async () => {
    await runSql(
      url,
      `create role "reader" login password 'reads-only';
        grant select on "books", "authors" to "reader"`,
    );
    const { host, pathname } = new URL(url);
    const reader = `postgresql://reader:reads-only@${host}${pathname}`;
    expect((await tableOf('books', reader)).lists.length).toBeGreaterThan(10);
    await runSql(url, 'revoke select on "books" from "reader"');
    const { signal } = new AbortController();
    const options = { command: 'explain', driverFolder: ROOT, signal } as const;
    const write = withDatabase(url, options, async ({ query }) => query('truncate "books"'));
    await expect(write).rejects.toThrow('cannot execute TRUNCATE TABLE in a read-only transaction');
    const { exitCode, stderr, stdout } = await explain(reader);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('cannot be read: permission denied for table books\nConnect as');
    expect(stderr).not.toContain('reads-only');
  });

  test('a table that is locked ends it soon', async () => {
    const blocked = runSql(
      url,
      'begin; lock table "books" in access exclusive mode; select pg_sleep(8); commit',
    );
    const locks = `select from pg_locks where relation = 'books'::regclass and granted
      and mode = 'AccessExclusiveLock'`;
    await expect.poll(async () => (await runSql(url, locks)).length).toBe(1);
    const { exitCode, stderr } = await explain(url);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'canceling statement due to lock timeout\nAnother transaction, perhaps a migration, holds',
    );
    await blocked;
  });
});

describe('refuses in a sentence, without the password', () => {
  const SECRET = 'kept-to-itself';

  test.each<[what: string, database: () => string | Promise<string>, reason: RegExp]>([
    [
      'a wrong password',
      () => withPart('password', SECRET),
      /password authentication failed .*\nCheck the user and the password/,
    ],
    ['no password', () => withPart('password', ''), /\nThe server asks for a password/],
    [
      'another database',
      () => withPart('pathname', '/absent'),
      /database "absent" does not exist\nCheck the name/,
    ],
    [
      'a port that nobody listens on',
      async () => withPart('port', String(await freePort())),
      /nothing listens there\nCheck host and port/,
    ],
    ['another protocol', () => `mysql://me:${SECRET}@localhost/shop`, /^error this is not the URL/],
    ['no URL', () => `postgres://me:${SECRET}@[/shop`, /^error this is not the URL/],
  ])('%s', async (_what, database, reason) => {
    const { exitCode, stderr, stdout } = await explain(await database());
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(reason);
    expect(stderr.split('\n')).toHaveLength(2);
    expect(stderr).not.toContain(SECRET);
  });

  test('a server that is not PostgreSQL', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { exitCode, stderr } = await explain(`postgres://me:${SECRET}@127.0.0.1:${port}/shop`);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /cannot be read: .*\nCheck the URL, and that a PostgreSQL server answers/,
    );
    expect(stderr).not.toContain(SECRET);
  });
});
