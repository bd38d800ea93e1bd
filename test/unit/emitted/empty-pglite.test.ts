/** Empty databases from a cached dump: after an upgrade, with a damaged cache, without one, and by two processes at once. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeEach, expect, test } from 'vitest';

import { createEmptyPglite } from '../../../templates/service/src/platform/database/empty-pglite.ts';
import { createInMemory } from '../../../templates/service/src/platform/database/pglite.ts';

const place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
afterAll(() => rmSync(place, { recursive: true }));

let project = '';
beforeEach(() => {
  project = mkdtempSync(path.join(place, 'project-'));
});

/** Installs a version of PGlite as far as it is read; gives the path of its module. */
function install(version: string, modules = 'node_modules'): string {
  const folder = path.join(project, modules, '@electric-sql/pglite');
  mkdirSync(path.join(folder, 'dist'), { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version }));
  return path.join(folder, 'dist/index.cjs');
}

const DUMP = 'an empty database';

/** A database that is its own dump, and what it was made of. Loading anything but a dump fails, as it does in PGlite. */
async function create(entry: string): Promise<'initdb' | 'dump'> {
  const { from } = await createEmptyPglite(async (options) => {
    const loaded = await options?.loadDataDir.text();
    if (loaded !== undefined && loaded !== DUMP) throw new Error(`no database: ${loaded}`);
    return {
      from: loaded === undefined ? ('initdb' as const) : ('dump' as const),
      dumpDataDir: async () => new Blob([DUMP]),
    };
  }, entry);
  return from;
}

const cached = (): string[] => readdirSync(path.join(project, 'node_modules/.cache/pglite'));

test('a database that is loaded from a dump is empty, and can be used', async () => {
  const entry = install('1.2.3');
  const open = (): Promise<PGlite> =>
    // The dump that the other tests share takes a tenth of the time of `initdb`.
    createEmptyPglite<PGlite>(
      (options) => (options === undefined ? createInMemory() : PGlite.create(options)),
      entry,
    );
  const first = await open();
  await first.exec('create table "made" ("id" integer primary key)');
  const loaded = await open();
  const { rows } = await loaded.query(
    "select tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  expect(rows).toEqual([]);
  await loaded.exec(
    'create table "made" ("id" integer primary key); insert into "made" values (1)',
  );
  await Promise.all([first.close(), loaded.close()]);
});

test('the first database stores a dump, from which the next is loaded', async () => {
  const entry = install('1.2.3');
  expect(await create(entry)).toBe('initdb');
  expect(cached()).toEqual(['1.2.3.tar.gz']);
  expect(await create(entry)).toBe('dump');
});

test('an upgrade loads no dump of another version', async () => {
  await create(install('1.2.3'));
  const entry = install('1.2.4');
  expect(await create(entry)).toBe('initdb');
  expect(cached()).toEqual(['1.2.3.tar.gz', '1.2.4.tar.gz']);
  expect(await create(entry)).toBe('dump');
});

test('two at once both have a database, and one dump stays', async () => {
  const entry = install('1.2.3');
  expect(await Promise.all([create(entry), create(entry)])).toEqual(['initdb', 'initdb']);
  expect(cached()).toEqual(['1.2.3.tar.gz']);
  expect(await create(entry)).toBe('dump');
});

test.each([
  ['empty', Buffer.alloc(0)],
  ['cut off', gzipSync(DUMP.repeat(1000)).subarray(0, 20)],
  ['none of a database', gzipSync('other bytes')],
])('a dump that is %s is replaced', async (_what, bytes) => {
  const entry = install('1.2.3');
  await create(entry);
  writeFileSync(path.join(project, 'node_modules/.cache/pglite/1.2.3.tar.gz'), bytes);
  expect(await create(entry)).toBe('initdb');
  expect(await create(entry)).toBe('dump');
});

test('where the cache cannot be written, initdb makes each database', async () => {
  const entry = install('1.2.3');
  writeFileSync(path.join(project, 'node_modules/.cache'), 'a file');
  expect(await create(entry)).toBe('initdb');
  expect(await create(entry)).toBe('initdb');
});

test.each(['.pnpm', '.bun'])(
  'an installation with links to %s has its cache in the node_modules of the project',
  async (store) => {
    await create(install('1.2.3', `node_modules/${store}/pglite@1.2.3/node_modules`));
    expect(cached()).toEqual(['1.2.3.tar.gz']);
  },
);

test('nothing is stored outside of a folder node_modules', async () => {
  const entry = install('1.2.3', 'vendor');
  expect(await create(entry)).toBe('initdb');
  expect(existsSync(path.join(project, 'vendor/.cache'))).toBe(false);
});
