/** The behaviour on failures that the README of an emitted service documents. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { execa } from 'execa';
import pg from 'pg';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';

import { makeAuthors } from './support/load.ts';
import { startMixedLoad } from './support/mixed-load.ts';
import { startPooler } from './support/pooler.ts';
import {
  AUTHORIZATION,
  makeDatabase,
  makeBuiltProject,
  runScript,
  runSql,
  start,
} from './support/project.ts';
import type { Running } from './support/project.ts';
import { freePort } from '../../src/tasks/free-port.ts';
import { openPostgres } from '../../templates/service/src/platform/database/postgres.ts';
import { startPostgres } from './support/setup.ts';

let project = '';

beforeAll(async () => {
  project = await makeBuiltProject('faults', 'examples/bookshop.yaml');
});

/** Waits for a condition, as long as a busy machine may need. */
async function until(condition: () => unknown): Promise<void> {
  await expect.poll(condition, { timeout: 60_000, interval: 50 }).toBe(true);
}

const post = (service: Running, name: string): Promise<Response> =>
  fetch(`${service.origin}/api/v1/authors`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: AUTHORIZATION },
    body: JSON.stringify({ name }),
  });

const statusOf = async (service: Running, where: string): Promise<number> =>
  (await fetch(service.origin + where)).status;

/** The names of all authors. */
async function allNames(service: Running): Promise<string[]> {
  const names: string[] = [];
  let next: string | undefined = '/api/v1/authors?limit=100&fields=name';
  while (next !== undefined) {
    const answer: Response = await fetch(service.origin + next);
    names.push(...((await answer.json()) as { name: string }[]).map(({ name }) => name));
    next = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return names;
}

/** Starts a service that is expected to refuse; gives its status and what it said. */
function startInVain(
  env: Readonly<Record<string, string>>,
  cwd = project,
): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, ['dist/server.js'], {
    cwd,
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', ...env },
    encoding: 'utf8',
  });
}

describe.each(['PostgreSQL', 'PGlite'])('kill -9 in the middle of writes on %s', (kind) => {
  test('loses none that was acknowledged', async () => {
    const env: Record<string, string> =
      kind === 'PGlite'
        ? { DATA_DIR: path.join(inject('workshop'), 'killed') }
        : { DATABASE_URL: await makeDatabase('killed') };
    const acknowledged: string[] = [];
    for (let round = 0; acknowledged.length < 500; round++) {
      const service = await start(project, env);
      const load = makeAuthors(service.origin, 10, `round ${round}`);
      await until(() => load.seen.acknowledged.length >= 170);
      expect(await service.stop('SIGKILL')).toBeNull();
      acknowledged.push(...(await load.stop()).acknowledged);
    }
    const service = await start(project, env);
    const stored = new Set(await allNames(service));
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
    expect(await service.stop()).toBe(0);
  });
});

test('a full disk with PGlite: writes are 503 and reads 200 until there is room, and nothing is lost', async () => {
  const full = path.join(inject('workshop'), 'disk-is-full');
  const DATA_DIR = path.join(inject('workshop'), 'full');
  const preload = new URL('support/full-disk.mjs', import.meta.url).href;
  const service = await start(project, {
    DATA_DIR,
    FULL_DISK: full,
    NODE_OPTIONS: `--import ${preload}`,
  });
  expect((await post(service, 'before')).status).toBe(201);
  writeFileSync(full, '');
  expect((await post(service, 'refused')).status).toBe(503);
  expect(await allNames(service)).toEqual(['before']);
  expect((await post(service, 'refused')).status).toBe(503);
  rmSync(full);
  expect((await post(service, 'after')).status).toBe(201);
  expect(await service.stop()).toBe(0);
  const again = await start(project, { DATA_DIR });
  expect((await allNames(again)).toSorted()).toEqual(['after', 'before']);
  expect(await again.stop()).toBe(0);
});

describe('SIGTERM', () => {
  test('under load cuts no request off, and what was stored was answered', async () => {
    const DATABASE_URL = await makeDatabase('stopped');
    const service = await start(project, { DATABASE_URL });
    const load = makeAuthors(service.origin, 20, 'author');
    await until(() => load.seen.acknowledged.length >= 100);
    expect(await service.stop()).toBe(0);
    const { acknowledged, cut, violations, statuses } = await load.stop();
    expect({ cut, violations, others: Object.keys(statuses) }).toEqual({
      cut: 0,
      violations: [],
      others: ['201'],
    });
    const again = await start(project, { DATABASE_URL });
    expect((await allNames(again)).toSorted()).toEqual(acknowledged.toSorted());
    expect(await again.stop()).toBe(0);
  });

  test('does not wait longer than the grace period for a body that never comes', async () => {
    const service = await start(project, { DATA_DIR: 'memory', SHUTDOWN_GRACE: '2' });
    const socket = await sendHalf(service);
    const before = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - before).toBeGreaterThan(1000);
    expect(service.output()).not.toContain('requests were still in flight');
    socket.destroy();
  });

  test('ends what hangs when the grace period is over, with status 1 and a line', async () => {
    const DATABASE_URL = await makeDatabase('hung');
    const service = await start(project, { DATABASE_URL, SHUTDOWN_GRACE: '1' });
    const locked = runSql(DATABASE_URL, 'begin; lock table "authors"; select pg_sleep(4); commit');
    await until(async () => (await lockedTables(DATABASE_URL)).includes('authors'));
    const cut = post(service, 'cut').catch(() => 'cut');
    await inFlight(service, 1);
    expect(await service.stop()).toBe(1);
    expect(service.output()).toContain('requests were still in flight');
    expect(await cut).toBe('cut');
    await locked;
  });

  test('a second signal is the same one at once, and ends everything later', async () => {
    const service = await start(project, { DATA_DIR: 'memory', SHUTDOWN_GRACE: '600' });
    const socket = await sendHalf(service);
    let ended: number | null | undefined;
    const stopped = service.stop('SIGINT');
    void service.stop('SIGINT').then((status) => (ended = status));
    await sleep(1500);
    expect(ended).toBeUndefined();
    void service.stop('SIGINT');
    expect(await stopped).toBe(1);
    socket.destroy();
  });
});

/** Sends half a request and keeps its connection. */
async function sendHalf(service: Running): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('POST /api/v1/authors HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
  socket.write(`Authorization: ${AUTHORIZATION}\r\nContent-Length: 9\r\n\r\n{`);
  await inFlight(service, 1);
  return socket;
}

/** Waits until so many requests are in flight, beside the one that asks. */
async function inFlight(service: Running, requests: number): Promise<void> {
  const metrics = async (): Promise<string> => (await fetch(`${service.origin}/metrics`)).text();
  await until(async () => (await metrics()).includes(`http_requests_in_flight ${requests + 1}`));
}

/** The tables that a transaction has locked against everybody. */
async function lockedTables(url: string): Promise<unknown[]> {
  const rows = await runSql(
    url,
    `select relname from pg_locks join pg_class on pg_class.oid = relation
      where mode = 'AccessExclusiveLock' and granted`,
  );
  return rows.map(({ relname }) => relname);
}

test('the log names lines of the source', async () => {
  const DATABASE_URL = await makeDatabase('mapped');
  const service = await start(project, { DATABASE_URL });
  await runSql(DATABASE_URL, 'alter table "authors" rename to "elsewhere"');
  expect(await statusOf(service, '/api/v1/authors')).toBe(500);
  expect(await service.stop()).toBe(0);
  expect(service.output()).toMatch(/src\/collections\/authors\/\w+\.ts:\d+:\d+/);
  expect(service.output()).not.toContain('dist/');
});

test('several times too many clients: all are answered, some are told to come again', async () => {
  const service = await start(project, { DATABASE_URL: await makeDatabase('overloaded') });
  const load = makeAuthors(service.origin, 600, 'author');
  await until(() => (load.seen.statuses[503] ?? 0) >= 300 && load.seen.acknowledged.length >= 50);
  const [live, ready, metrics] = await Promise.all([
    statusOf(service, '/health/live'),
    statusOf(service, '/health/ready'),
    fetch(`${service.origin}/metrics`).then((answer) => answer.text()),
  ]);
  expect(live).toBe(200);
  expect([200, 503]).toContain(ready);
  const shed = [...metrics.matchAll(/^http_requests_shed_total\{.*\} (\d+)$/gm)];
  expect(shed.reduce((sum, [, count]) => sum + Number(count), 0)).toBeGreaterThan(0);
  const { acknowledged, cut, refused, violations, statuses } = await load.stop();
  expect({ cut, refused, violations, others: Object.keys(statuses) }).toEqual({
    cut: 0,
    refused: 0,
    violations: [],
    others: ['201', '503'],
  });
  await until(async () => (await post(service, 'after')).status === 201);
  expect((await allNames(service)).toSorted()).toEqual([...acknowledged, 'after'].toSorted());
  expect(await service.stop()).toBe(0);
});

describe('the database', () => {
  test('stops under load: 503 meanwhile, and all is well after', async () => {
    const server = await startPostgres(path.join(inject('workshop'), 'stopping'));
    const service = await start(project, { DATABASE_URL: `${server.url}/postgres` });
    const load = makeAuthors(service.origin, 20, 'author');
    await until(() => load.seen.acknowledged.length >= 100);
    await server.stop();
    // Each client comes again several times.
    await until(() => (load.seen.statuses[503] ?? 0) > 100);
    expect(await statusOf(service, '/health/ready')).toBe(503);
    await server.start();
    const before = load.seen.acknowledged.length;
    await until(() => load.seen.acknowledged.length >= before + 100);
    const { acknowledged, statuses, violations, cut, refused } = await load.stop();
    expect({ violations, cut, refused }).toEqual({ violations: [], cut: 0, refused: 0 });
    expect(Object.keys(statuses)).toEqual(['201', '503']);
    expect(await statusOf(service, '/health/ready')).toBe(200);
    const stored = new Set(await allNames(service));
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
    expect(await service.stop()).toBe(0);
    await server.stop();
  });

  test('hangs without a word: 503 in bounded time, and all is well after', async () => {
    const url = new URL(await makeDatabase('hanging'));
    const wire = await startWire(Number(url.port));
    url.port = String(wire.port);
    const service = await start(project, { DATABASE_URL: url.href, DATABASE_POOL: '2' });
    expect((await post(service, 'before')).status).toBe(201);
    wire.cut();
    const answers = await Promise.all([post(service, 'a'), post(service, 'b'), post(service, 'c')]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(await statusOf(service, '/health/ready')).toBe(503);
    wire.mend();
    await until(async () => (await statusOf(service, '/health/ready')) === 200);
    expect((await post(service, 'after')).status).toBe(201);
    expect(await allNames(service)).toContain('after');
    expect(await service.stop()).toBe(0);
  });

  test('ends connections at random: no answer is swapped, and nothing acknowledged is lost', async () => {
    const DATABASE_URL = await makeDatabase('hammered');
    const service = await start(project, { DATABASE_URL });
    const load = startMixedLoad(service.origin, 24);
    await until(() => load.isbns.size >= 20);
    const end = Date.now() + 6_000;
    let ended = 0;
    while (Date.now() < end) {
      await runSql(
        DATABASE_URL,
        `select pg_terminate_backend("pid") from pg_stat_activity
          where datname = 'hammered' and "pid" <> pg_backend_pid() order by random() limit 2`,
      );
      ended++;
      await sleep(Math.random() * 200);
    }
    expect(ended).toBeGreaterThan(5);
    const before = load.outcomes.get('read 200') ?? 0;
    await until(() => (load.outcomes.get('read 200') ?? 0) > before + 100);
    await load.stop();
    expect({ wrong: load.wrong, lost: load.lost }).toEqual({ wrong: [], lost: [] });
    // Otherwise the connections that were ended had nothing to do.
    expect([...load.outcomes.keys()].filter((key) => key.endsWith(' 503'))).not.toEqual([]);
    for (const [id, name] of load.authors) {
      const answer = await fetch(`${service.origin}/api/v1/authors/${id}`);
      expect(await answer.json()).toMatchObject({ id, name });
    }
    for (const isbn of load.isbns) {
      const title = { title: isbn, isbn, author_id: [...load.authors.keys()][0] };
      const again = await fetch(`${service.origin}/api/v1/books`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: AUTHORIZATION },
        body: JSON.stringify(title),
      });
      expect(again.status).toBe(409);
    }
    expect(await service.stop()).toBe(0);
  });

  test('keeps a row locked: 503, and others go on', async () => {
    const DATABASE_URL = await makeDatabase('locked');
    const service = await start(project, { DATABASE_URL });
    const { id } = (await (await post(service, 'locked')).json()) as { id: string };
    const locked = runSql(
      DATABASE_URL,
      'begin; select 1 from "authors" for update; select pg_sleep(8); commit',
    );
    const sleeping = `select from pg_stat_activity where query like '%for update; select pg_sleep%'
      and wait_event = 'PgSleep'`;
    await until(async () => (await runSql(DATABASE_URL, sleeping)).length === 1);
    const answer = await fetch(`${service.origin}/api/v1/authors/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', authorization: AUTHORIZATION },
      body: '{"name":"changed"}',
    });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      message: expect.stringContaining('busy') as string,
    });
    expect((await post(service, 'another')).status).toBe(201);
    await locked;
    expect(await service.stop()).toBe(0);
  });
});

/** A wire to a server that can be cut so that nobody notices: nothing comes, and nothing breaks. */
async function startWire(
  target: number,
  knownPort?: number,
): Promise<{ readonly port: number; readonly cut: () => void; readonly mend: () => void }> {
  const port = knownPort ?? (await freePort());
  const pairs: [Socket, Socket][] = [];
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.pause();
      return;
    }
    const far = connect(target, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => {});
    pairs.push([near, far]);
  });
  server.listen(port, '127.0.0.1');
  onTestFinished(() => {
    server.close();
  });
  return {
    port,
    cut() {
      isCut = true;
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
      }
    },
    mend() {
      isCut = false;
    },
  };
}

describe('a start', () => {
  test('without the database listens, waits in one line, and goes on when it comes', async () => {
    const url = new URL(await makeDatabase('late'));
    const target = Number(url.port);
    url.port = String(await freePort());
    const env = { DATABASE_URL: url.href };
    const service = await start(project, env, process.execPath, '/health/live');
    // It tries again each second.
    await sleep(2500);
    for (const where of ['/health/ready', '/api/v1/authors', '/docs']) {
      const answer = await fetch(service.origin + where);
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
      const payload = (await answer.json()) as Record<string, unknown>;
      expect(Object.keys(payload).toSorted()).toEqual(['message', 'request_id', 'status']);
    }
    const lines = service.output().trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      msg: `waiting for the database at ${url.host}: connect ECONNREFUSED ${url.host}`,
    });
    await startWire(target, Number(url.port));
    await until(async () => (await statusOf(service, '/health/ready')) === 200);
    expect((await post(service, 'there')).status).toBe(201);
    expect(await service.stop()).toBe(0);
  });

  test('that waits for the database ends with status 0 at SIGTERM', async () => {
    const env = { DATABASE_URL: `postgresql://postgres@127.0.0.1:${await freePort()}/postgres` };
    const service = await start(project, env, process.execPath, '/health/live');
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => {});
    expect(await service.stop()).toBe(0);
    socket.destroy();
  });

  test('does not wait for a database that the server does not have', async () => {
    const url = new URL(await makeDatabase('present'));
    url.pathname = '/absent';
    expect(startInVain({ DATABASE_URL: url.href })).toMatchObject({
      status: 1,
      stderr: 'The service did not start. database "absent" does not exist\n',
    });
  });

  test('behind a pooler in transaction mode is refused, and one in session mode is used', async () => {
    const url = await makeDatabase('pooled');
    const behind = async (mode: 'session' | 'transaction'): Promise<string> => {
      const pooler = await startPooler(url, mode);
      onTestFinished(pooler.stop);
      return pooler.url;
    };
    const env = { DATABASE_URL: await behind('transaction'), PORT: '0', LOG_LEVEL: 'warn' };
    const options = { cwd: project, env, reject: false, timeout: 60_000 };
    expect(await execa(process.execPath, ['dist/server.js'], options)).toMatchObject({
      exitCode: 1,
      stderr:
        'The service did not start. DATABASE_URL leads to a connection pooler in transaction mode, in which ' +
        'settings, locks and prepared statements do not stay with their connection: use session mode, or a ' +
        'direct URL of the database',
    });
    // With one connection and with several: what all commands open.
    for (const size of [1, 10]) {
      const database = openPostgres(await behind('session'), size, console.error);
      const timeout = { text: `select current_setting('statement_timeout') as "value"` };
      expect(await database.query(timeout)).toEqual([{ value: '10s' }]);
      await database.close();
    }
  });

  test('ends where a migration fails, and keeps nothing of it', async () => {
    const DATABASE_URL = await makeDatabase('failing');
    const file = path.join(project, 'migrations', '0002_failing.sql');
    writeFileSync(file, 'create table "half" ();\nselect 1 / 0;\n');
    onTestFinished(() => rmSync(file));
    const { status, stderr } = startInVain({ DATABASE_URL });
    expect(status).toBe(1);
    expect(stderr).toBe(
      'The service did not start. The migration 0002_failing failed and was rolled back: ' +
        'division by zero. Correct the data, and migrate again.\n',
    );
    // What came before it counts, and it comes again once it is right.
    writeFileSync(file, 'create table "half" ();\n');
    const service = await start(project, { DATABASE_URL, LOG_LEVEL: 'info' });
    // The service listens before it migrates.
    await until(() => service.output().includes('"migration":"0002_failing"'));
    expect(service.output()).not.toContain('"migration":"0001_initial"');
    expect(await service.stop()).toBe(0);
  });

  test('that waits for the lock of a table holds up no reader of it, and goes on', async () => {
    const DATABASE_URL = await makeDatabase('locked_table');
    const service = await start(project, { DATABASE_URL });
    const file = path.join(project, 'migrations', '0002_locked.sql');
    writeFileSync(file, 'alter table "authors" add column "nobody" integer;\n');
    onTestFinished(() => rmSync(file));
    const reader = new pg.Client({ connectionString: DATABASE_URL });
    await reader.connect();
    onTestFinished(() => reader.end());
    await reader.query('begin; select from "authors"');
    const migration = runScript(project, 'migrate', { DATABASE_URL });
    const slowest = { milliseconds: 0 };
    const end = performance.now() + 8_000;
    while (performance.now() < end) {
      const begun = performance.now();
      expect(await statusOf(service, '/api/v1/authors')).toBe(200);
      slowest.milliseconds = Math.max(slowest.milliseconds, performance.now() - begun);
    }
    // Long enough for several attempts, each of which holds up readers for half a second.
    expect(slowest.milliseconds).toBeGreaterThan(250);
    expect(slowest.milliseconds).toBeLessThan(2_500);
    await reader.query('commit');
    expect(await migration).toEqual({
      exitCode: 0,
      output:
        'the migration 0002_locked waits for a table that others have locked\nApplied 0002_locked.',
    });
    expect(await service.stop()).toBe(0);
  });

  test('without a transaction builds an index while rows are written, once, and again after it was lost', async () => {
    const DATABASE_URL = await makeDatabase('concurrent_index');
    const service = await start(project, { DATABASE_URL });
    const file = path.join(project, 'migrations', '0002_index.sql');
    writeFileSync(
      file,
      '-- no transaction\ncreate index concurrently if not exists "by_name" on "authors" ("name");\n',
    );
    onTestFinished(() => rmSync(file));
    const client = new pg.Client({ connectionString: DATABASE_URL });
    const reader = new pg.Client({ connectionString: DATABASE_URL });
    for (const one of [client, reader]) {
      await one.connect();
      onTestFinished(() => one.end());
    }
    // The build waits for the end of this transaction.
    await reader.query('begin isolation level repeatable read; select from "authors"');
    const migrations = [1, 2].map(() => runScript(project, 'migrate', { DATABASE_URL }));
    const builders = async (): Promise<number[]> => {
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database()
          and state = 'active' and query like '-- no transaction%create index concurrently%'`,
      );
      return rows.map(({ pid }) => pid);
    };
    await until(async () => (await builders()).length === 1);
    expect((await post(service, 'Octavia Butler')).status).toBe(201);
    const [lost] = await builders();
    await client.query('select pg_terminate_backend($1)', [lost]);
    await until(async () => {
      const pids = await builders();
      const { rows } = await client.query<{ waits: boolean }>(
        `select exists (select from pg_stat_activity where query like 'drop index concurrently%'
          and datname = current_database()) as waits`,
      );
      return rows[0]?.waits === true || (pids.length === 1 && pids[0] !== lost);
    });
    expect((await post(service, 'Samuel Delany')).status).toBe(201);
    await reader.query('commit');
    const outcomes = await Promise.all(migrations);
    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(outcomes.filter(({ output }) => output.includes('Applied 0002_index.'))).toHaveLength(1);
    const { rows } = await client.query(
      `select indisvalid from pg_index where indexrelid = '"by_name"'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
    expect(await service.stop()).toBe(0);
  });

  test('of several processes migrates once, also where one is killed meanwhile', async () => {
    const DATABASE_URL = await makeDatabase('together');
    const file = path.join(project, 'migrations', '0002_slow.sql');
    writeFileSync(file, 'create table "slow" ();\nselect pg_sleep(3);\n');
    onTestFinished(() => rmSync(file));
    const killed = spawn(process.execPath, ['dist/server.js'], {
      cwd: project,
      env: { ...process.env, DATABASE_URL, PORT: '0', LOG_LEVEL: 'info' },
    });
    const asleep = `do $$ begin
      assert exists (select 1 from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'); end $$`;
    await until(() =>
      runSql(DATABASE_URL, asleep).then(
        () => true,
        () => false,
      ),
    );
    const others = [1, 2].map(() => start(project, { DATABASE_URL, LOG_LEVEL: 'info' }));
    killed.kill('SIGKILL');
    const services = await Promise.all(others);
    for (const service of services) expect(await service.stop()).toBe(0);
    const applied = services.filter((service) => service.output().includes('0002_slow'));
    expect(applied).toHaveLength(1);
  });

  test('takes over the lock of a process that is no more, whoever has its id now', async () => {
    const folder = path.join(inject('workshop'), 'reused');
    mkdirSync(folder);
    const lock = (holder: object): void =>
      writeFileSync(path.join(folder, 'lock'), JSON.stringify(holder));
    // This process lives, and it did not start at the boot of the machine.
    lock({ pid: process.pid, started: '1' });
    const service = await start(project, { DATA_DIR: folder });
    expect((await post(service, 'there')).status).toBe(201);
    expect(JSON.parse(readFileSync(path.join(folder, 'lock'), 'utf8'))).not.toMatchObject({
      pid: process.pid,
    });
    expect(await service.stop('SIGKILL')).toBeNull();
    lock({ pid: process.pid });
    expect(startInVain({ DATA_DIR: folder })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`in use by process ${process.pid}`) as string,
    });
  });

  test.each([
    ['BODY_LIMIT', '1e6', 'an integer from 1 to 1073741824'],
    ['DATABASE_POOL', '0', 'an integer from 1 to 1000'],
    ['STATEMENT_TIMEOUT', '0', 'an integer from 100 to 3600000'],
    ['SHUTDOWN_DELAY', '3601', 'an integer from 0 to 3600'],
    ['SHUTDOWN_GRACE', '-1', 'an integer from 0 to 3600'],
    ['TRUST_PROXY', 'everybody', 'comma-separated addresses or networks, such as 10.0.0.0/8'],
    ['LOG_LEVEL', 'loud', 'one of fatal, error, warn, info, debug, trace, silent'],
    ['RATE_LIMIT', 'none', 'an integer from 0 to 1000000000'],
    ['CORS_ORIGINS', '*', 'comma-separated origins, such as https://example.org'],
  ])('ends where %s is %s', (name, value, hint) => {
    expect(startInVain({ [name]: value })).toMatchObject({
      status: 1,
      stderr: `The service did not start. Wrong configuration: ${name} must be ${hint}.\n`,
    });
  });
});

test('slow clients are answered 408 in the payload of all errors', async () => {
  const service = await start(project, { DATA_DIR: 'memory' });
  const head = 'POST /api/v1/authors HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
  const answers = await Promise.all([
    readAll(service, 'GET /health/live HTTP/1.1\r\nHost: x\r\n'),
    readAll(service, ''),
    readAll(
      service,
      `${head}Authorization: ${AUTHORIZATION}\r\nX-Request-Id: ${id}\r\nContent-Length: 9\r\n\r\n{`,
    ),
  ]);
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    const payload = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Record<string, unknown>;
    expect(Object.keys(payload).toSorted()).toEqual(['message', 'request_id', 'status']);
    expect(payload['status']).toBe('Request Timeout');
    expect(answer).toContain(`x-request-id: ${String(payload['request_id'])}`);
  }
  expect(answers[2]).toContain(id);
  expect(await service.stop()).toBe(0);
});

/** Sends bytes, and reads until the service closes the connection. */
function readAll(service: Running, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(service.port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

test('memory stays where it is over 100,000 requests', async () => {
  const service = await start(project, {
    DATABASE_URL: await makeDatabase('memory'),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL_HEAP)}`,
  });
  const { id } = (await (await post(service, 'one')).json()) as { id: string };
  const paths = [
    `/api/v1/authors/${id}`,
    '/api/v1/authors?limit=5',
    '/api/v1/authors?nonsense=1',
    '/api/v1/users',
    '/api/nothing',
    '/health/ready',
  ];
  const heapAfter = async (requests: number): Promise<number> => {
    const clients = Array.from({ length: 10 }, () => askAll(service, paths, requests / 10));
    expect(await Promise.all(clients)).toEqual(clients.map(() => requests / 10));
    const told = service.output().length;
    service.signal('SIGUSR2');
    await until(() => service.output().length > told);
    return Number(/HEAP (\d+)\s*$/.exec(service.output())?.[1]);
  };
  const before = await heapAfter(20_000);
  // Ten bytes that stay of each request would be a megabyte.
  expect((await heapAfter(80_000)) - before).toBeLessThan(1_000_000);
  expect(await service.stop()).toBe(0);
});

test('a service that has stopped leaves nothing in its process', async () => {
  const words = ['--import', 'tsx', '--expose-gc', '--input-type=module', '-e', START_AND_STOP];
  const { stdout } = await execa(process.execPath, words, { cwd: project });
  expect(stdout.split('\n')).toEqual(['200 true', '200 true', '200 true', 'left: 0']);
});

/** Starts services and stops them, and tells which of them cannot be collected. Tests of a project start one for each file. */
const START_AND_STOP = `
  import { setTimeout as sleep } from 'node:timers/promises';
  import { buildClosedApp } from './src/app.ts';
  import { readConfig } from './src/config.ts';
  import { openDatabase } from './src/platform/database/open.ts';
  const config = readConfig({ LOG_LEVEL: 'silent', DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' });
  async function startAndStop() {
    const database = await openDatabase(config, () => {});
    const app = await buildClosedApp(config, database);
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { statusCode, body } = await app.inject('/metrics');
    console.log(statusCode, /^nodejs_version_info/m.test(body) && /^http_requests/m.test(body));
    await app.close();
    await database.close();
    return new WeakRef(app);
  }
  const stopped = [await startAndStop(), await startAndStop(), await startAndStop()];
  const left = () => stopped.filter((one) => one.deref() !== undefined).length;
  for (let round = 0; round < 100 && left() > 0; round += 1) {
    await sleep(100);
    gc();
  }
  console.log('left: ' + left());
`;

/** Runs in the service: tells what its heap holds once it is tidied up. */
const TELL_HEAP = `
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    gc();
    console.error('HEAP ' + process.memoryUsage().heapUsed);
  });
`;

/** Asks for so many paths on one connection, some at a time; gives how many were answered. */
function askAll(service: Running, paths: readonly string[], requests: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const AT_ONCE = 20;
    let sent = 0;
    let seen = 0;
    let rest = '';
    const socket = connect(service.port, '127.0.0.1');
    const send = (): void => {
      if (sent === requests) socket.end();
      for (let at = 0; at < AT_ONCE && sent < requests; at++, sent++) {
        socket.write(`GET ${paths[sent % paths.length]} HTTP/1.1\r\nHost: x\r\n\r\n`);
      }
    };
    socket.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString('latin1')).split('HTTP/1.1 ');
      seen += parts.length - 1;
      // What may be the beginning of the next one.
      rest = parts.at(-1)?.slice(-8) ?? '';
      if (seen === sent) send();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(seen));
    send();
  });
}
