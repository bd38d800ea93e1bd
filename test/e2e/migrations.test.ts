/** Migrations on a real PostgreSQL: the changes of test/unit/migration/cases.ts, and runs of an emitted project. */
import { spawn } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { TIMEOUTS } from '../../templates/service/src/platform/database/database.ts';
import type { OpenDatabase } from '../../templates/service/src/platform/database/database.ts';
import { openPostgres } from '../../templates/service/src/platform/database/postgres.ts';
import { play } from '../unit/migration/apply.ts';
import { CASES } from '../unit/migration/cases.ts';
import { testSqlWrites } from '../unit/migration/sql-writes.ts';
import {
  makeDatabase,
  makeBuiltProject,
  ROOT,
  runCommand,
  runScript,
  runSql,
  start,
} from './support/project.ts';
import type { Running } from './support/project.ts';

let database: OpenDatabase;

beforeAll(async () => {
  // Statements may take as long as they do beside other tests.
  const timeouts = { ...TIMEOUTS, statement: 120_000, transaction: 120_000 };
  database = openPostgres(await makeDatabase('migrations'), 1, console.error, timeouts);
});
afterAll(() => database.close());

describe('a migrated schema is that of a new service', () => {
  test.each(CASES)('$title', async (one) => {
    const outcome = await play(database, one);
    expect(outcome.refused ?? '').toContain(one.refused ?? '');
    expect(outcome.refused === undefined).toBe(one.refused === undefined);
    expect(outcome.migrated).toEqual(outcome.fresh);
    expect(outcome.kept).toEqual(one.kept?.slice(1) ?? []);
  });
});

describe('what SQL writes', () => {
  testSqlWrites(() => database);
});

describe('an emitted project', () => {
  test.each([
    ['PGlite', async () => ({})],
    ['PostgreSQL', async () => ({ DATABASE_URL: await makeDatabase('migration_runner') })],
  ])('passes the tests of its runner on %s', async (_name, environment) => {
    const tests = join(ROOT, 'test/e2e/migrations/test');
    cpSync(tests, join(project, 'test'), { recursive: true });
    onTestFinished(() => rmSync(join(project, 'test/migrations.test.ts')));
    const words = ['run', '--silent', 'test', '--', 'migrations.test'];
    const env = await environment();
    const { exitCode, output } = await runCommand(project, words, { env, input: '' });
    expect(exitCode, output).toBe(0);
  });

  /** Counts how often each row is changed, slowly. */
  const BATCH = `-- batch: "notes"
update "notes" set "body" = coalesce("body", '') || '.' where "id" > $1 and "id" <= $2;
select pg_sleep(0.1);
`;
  let project: string;
  let url: string;

  beforeAll(async () => {
    project = await makeBuiltProject('migrating', 'test/cases/minimal/definitions.yaml');
  }, 300_000);

  /** A database that has the first migration, and that many notes. */
  async function prepare(name: string, rows = 0): Promise<void> {
    url = await makeDatabase(name);
    expect(await run().ended).toMatchObject({ status: 0 });
    await runSql(url, `insert into "notes" ("body") select null from generate_series(1, ${rows})`);
  }

  test('migrates as a role that may set no parameter of the server', async () => {
    const name = 'migration_role';
    const admin = await makeDatabase(name);
    await runSql(
      admin,
      `create role "${name}" login password 'migrates'; alter database "${name}" owner to "${name}";
        create sequence "_attempts"; grant usage on sequence "_attempts" to "${name}"`,
    );
    // A migration that had to wait for a lock tries to set one. A sequence is not rolled back.
    const locked = `if nextval('"_attempts"') = 1 then raise exception using errcode = '55P03'; end if;`;
    write('0002_locked', `do $$ begin ${locked} end $$;\n`);
    const { host, pathname } = new URL(admin);
    const env = { DATABASE_URL: `postgresql://${name}:migrates@${host}${pathname}` };
    const { exitCode, output } = await runScript(project, 'migrate', env);
    expect(exitCode, output).toBe(0);
    expect(output.trim().split('\n')).toEqual([
      'the migration 0002_locked waits for a table that others have locked',
      'Applied 0001_initial, 0002_locked.',
    ]);
  });

  /** Writes a migration that the project has until the test ends. */
  function write(name: string, text: string): void {
    const file = join(project, 'migrations', `${name}.sql`);
    writeFileSync(file, text);
    onTestFinished(() => rmSync(file, { force: true }));
  }

  /** Removes a migration from the project, which is an older version then. */
  const remove = (name: string): void => rmSync(join(project, 'migrations', `${name}.sql`));

  /** How many processes hold the lock under which they migrate. */
  const migrating = async (): Promise<number> => {
    const locks = `select from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`;
    return (await runSql(url, locks)).length;
  };

  interface Run {
    readonly kill: (signal: NodeJS.Signals) => void;
    readonly ended: Promise<{ status: number | null; stdout: string; stderr: string }>;
  }

  /** Starts a compiled command of the project. */
  function run(options: readonly string[] = [], command = 'migrate', env = {}): Run {
    const child = spawn(process.execPath, [`dist/${command}.js`, ...options], {
      cwd: project,
      env: { ...process.env, DATABASE_URL: url, PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => {
      child.on('close', resolve);
    });
    return {
      kill: (signal) => void child.kill(signal),
      ended: ended.then((status) => ({ status, ...printed })),
    };
  }

  const progress = async (): Promise<number> =>
    Number((await runSql(url, 'select "rows" from "_migration_progress"'))[0]?.['rows'] ?? 0);

  /** How many notes there are by how often the batch has changed them. */
  const changes = (): Promise<unknown> =>
    runSql(
      url,
      `select length("body") as "changes", count(*)::int as "rows" from "notes" group by 1 order by 1`,
    );

  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
    });

  test('goes on with a batch after kill -9, and changes each row once', async () => {
    await prepare('migrating_killed', 20_500);
    write('0002_fill', BATCH);
    for (let kills = 0; kills < 4; kills++) {
      const before = await progress();
      const { kill, ended } = run();
      await expect.poll(progress, { timeout: 20_000 }).toBeGreaterThan(before);
      await pause(kills * 37);
      kill('SIGKILL');
      expect(await ended).toMatchObject({ status: null });
    }
    const done = await progress();
    expect(done % 1_000).toBe(0);
    expect((await run(['--status']).ended).stdout).toContain('0002_fill: pending, ');
    expect(await run().ended).toMatchObject({ status: 0, stdout: 'Applied 0002_fill.\n' });
    expect(await changes()).toEqual([{ changes: 1, rows: 20_500 }]);
    expect(await runSql(url, 'select from "_migration_progress"')).toEqual([]);
    expect(await run(['--json']).ended).toMatchObject({
      status: 0,
      stdout: '{"applied":[],"waiting":[]}\n',
      stderr: '',
    });
  }, 120_000);

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'stops between two ranges on %s',
    async (signal) => {
      await prepare(`migrating_${signal.toLowerCase()}`, 5_000);
      write('0002_fill', BATCH);
      const { kill, ended } = run();
      await expect.poll(progress, { timeout: 20_000 }).toBeGreaterThan(0);
      kill(signal);
      const { status, stderr } = await ended;
      expect(status).toBe(1);
      expect(stderr).toContain(`${signal} stopped the run: the next run goes on from there.\n`);
      const done = await progress();
      expect(await changes()).toEqual([
        { changes: 1, rows: done },
        { changes: null, rows: 5_000 - done },
      ]);
      expect(await run().ended).toMatchObject({ status: 0 });
      expect(await changes()).toEqual([{ changes: 1, rows: 5_000 }]);
    },
    60_000,
  );

  test('applies a migration once if two processes migrate at the same time', async () => {
    await prepare('migrating_twice', 3_500);
    write('0002_fill', BATCH);
    const runs = await Promise.all([run().ended, run().ended]);
    expect(runs.map(({ stdout }) => stdout).toSorted()).toEqual([
      'Applied 0002_fill.\n',
      'Nothing to migrate.\n',
    ]);
    expect(await changes()).toEqual([{ changes: 1, rows: 3_500 }]);
  }, 60_000);

  test('waits with a batch while others lock its rows', async () => {
    await prepare('migrating_locked', 2_500);
    write('0002_fill', BATCH);
    const other = openPostgres(url, 1, console.error);
    onTestFinished(() => other.close());
    const { ended } = run();
    await other.transaction(async (transaction) => {
      await transaction.query({
        text: 'select from "notes" order by "id" desc limit 1 for update',
      });
      await pause(4_000);
    });
    const { status, stderr } = await ended;
    expect(stderr).toContain('the migration 0002_fill waits for a table that others have locked');
    expect(status).toBe(0);
    expect(await changes()).toEqual([{ changes: 1, rows: 2_500 }]);
  }, 60_000);

  test('has a row for each process, and waits for older ones with a contract', async () => {
    await prepare('migrating_contract');
    const older = await start(project, { DATABASE_URL: url });
    const killed = await start(project, { DATABASE_URL: url, MIGRATE: 'false' });
    const rows = (): Promise<unknown> => runSql(url, 'select "migration" from "_processes"');
    expect(await rows()).toEqual([{ migration: '0001_initial' }, { migration: '0001_initial' }]);
    write('0002_contract', '-- contract\nalter table "notes" drop column "body";\n');
    const newer = await start(project, { DATABASE_URL: url });
    await expect
      .poll(newer.output)
      .toContain('0002_contract waits for the end of 2 processes of older');
    await older.stop();
    await killed.stop('SIGKILL');
    expect(await run(['--json']).ended).toEqual({
      status: 0,
      stdout: '{"applied":[],"waiting":["0002_contract"]}\n',
      stderr:
        'the migration 0002_contract waits for the end of 1 process of older versions; it is left for ' +
        '`npm run migrate`, or for a later start\n',
    });
    write('0003_next', 'select 1;\n');
    const refused = await run().ended;
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('and other migrations follow it. Stop these processes');
    expect(await run(['--contract']).ended).toMatchObject({
      status: 0,
      stdout: 'Applied 0002_contract, 0003_next.\n',
    });
    await newer.stop();
    expect(await rows()).toEqual([{ migration: '0001_initial' }]);
  }, 120_000);

  test('starts while another process migrates, whose contract then waits for it', async () => {
    await prepare('migrating_beside', 2_500);
    write('0002_fill', `-- expand\n${BATCH}`);
    write('0003_contract', '-- contract\nalter table "notes" drop column "body";\n');
    const other = openPostgres(url, 1, console.error);
    onTestFinished(() => other.close());
    let newer: Run | undefined;
    let older: Running | undefined;
    await other.transaction(async (transaction) => {
      await transaction.query({ text: 'select from "notes" limit 1 for update' });
      newer = run();
      await expect.poll(migrating).toBe(1);
      remove('0002_fill');
      remove('0003_contract');
      older = await start(project, { DATABASE_URL: url });
      expect(await migrating()).toBe(1);
    }, 60_000);
    expect(await newer?.ended).toMatchObject({
      status: 0,
      stdout: 'Applied 0002_fill.\nLeft for later: 0003_contract.\n',
      stderr: expect.stringContaining('0003_contract waits for the end of 1 process of older'),
    });
    await older?.stop();
  }, 120_000);

  test('does not start without a contract that has begun, also after it was killed', async () => {
    await prepare('migrating_begun');
    write('0002_contract', `-- contract\n-- no transaction\n${'select pg_sleep(1);\n'.repeat(60)}`);
    const migration = run();
    const begun = `select "name" from "_migrations" where not "is_complete"`;
    await expect
      .poll(() => runSql(url, begun).catch(String), { timeout: 20_000 })
      .toEqual([{ name: '0002_contract' }]);
    const newer = await start(project, { DATABASE_URL: url });
    await newer.stop();
    expect(await migrating()).toBe(1);
    remove('0002_contract');
    const refused = {
      status: 1,
      stderr:
        'The service did not start. The migration 0002_contract was begun on this database, and is missing ' +
        'here. The database belongs to a newer version of the service, or to another branch: start that ' +
        'one, or restore the file.\n',
    };
    expect(await run([], 'server').ended).toMatchObject(refused);
    migration.kill('SIGKILL');
    await expect.poll(migrating, { timeout: 20_000 }).toBe(0);
    expect(await run([], 'server').ended).toMatchObject(refused);
    expect(await run([], 'server', { MIGRATE: 'false' }).ended).toMatchObject(refused);
    write('0002_contract', '-- contract\nselect 1;\n');
    expect(await run().ended).toMatchObject({ status: 0, stdout: 'Applied 0002_contract.\n' });
  }, 120_000);

  test('does not start if a migration may take long, unless MIGRATE is all', async () => {
    await prepare('migrating_long', 10);
    await runSql(
      url,
      `create table "large" as select repeat('x', 1800) as "text" from generate_series(1, 12000);
      analyze "large"`,
    );
    write('0002_small', '-- batch: "notes"\nselect 1;\n');
    write('0003_large', '-- tables: "large"\nselect 1;\n');
    const plan = await run(['--plan', '--json']).ended;
    expect(JSON.parse(plan.stdout)).toMatchObject({
      plan: [
        { name: '0002_small', kind: 'batch', isQuick: true },
        { name: '0003_large', isQuick: false, tables: [{ name: '"large"', rows: 12_000 }] },
      ],
    });
    const refused = await run([], 'server').ended;
    expect(refused.status).toBe(1);
    expect(refused.stderr).toBe(
      'The service did not start. The migration 0003_large may take long ("large" (about 12,000 rows)). ' +
        'Run `npm run migrate`, or start with MIGRATE=all.\n',
    );
    expect(await runSql(url, 'select "name" from "_migrations"')).toEqual([
      { name: '0001_initial' },
    ]);
    const service = await start(project, { DATABASE_URL: url, MIGRATE: 'all' });
    expect(await runSql(url, 'select from "_migrations"')).toHaveLength(3);
    await service.stop();
  }, 60_000);

  test('waits as not ready for pending migrations if MIGRATE is false, and names them', async () => {
    url = await makeDatabase('migrating_false');
    const settings = { DATABASE_URL: url, MIGRATE: 'false' };
    const service = await start(project, settings, undefined, '/health/live');
    const status = async (): Promise<number> =>
      (await fetch(`${service.origin}/health/ready`)).status;
    await expect
      .poll(service.output)
      .toContain('Migrations are pending: 0001_initial. Run `npm run migrate`.');
    expect(await status()).toBe(503);
    expect(await run().ended).toMatchObject({ status: 0 });
    await expect.poll(status, { timeout: 10_000 }).toBe(200);
    await service.stop();
  }, 60_000);

  test('refuses unknown options with the usage', async () => {
    for (const options of [['--bogus'], ['--plan', '--status'], ['now']]) {
      const { status, stderr } = await run(options).ended;
      expect(status).toBe(2);
      expect(stderr).toContain(
        'Usage: npm run migrate -- [--plan | --status | --contract] [--json]',
      );
    }
  });
});
