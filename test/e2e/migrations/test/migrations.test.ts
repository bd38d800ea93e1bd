/** Migrations: a chain of files, each applied once, in a transaction. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { FastifyBaseLogger } from 'fastify';
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

import type { MigrationOptions } from '../src/platform/database/apply-migrations.ts';
import type { OpenDatabase, Session } from '../src/platform/database/database.ts';
import {
  loadMigrations,
  migrate,
  migrateAtStart,
  schemaState,
} from '../src/platform/database/migrate.ts';
import { beginContract, readApplied } from '../src/platform/database/migration-records.ts';
import type { Migration } from '../src/platform/database/migrations.ts';
import { makeHeartbeat } from '../src/platform/database/processes.ts';
import {
  formatPlan,
  formatStatus,
  planMigrations,
  readStatus,
} from '../src/platform/database/report-migrations.ts';
import { errorText } from '../src/platform/log.ts';
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
    text: `delete from "_migrations"; delete from "_migration_progress"; delete from "_processes";
      drop table if exists "_one", "_two", "_three"`,
  });
});
afterEach(() => rm(folder, { recursive: true }));

/** The database as one that other processes use, also on PGlite. */
const shared = (): OpenDatabase => ({ ...database, isShared: true });

const write = (name: string, text: string): Promise<void> =>
  writeFile(join(folder, `${name}.sql`), text);

const load = (): Promise<Migration[]> => loadMigrations(pathToFileURL(`${folder}/`));

/** Applies the files. @returns the names of those that were applied. */
const run = async (options: MigrationOptions = {}, on = database): Promise<readonly string[]> =>
  (await migrate(on, options, await load())).applied;

/** The line in which a migration names its predecessor. */
const after = (name: string, text: string): string =>
  `-- after: ${name} ${createHash('sha256').update(text).digest('hex')}\n`;

const ONE = 'create table "_one" ("id" int);\n';
const TWO = `${after('0001_one', ONE)}create table "_two" ("id" int);\n`;
const THREE = `${after('0001_one', ONE)}create table "_three" ("id" int);\n`;
const JOIN = `${after('0002_three', THREE)}${after('0002_two', TWO)}-- Nothing else.\n`;

/** A table with 2,500 rows, whose updates raise `updated_at`. */
const ROWS = `create table "_one" (
  "id" uuid primary key,
  "number" int not null,
  "count" int not null default 0,
  "updated_at" timestamptz not null default '2000-01-01'
);
create trigger "_touch" before update on "_one" for each row execute function "_touch"();
insert into "_one" ("id", "number")
  select (lpad(to_hex("number"), 8, '0') || '-0000-0000-0000-000000000000')::uuid, "number"
  from generate_series(1, 2500) as "number";
`;

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
create table if not exists /* don't; */ "_one" ("id" int); -- of; two lines
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
    await database.query({ text: 'create sequence "_attempts"' });
    onTestFinished(async () => void (await database.query({ text: 'drop sequence "_attempts"' })));
    // A sequence is not rolled back.
    const locked = `if nextval('"_attempts"') = 1 then raise exception using errcode = '55P03'; end if;`;
    const seen = `create table "_one" as select current_setting('deadlock_timeout') as "value"`;
    await write('0001_one', `do $$ begin ${locked} end $$;\n${seen};\n`);
    const lines: string[] = [];
    expect(await run({ onWait: (line) => lines.push(line) })).toEqual(['0001_one']);
    expect(lines).toEqual(['the migration 0001_one waits for a table that others have locked']);
    // PostgreSQL ends an autovacuum that is in the way before the statement gives up.
    expect(await database.query({ text: 'select "value" from "_one"' })).toEqual([
      { value: '200ms' },
    ]);
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

  test('a database with migrations that have no file, unless they were applied with `-- expand`', async () => {
    await write('0001_one', ONE);
    await write('0002_two', `${TWO}-- expand\n`);
    await run();
    const state = await schemaState(database, pathToFileURL(`${folder}/`));
    await rm(join(folder, '0002_two.sql'));
    expect(await run()).toEqual([]);
    expect(await schemaState(database, pathToFileURL(`${folder}/`))).not.toBe(state);
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

/** How many rows there are with each count. */
const counts = async (): Promise<unknown> => {
  const text = 'select "count", count(*) as "rows" from "_one" group by 1 order by 1';
  return database.query({ text });
};
const progress = async (): Promise<unknown> =>
  database.query({ text: 'select "name", "rows" from "_migration_progress"' });
const all = (rows: number): unknown => [{ count: 1, rows }];

/** Starts a process of the version whose files are there now. */
async function startProcess(): Promise<() => Promise<void>> {
  const { beat, stop } = makeHeartbeat(shared(), await load(), console.error);
  onTestFinished(stop);
  await run({ beat }, shared());
  return stop;
}

/** Applies the files as a start of the service does. */
const start = (largeTable?: number): Promise<readonly string[]> =>
  run({ onlyQuick: true, ...(largeTable !== undefined && { largeTable }) }, shared());

describe('a batch', () => {
  const BATCH = `${after('0001_one', ROWS)}-- batch: "_one"

-- Counts how often a row is changed.
update "_one" set "count" = "count" + 1
where "id" > $1 and "id" <= $2;
select 1;
`;

  beforeEach(async () => {
    await write('0001_one', ROWS);
    await run();
    await write('0002_fill', BATCH);
  });

  test('is applied once to each row, by ranges of 1,000', async () => {
    const lines: number[] = [];
    expect(await run({ onProgress: (_name, rows) => lines.push(rows) })).toEqual(['0002_fill']);
    expect(lines).toEqual([1_000, 2_000, 2_500]);
    expect(await counts()).toEqual(all(2_500));
    expect(await progress()).toEqual([]);
    expect(await run()).toEqual([]);
  });

  test('leaves updated_at as it is', async () => {
    const text = 'select count(*) as "rows" from "_one" where "updated_at" > \'2001-01-01\'';
    await run();
    expect(await database.query({ text })).toEqual([{ rows: 0 }]);
    await database.query({ text: 'update "_one" set "count" = 1' });
    expect(await database.query({ text })).toEqual([{ rows: 2_500 }]);
  });

  test('goes on after the last complete range when it was stopped', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const onProgress = (): void => stop.abort(reason);
    await expect(run({ onProgress, signal: stop.signal })).rejects.toBe(reason);
    expect(await progress()).toEqual([{ name: '0002_fill', rows: 1_000 }]);
    expect(await counts()).toEqual([
      { count: 0, rows: 1_500 },
      { count: 1, rows: 1_000 },
    ]);
    expect(formatStatus(await readStatus(database, await load())).at(-1)).toBe(
      '0002_fill: pending, 1,000 rows are done',
    );
    expect(await run()).toEqual(['0002_fill']);
    expect(await counts()).toEqual(all(2_500));
  });

  test('goes on after the last complete range when it failed', async () => {
    const refused = `alter table "_one" add constraint "refused" check ("number" <> 1700 or "count" = 0)`;
    await database.query({ text: refused });
    await expect(run()).rejects.toThrow(
      'The migration 0002_fill failed and goes on after the last complete range when it is applied again:',
    );
    expect(await progress()).toEqual([{ name: '0002_fill', rows: 1_000 }]);
    await database.query({ text: 'alter table "_one" drop constraint "refused"' });
    expect(await run()).toEqual(['0002_fill']);
    expect(await counts()).toEqual(all(2_500));
  });

  test('repeats a range while a row is locked', async () => {
    await database.query({ text: 'create sequence "_attempts"' });
    onTestFinished(async () => void (await database.query({ text: 'drop sequence "_attempts"' })));
    const locked = `do $$ begin if nextval('"_attempts"') = 2 then raise exception using errcode = '40P01'; end if; end $$;\n`;
    await write('0002_fill', `${BATCH}${locked}`);
    const lines: string[] = [];
    expect(await run({ onWait: (line) => lines.push(line) })).toEqual(['0002_fill']);
    expect(lines).toEqual(['the migration 0002_fill waits for a table that others have locked']);
    expect(await counts()).toEqual(all(2_500));
  });

  test('reaches rows that are inserted while it runs', async () => {
    const insert = `insert into "_one" ("id", "number") values
      ('00000000-0000-0000-0000-000000000001', 0), ('ffffffff-0000-0000-0000-000000000000', 0)`;
    await write('0002_fill', BATCH.replace('select 1;', `${insert} on conflict do nothing;`));
    await run();
    // The first one is before the range that runs: its values are those of a new row.
    expect(await counts()).toEqual([
      { count: 0, rows: 1 },
      { count: 1, rows: 2_501 },
    ]);
  });

  test('fills words over the same ranges', async () => {
    await write('0002_fill', '-- batch: "_one"\n-- fill words: "_one" ("title")\n');
    const filled: unknown[] = [];
    const words = [{ column: '"_words"', texts: ['"title"'] }];
    await run({
      fillWords: async (session, { name, words: columns }, condition) => {
        expect(columns).toEqual(words);
        const text = `select count(*) as "rows" from ${name} where ${condition}`;
        filled.push(...(await session.query({ text })));
      },
    });
    expect(filled).toEqual([{ rows: 1_000 }, { rows: 1_000 }, { rows: 500 }]);
  });

  test('passes over an empty table', async () => {
    await database.query({ text: 'delete from "_one"' });
    expect(await run()).toEqual(['0002_fill']);
  });
});

describe('a migration that only removes what older versions need', () => {
  const CONTRACT = `${after('0002_two', TWO)}-- contract\ndrop table "_one";\n`;
  const NEXT = `${after('0003_contract', CONTRACT)}create table "_three" ("id" int);\n`;

  beforeEach(async () => {
    await write('0001_one', ONE);
    await write('0002_two', TWO);
  });

  test('waits until the processes of older versions have stopped', async () => {
    const stop = await startProcess();
    await write('0003_contract', CONTRACT);
    await startProcess();
    const lines: string[] = [];
    expect(await run({ onWait: (line) => lines.push(line) }, shared())).toEqual([]);
    expect(lines).toEqual([
      'the migration 0003_contract waits for the end of 1 process of older versions; it is left for ' +
        '`npm run migrate`, or for a later start',
    ]);
    expect(await tables()).toEqual(['_one', '_two']);
    const before = await schemaState(database, pathToFileURL(`${folder}/`));
    await stop();
    expect(await run({}, shared())).toEqual(['0003_contract']);
    // The state of the schema is part of ETags, and processes have read it at their start.
    expect(await schemaState(database, pathToFileURL(`${folder}/`))).toBe(before);
    expect(await tables()).toEqual(['_two']);
  });

  test('is left for later if a process of an older version starts while it begins', async () => {
    await run();
    const older = await load();
    const { beat, stop } = makeHeartbeat(shared(), older, console.error);
    onTestFinished(stop);
    await write('0003_contract', CONTRACT);
    const begun: string[] = [];
    /** Starts the process once the contract is recorded, before processes are counted. */
    const racing = (session: Session): Session => ({
      query: async (statement, values) => {
        const rows = await session.query(statement, values);
        if (statement.text.includes('"is_complete")\n    values')) {
          await beat(session);
          begun.push(await readApplied(session, older).then(String, errorText));
        }
        return rows as never[];
      },
    });
    const session: OpenDatabase['session'] = (work) => database.session((one) => work(racing(one)));
    expect(await run({}, { ...shared(), session })).toEqual([]);
    expect(begun).toEqual([
      expect.stringContaining('The migration 0003_contract was begun on this database'),
    ]);
    expect((await readApplied(database, older)).size).toBe(2);
    await stop();
    expect(await run({}, shared())).toEqual(['0003_contract']);
  });

  test('stays recorded as begun if it fails, unless it was rolled back', async () => {
    await run();
    const older = await load();
    await write('0003_contract', `${CONTRACT}select 1 / 0;\n`);
    await expect(run({}, shared())).rejects.toThrow('and was rolled back: division by zero');
    expect((await readApplied(database, older)).size).toBe(2);
    await write('0003_contract', `${CONTRACT}-- no transaction\nselect 1 / 0;\n`);
    await expect(run({}, shared())).rejects.toThrow('division by zero');
    await expect(readApplied(database, older)).rejects.toThrow('was begun on this database');
    // Also if it then waits: a part of it may be done.
    const contract = (await load()).at(-1) as Migration;
    expect(await beginContract(database, contract, () => Promise.resolve(true))).toBe(false);
    await expect(readApplied(database, older)).rejects.toThrow('was begun on this database');
    await write('0003_contract', '-- contract\ndrop table if exists "_one";\n');
    expect(await run({}, shared())).toEqual(['0003_contract']);
    expect((await readApplied(database, await load())).size).toBe(3);
  });

  test('does not wait for a process that was killed a minute ago', async () => {
    await startProcess();
    await database.query({ text: `update "_processes" set "seen_at" = now() - interval '61 s'` });
    await write('0003_contract', CONTRACT);
    expect(await run({}, shared())).toEqual(['0003_contract']);
  });

  test('is refused with all others while others follow it', async () => {
    await startProcess();
    await write('0003_contract', CONTRACT);
    await write('0004_next', NEXT);
    await expect(run({}, shared())).rejects.toThrow(
      'The migration 0003_contract waits for the end of 1 process of older versions, and other ' +
        'migrations follow it. Stop these processes (one that was killed counts for 60 seconds), or run ' +
        '`npm run migrate -- --contract`, which does not wait.',
    );
    expect(await run({ forceContract: true }, shared())).toEqual(['0003_contract', '0004_next']);
  });

  test('is applied at once to a new database and on PGlite', async () => {
    await write('0003_contract', CONTRACT);
    await startProcess();
    await database.query({ text: 'drop table "_two"; delete from "_migrations"' });
    expect(await run({}, shared())).toEqual(['0001_one', '0002_two', '0003_contract']);
  });
});

describe('at start', () => {
  beforeEach(async () => {
    await write('0001_one', ROWS);
    await run();
  });

  test.each([
    ['changes of the catalog', ''],
    ['batches of small tables', '-- batch: "_one"\n'],
    ['files that read small tables', '-- no transaction\n-- tables: "_one", "_absent"\n'],
  ])('applies %s', async (_title, kind) => {
    await write('0002_two', `${kind}select 1;\n`);
    expect(await start()).toEqual(['0002_two']);
  });

  test.each([
    ['batches of large tables', '-- batch: "_one"\n', '"_one" (about 2,500 rows)'],
    [
      'files that read large tables',
      '-- tables: "_absent", "_one"\n',
      '"_absent", "_one" (about 2,500 rows)',
    ],
    [
      'files outside of a transaction that name no tables',
      '-- no transaction\n',
      'it names no tables',
    ],
  ])('refuses %s, and applies nothing', async (_title, kind, reason) => {
    await database.query({ text: 'analyze "_one"' });
    await write('0002_two', 'create table "_two" ("id" int);\n');
    await write('0003_long', `${kind}select 1;\n`);
    await expect(start(100_000)).rejects.toThrow(
      `The migration 0003_long may take long (${reason}). Run \`npm run migrate\`, or start with MIGRATE=all.`,
    );
    expect(await tables()).toEqual(['_one']);
    expect(await run({}, shared())).toEqual(['0002_two', '0003_long']);
  });

  test('applies all to a new database and on PGlite', async () => {
    await database.query({ text: 'drop table "_one"; delete from "_migrations"' });
    await write('0002_long', '-- no transaction\n-- tables: "_one"\nselect 1;\n');
    expect(await start(0)).toEqual(['0001_one', '0002_long']);
  });

  test('leaves a long one that only removes what older versions need for later', async () => {
    await write('0002_contract', '-- contract\n-- tables: "_one"\ndrop table "_one";\n');
    expect(await start(0)).toEqual([]);
    expect(await run({}, shared())).toEqual(['0002_contract']);
  });
});

describe('at start, MIGRATE=false', () => {
  /** Starts a process of the version whose files are there now. @returns the warnings. */
  async function startWithout(of = shared()): Promise<string[]> {
    const lines: string[] = [];
    const log = { warn: (line: string) => lines.push(line) } as unknown as FastifyBaseLogger;
    const heartbeat = makeHeartbeat(of, await load(), console.error);
    onTestFinished(heartbeat.stop);
    await migrateAtStart(of, false, heartbeat, log, pathToFileURL(`${folder}/`));
    return lines;
  }
  const processes = async (): Promise<number> =>
    (await database.query({ text: 'select from "_processes"' })).length;

  beforeEach(async () => {
    await write('0001_one', ONE);
    await run();
  });

  test('applies nothing, and waits for pending files that are no contracts', async () => {
    expect(await startWithout()).toEqual([]);
    await write('0002_two', TWO);
    await write('0003_next', 'select 1;\n');
    await write('0004_contract', '-- contract\nselect 1;\n');
    // `waitForDatabase` waits for it.
    await expect(startWithout()).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
      message: 'Migrations are pending: 0002_two, 0003_next. Run `npm run migrate`.',
    });
    // Nobody else can migrate a database that only this process can open.
    await expect(startWithout({ ...shared(), isShared: false })).rejects.toMatchObject({
      name: 'Error',
      message: 'Migrations are pending: 0002_two, 0003_next. Run `npm run migrate`.',
    });
    expect(await tables()).toEqual(['_one']);
    // A process that waits holds no contract back.
    expect(await processes()).toBe(1);
  });

  test.each([
    ['', 'was applied to this database, and is missing here'],
    ['-- expand\n', undefined],
  ])(
    'is refused after a migration of a newer version, unless it has `-- expand`: %j',
    async (kind, message) => {
      await write('0002_two', `${TWO}${kind}`);
      await run();
      await rm(join(folder, '0002_two.sql'));
      if (message === undefined) expect(await startWithout()).toEqual([]);
      else await expect(startWithout()).rejects.toThrow(message);
      expect(await processes()).toBe(message === undefined ? 1 : 0);
    },
  );

  test('is refused if a contract is recorded once its own row is there', async () => {
    const files = await load();
    const { beat, stop } = makeHeartbeat(shared(), files, console.error);
    onTestFinished(stop);
    const record = `insert into "_migrations" ("name", "hash", "is_complete") values ('0002_contract', '', false)`;
    const racing = async (): Promise<boolean> => {
      await database.query({ text: record });
      return beat();
    };
    await expect(
      migrateAtStart(
        shared(),
        false,
        { beat: racing, stop },
        {} as FastifyBaseLogger,
        pathToFileURL(`${folder}/`),
      ),
    ).rejects.toThrow('The migration 0002_contract was begun on this database');
  });
});

test('a heartbeat that fails is logged once, until the next one is written', async () => {
  await write('0001_one', ONE);
  const lines: string[] = [];
  const { beat, stop } = makeHeartbeat(shared(), await load(), (error, message) => {
    lines.push(`${message}: ${errorText(error)}`);
  });
  onTestFinished(stop);
  const rename = (from: string, to: string): Promise<unknown> =>
    database.query({ text: `alter table "${from}" rename to "${to}"` });
  const line =
    'the row of this process in "_processes" cannot be written: after 60 seconds a migration with ' +
    '"-- contract" no longer waits for this process: relation "_processes" does not exist';
  for (const streaks of [1, 2]) {
    expect(await beat()).toBe(true);
    await rename('_processes', '_away');
    expect([await beat(), await beat()]).toEqual([false, false]);
    await rename('_away', '_processes');
    expect(lines).toEqual(Array(streaks).fill(line));
  }
});

test('a start leaves a contract for later if something depends on what it drops', async () => {
  await write('0001_one', `${ONE}create view "_view" as table "_one";\n`);
  await run();
  await write('0002_contract', '-- contract\n-- no transaction\ndrop table if exists "_one";\n');
  const lines: string[] = [];
  const onWait = (line: string): void => void lines.push(line);
  expect(await run({ onlyQuick: true, onWait }, shared())).toEqual([]);
  expect(lines).toEqual([
    'the migration 0002_contract is left for a later run: cannot drop table _one because other objects depend on it',
  ]);
  await expect(run({}, shared())).rejects.toThrow(
    'because other objects depend on it. Drop what depends on it, and migrate again.',
  );
  await database.query({ text: 'drop view "_view"' });
  expect(await run({ onlyQuick: true }, shared())).toEqual(['0002_contract']);
});

test('the line of views stands in a migration that is one transaction', async () => {
  await write('0001_one', `-- views\n-- no transaction\n${ONE}`);
  await expect(run()).rejects.toThrow(
    'The migration 0001_one has the line "-- views", and is not one transaction',
  );
});

test('a plan has the tables and locks of each migration', async () => {
  await write('0001_one', ROWS);
  await run();
  await database.query({ text: 'analyze "_one"' });
  await write(
    '0002_add',
    `-- A comment; of two parts.
alter table "_one" add column "a" int default 1, add column "b" text;
alter table "_one" add constraint "c" foreign key ("a") references "_two" ("id") not valid;
create function "f"() returns int language sql as $$ update "_two" set "id" = 1; select 1; $$;
create trigger "t" before update on "_one" for each row execute function "f"();
drop table if exists "_two";
create index "i" on "_one" ("a");
`,
  );
  await write(
    '0003_fill',
    `-- batch: "_one"
-- fill words: "_one" ("b")
update "_one" set "a" = 1 where "id" > $1 and "id" <= $2;
`,
  );
  await write(
    '0004_finish',
    `-- no transaction
-- tables: "_two"
create unique index concurrently if not exists "u" on "_one" ("a");
alter table "_one"
  validate constraint "c";
`,
  );
  await write('0005_contract', '-- contract\ndrop table "_one";\n');
  expect(formatPlan(await planMigrations(shared(), await load()))).toEqual([
    '0002_add: one transaction, quick',
    '  "_one": ACCESS EXCLUSIVE: reads and writes wait',
    '  "_one": SHARE ROW EXCLUSIVE: reads go on, writes wait',
    '  "_two": SHARE ROW EXCLUSIVE: reads go on, writes wait',
    '  "_two": ACCESS EXCLUSIVE: reads and writes wait',
    '  "_one": SHARE: reads go on, writes wait',
    '0003_fill: by ranges of rows, quick',
    '  reads or writes all rows of "_one" (about 2,500 rows)',
    '  "_one": row locks: reads go on, writes of these rows wait',
    '0004_finish: a statement at a time, quick',
    '  reads or writes all rows of "_two"',
    '  "_one": SHARE UPDATE EXCLUSIVE: reads and writes go on',
    '0005_contract: one transaction, quick, after the processes of older versions have stopped',
    '  "_one": ACCESS EXCLUSIVE: reads and writes wait',
  ]);
});

test('plan and status also read a database that nothing was applied to', async () => {
  await write('0001_one', ONE);
  await database.query({
    text: 'drop table "_migrations"; drop table "_migration_progress"; drop table "_processes"',
  });
  const migrations = await load();
  expect(formatPlan(await planMigrations(shared(), migrations))).toEqual([
    '0001_one: one transaction, quick',
  ]);
  expect(await readStatus(database, migrations)).toEqual({
    applied: [],
    pending: [{ name: '0001_one' }],
  });
  expect(await run()).toEqual(['0001_one']);
  expect((await readStatus(database, migrations)).applied).toEqual([
    { name: '0001_one', appliedAt: expect.stringMatching(/^20.+Z$/) },
  ]);
});
