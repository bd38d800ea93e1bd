/** What is sent to a database, by a driver that records it; and the errors of drivers and servers. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { databaseError } from '../../../src/database/database-error.ts';
import { withDatabase } from '../../../src/database/session.ts';
import { UserError } from '../../../src/shared/errors.ts';

const URL_OF_SHOP = 'postgresql://ada:se%20cret@db:5433/shop';
const { signal } = new AbortController();

/** A folder with a driver that notes what it is given in an array, which it exports. */
function folderWithDriver(version = 'PostgreSQL 18.1'): { folder: string; sent: unknown[] } {
  const folder = mkdtempSync(path.join(tmpdir(), 'create-service-driver-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = path.join(folder, 'node_modules/pg/index.js');
  mkdirSync(path.dirname(at), { recursive: true });
  const sent: unknown[] = [];
  const key = `driver of ${folder}`;
  Object.assign(globalThis, { [key]: sent });
  writeFileSync(
    at,
    `const sent = globalThis[${JSON.stringify(key)}];
    exports.Client = class {
      constructor(config) { sent.push(config); }
      on() {}
      async connect() { sent.push('connect'); }
      async query(text) {
        sent.push(text);
        return { rows: text.startsWith('select version') ? [{ version: ${JSON.stringify(version)} }] : [{ a: 1 }] };
      }
      async end() { sent.push('end'); }
    };`,
  );
  return { folder, sent };
}

const optionsFor = (driverFolder: string) =>
  ({ command: 'explain', driverFolder, signal }) as const;

test('work runs in one transaction that is read only and has limits, and then the connection ends', async () => {
  const { folder, sent } = folderWithDriver();
  const rows = await withDatabase(URL_OF_SHOP, optionsFor(folder), async ({ query }) =>
    query('work'),
  );
  expect(rows).toEqual([{ a: 1 }]);
  expect(sent).toEqual([
    expect.objectContaining({
      connectionString: URL_OF_SHOP,
      application_name: 'create-service explain',
    }),
    'connect',
    'select version() as "version"',
    expect.stringMatching(
      /^begin transaction isolation level repeatable read, read only;\s+set local statement_timeout = 5000; set local lock_timeout = 2000;/,
    ),
    'work',
    'end',
  ]);
});

test('a command that reads the latest state holds no lock, and one that writes commits', async () => {
  const { folder, sent } = folderWithDriver();
  const run = async (purpose: 'latest' | 'write'): Promise<unknown> =>
    withDatabase(URL_OF_SHOP, { ...optionsFor(folder), purpose }, async ({ query }) => {
      await query('work');
      return query('more work');
    });
  await run('latest');
  expect(sent[0]).toMatchObject({ query_timeout: 605_000 });
  const begin = expect.stringMatching(
    /^begin transaction isolation level read committed, read only;\s+set local statement_timeout = 600000;/,
  ) as string;
  expect(sent.slice(3)).toEqual([
    'set row_security = off',
    begin,
    'work',
    'rollback',
    begin,
    'more work',
    'rollback',
    'end',
  ]);
  sent.length = 0;
  await run('write');
  expect(sent.slice(3)).toEqual([
    expect.stringMatching(/^begin transaction isolation level read committed, read write;/),
    'work',
    'more work',
    'commit',
    'end',
  ]);
});

test('work that fails is not committed', async () => {
  const { folder, sent } = folderWithDriver();
  const options = { ...optionsFor(folder), purpose: 'write' } as const;
  const fails = async (): Promise<never> => Promise.reject(new RangeError('no'));
  await expect(withDatabase(URL_OF_SHOP, options, fails)).rejects.toThrow('no');
  expect(sent).not.toContain('commit');
});

test('another server is refused, and nothing else is asked of it', async () => {
  const { folder, sent } = folderWithDriver('CockroachDB 25');
  await expect(
    withDatabase(URL_OF_SHOP, optionsFor(folder), async ({ query }) => query('work')),
  ).rejects.toThrow('it is not PostgreSQL: CockroachDB 25');
  expect(sent.slice(1)).toEqual(['connect', 'select version() as "version"', 'end']);
});

test('an interruption ends the connection', async () => {
  const { folder, sent } = folderWithDriver();
  const interruption = new AbortController();
  const options = { ...optionsFor(folder), signal: interruption.signal };
  await withDatabase(URL_OF_SHOP, options, async () => {
    interruption.abort();
    expect(sent.at(-1)).toBe('end');
    return Promise.resolve();
  });
});

test.each(['shop', 'mysql://a/b', 'postgres://a:b@[/c'])('%s is not a URL', async (url) => {
  const { folder } = folderWithDriver();
  await expect(
    withDatabase(url, optionsFor(folder), async () => Promise.resolve()),
  ).rejects.toMatchObject({ code: 'database-url' });
});

const CONNECTION = { host: 'db', port: 5433, database: 'shop', password: 'se cret' };

test.each<[error: Error, message: string, hint: RegExp]>([
  [
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    'the database shop at db:5433 cannot be read: nothing listens there',
    /^Check host and port/,
  ],
  // Of a host with several addresses.
  [
    Object.assign(new AggregateError([], ''), { code: 'ETIMEDOUT' }),
    'the database shop at db:5433 cannot be read: ETIMEDOUT',
    /^Check the URL/,
  ],
  [
    Object.assign(new Error('permission denied for table books'), { code: '42501' }),
    'the database shop at db:5433 cannot be read: permission denied for table books',
    /grant this user select/,
  ],
  [
    new Error('wrong: se cret'),
    'the database shop at db:5433 cannot be read: the server refused the connection',
    /^Check the URL/,
  ],
])('%s', (error, message, hint) => {
  expect(databaseError(error, CONNECTION)).toMatchObject({
    message,
    hint: expect.stringMatching(hint),
  });
});

test('a bug stays one, and an error that tells enough stays as it is', () => {
  const bug = new TypeError('x is undefined');
  expect(databaseError(bug, CONNECTION)).toBe(bug);
  const told = new UserError('usage', 'm', 'h', 2);
  expect(databaseError(told, CONNECTION)).toBe(told);
});
