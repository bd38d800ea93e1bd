/** Migrations: a chain of files, each applied once, in a transaction. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';

import type { OpenDatabase } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { makeDatabase } from './support/database.ts';

let database: OpenDatabase;
let folder: string;

beforeAll(async () => {
  database = await makeDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await database.query({
    text: `delete from "_migrations"; drop table if exists "_one", "_two", "_three"`,
  });
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, text: string): Promise<void> =>
  writeFile(join(folder, `${name}.sql`), text);

const run = (): Promise<string[]> => migrate(database, () => {}, pathToFileURL(`${folder}/`));

/** The line in which a migration names its predecessor. */
const after = (name: string, text: string): string =>
  `-- after: ${name} ${createHash('sha256').update(text).digest('hex')}\n`;

const ONE = 'create table "_one" ("id" int);\n';
const TWO = `${after('0001_one', ONE)}create table "_two" ("id" int);\n`;
const THREE = `${after('0001_one', ONE)}create table "_three" ("id" int);\n`;
const JOIN = `${after('0002_three', THREE)}${after('0002_two', TWO)}-- Nothing else.\n`;

const tables = async (): Promise<string[]> => {
  const rows = await database.query<{ name: string }>({
    text: `select tablename as "name" from pg_tables where schemaname = current_schema()
      and tablename in ('_one', '_two', '_three') order by 1`,
  });
  return rows.map(({ name }) => name);
};

describe('migrations', () => {
  test('are applied in order, each once', async () => {
    await write('0001_one', ONE);
    expect(await run()).toEqual(['0001_one']);
    await write('0002_two', TWO);
    expect(await run()).toEqual(['0002_two']);
    expect(await run()).toEqual([]);
    expect(await tables()).toEqual(['_one', '_two']);
  });

  test('are equal with CRLF line endings and a byte order mark', async () => {
    await write('0001_one', ONE);
    await write('0002_two', TWO);
    await run();
    await write('0001_one', `\uFEFF${ONE.replaceAll('\n', '\r\n')}`);
    await write('0002_two', TWO.replaceAll('\n', '\r\n'));
    expect(await run()).toEqual([]);
  });

  test('without a predecessor line follow the previous file', async () => {
    await write('0001_one', ONE);
    await write('0002_by_hand', 'create table "_two" ("id" int);');
    expect(await run()).toEqual(['0001_one', '0002_by_hand']);
  });

  test('of a merged branch are applied after later ones', async () => {
    await write('0001_one', ONE);
    await write('0002_two', TWO);
    expect(await run()).toEqual(['0001_one', '0002_two']);
    await write('0002_three', THREE);
    await write('0003_join', JOIN);
    expect(await run()).toEqual(['0002_three', '0003_join']);
    expect(await tables()).toEqual(['_one', '_three', '_two']);
  });

  test('without a transaction are applied a statement at a time, and again after a failure', async () => {
    const text = `-- no transaction
create table if not exists "_one" ("id" int); -- of two lines
-- An index; with a comment.
create unique index concurrently if not exists "_one_id"
  on "_one" ("id");
`;
    await write('0001_one', `${text}insert into "_one" values (1 / 0);\n`);
    await expect(run()).rejects.toThrow(
      'The migration 0001_one failed and begins anew when it is applied again: division by zero',
    );
    expect(await tables()).toEqual(['_one']);
    // As a build that was killed leaves it.
    await database.query({
      text: `update pg_index set indisvalid = false where indexrelid = '"_one_id"'::regclass`,
    });
    await write('0001_one', `${text}insert into "_one" values (1);\n`);
    expect(await run()).toEqual(['0001_one']);
    expect(await run()).toEqual([]);
    const indexes = await database.query({
      text: `select indisvalid as "isValid" from pg_index where indexrelid = '"_one_id"'::regclass`,
    });
    expect(indexes).toEqual([{ isValid: true }]);
    await expect(database.query({ text: 'insert into "_one" values (1)' })).rejects.toThrow(
      '_one_id',
    );
  });

  test('are repeated while a table is locked', async () => {
    const locked = `raise exception using errcode = 'lock_not_available'`;
    const text = `do $$ begin if to_regclass('"_two"') is null then ${locked}; end if; end $$;\n`;
    await write('0001_one', text);
    const lines: string[] = [];
    const unlock = (line: string): void => {
      lines.push(line);
      void database.query({ text: 'create table "_two" ("id" int)' });
    };
    expect(await migrate(database, unlock, pathToFileURL(`${folder}/`))).toEqual(['0001_one']);
    expect(lines).toEqual(['the migration 0001_one waits for a table that others have locked']);
  });

  test('fail when a table stays locked for 5 minutes', async () => {
    await write('0001_one', `do $$ begin raise exception using errcode = '55P03'; end $$;\n`);
    vi.spyOn(performance, 'now').mockReturnValueOnce(performance.now() - 300_001);
    onTestFinished(() => void vi.restoreAllMocks());
    await expect(run()).rejects.toThrow(
      'The migration 0001_one failed and was rolled back: a table that it changes stayed locked. ' +
        'End what locks it, or migrate under less load.',
    );
  });

  test('are rolled back when they fail', async () => {
    await write('0001_one', `${ONE}insert into "_one" values (1); select 1 / 0;`);
    await expect(run()).rejects.toThrow(
      'The migration 0001_one failed and was rolled back: division by zero',
    );
    expect(await tables()).toEqual([]);
  });
});

describe('migrate refuses', () => {
  test('a migration that was changed after it was applied', async () => {
    await write('0001_one', ONE);
    await run();
    await write('0001_one', `${ONE}-- changed\n`);
    await expect(run()).rejects.toThrow(
      'The migration 0001_one was changed after it was applied to this database.',
    );
  });

  test('a migration that was changed after another one followed it', async () => {
    await write('0001_one', `${ONE}-- changed\n`);
    await write('0002_two', TWO);
    await expect(run()).rejects.toThrow(
      'The migration 0001_one was changed after 0002_two was made to follow it.',
    );
    expect(await tables()).toEqual([]);
  });

  test('a missing predecessor', async () => {
    await write('0002_two', TWO);
    await expect(run()).rejects.toThrow(
      'The migration 0002_two follows 0001_one, which is missing: put it back.',
    );
  });

  test('a database with migrations that have no file', async () => {
    await write('0001_one', ONE);
    await write('0002_two', TWO);
    await run();
    await rm(join(folder, '0002_two.sql'));
    await expect(run()).rejects.toThrow(
      'The migration 0002_two was applied to this database, and is missing here.',
    );
  });

  test('branches that no migration joins', async () => {
    await write('0001_one', ONE);
    await write('0002_two', TWO);
    await write('0002_three', THREE);
    await expect(run()).rejects.toThrow(
      'The migrations 0002_three and 0002_two each are the last of a branch.',
    );
    expect(await tables()).toEqual([]);
  });
});
