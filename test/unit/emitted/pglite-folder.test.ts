/** Folders of PGlite: which are refused, and what happens after a full disk. */
import fs, {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

import { openFolder } from '../../../templates/service/src/platform/database/pglite-folder.ts';
import {
  createInMemory,
  openPglite,
} from '../../../templates/service/src/platform/database/pglite.ts';

const made = mkdtempSync(join(tmpdir(), 'pglite-'));
afterAll(() => rmSync(made, { recursive: true }));

beforeAll(async () => {
  const empty = await createInMemory();
  const loadDataDir = await empty.dumpDataDir('none');
  await empty.close();
  const database = await PGlite.create(join(made, 'pglite'), { loadDataDir });
  await database.exec('create table "kept" ("at" integer); insert into "kept" values (1)');
  await database.close();
});

/** A folder with a database that has one row. */
function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pglite-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(made, folder, { recursive: true });
  return folder;
}

const ignore = (): void => {};
const KEPT = { text: 'select "at" from "kept"' };

test('a folder that is neither empty nor a database is refused, and left as it is', async () => {
  const folder = folderOf();
  rmSync(join(folder, 'pglite/PG_VERSION'));
  const message = `${join(folder, 'pglite')} is neither empty nor a database: it has no file PG_VERSION. Restore a backup`;
  await expect(openPglite(folder, ignore)).rejects.toThrow(message);
  writeFileSync(join(folder, 'pglite/PG_VERSION'), '18\n');
  // The lock was given back.
  const database = await openPglite(folder, ignore);
  expect(await database.query(KEPT)).toEqual([{ at: 1 }]);
  await database.close();
});

test('a damaged database is refused with its path, and what to do', async () => {
  const folder = folderOf();
  truncateSync(join(folder, 'pglite/global/pg_control'), 10);
  await expect(openPglite(folder, ignore)).rejects.toThrow(
    new RegExp(
      `^The database in ${join(folder, 'pglite')} .* cannot be opened, it may be damaged: .*Restore a backup`,
    ),
  );
});

test('a folder that a process left unfinished is created again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pglite-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'pglite/base'), { recursive: true });
  writeFileSync(join(folder, 'pglite.unfinished'), '');
  const open = async (path: string): Promise<string[]> => {
    // It may end before the database is made.
    expect(existsSync(join(folder, 'pglite.unfinished'))).toBe(true);
    return readdirSync(path);
  };
  expect(await openFolder(folder, open)).toEqual([]);
  expect(existsSync(join(folder, 'pglite.unfinished'))).toBe(false);
});

test('after a full disk, the database is unreachable and reports that it is broken; the folder keeps what was committed', async () => {
  const folder = folderOf();
  const database = await openPglite(folder, ignore);
  await database.query({ text: 'insert into "kept" values (2)' });
  // A test cannot fill a disk, so writes fail as on a full one.
  const full = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', errno: -28 });
  });
  await expect(database.query({ text: 'select pg_switch_wal()' })).rejects.toMatchObject({
    name: 'DatabaseUnavailable',
  });
  await expect(database.query(KEPT)).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
  full.mockRestore();
  expect(database.broken?.reason).toBeInstanceOf(Error);
  for (const statement of [KEPT, { text: 'select 1' }]) {
    await expect(database.query(statement)).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
      reason: 'unreachable',
    });
  }
  await expect(database.ping(1_000)).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
  await database.close();
  const again = await openPglite(folder, ignore);
  expect(await again.query(KEPT)).toEqual([{ at: 1 }, { at: 2 }]);
  await again.close();
});

test('an error of a statement does not count as broken', async () => {
  const database = await openPglite(folderOf(), ignore);
  for (const text of ['select 1/0', 'select from "nowhere"', "select pg_read_file('/nothing')"]) {
    await expect(database.query({ text })).rejects.not.toMatchObject({
      name: 'DatabaseUnavailable',
    });
  }
  expect(await database.query(KEPT)).toEqual([{ at: 1 }]);
  await database.close();
});
