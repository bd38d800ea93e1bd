/**
 * Statements that are pipelined on shared connections to PostgreSQL: each gets its own answer, a failure
 * affects no other, and a slow one delays others for a moment at most.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import pg from 'pg';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';

import type {
  OpenDatabase,
  Statement,
} from '../../templates/service/src/platform/database/database.ts';
import { Pipeline } from '../../templates/service/src/platform/database/pipeline.ts';
import { openPostgres } from '../../templates/service/src/platform/database/postgres.ts';
import { reasonOf } from '../../templates/service/src/platform/database/unavailable.ts';
import { makeDatabase } from './support/project.ts';

/** Half of these connections are shared. */
const SIZE = 8;
const SHARED = 4;
/** Milliseconds: far less than a lock or a statement may take, far more than one of these needs. */
const SOON = 1_000;
const DIVISION_BY_ZERO = '22012';

const url = await makeDatabase('pipeline');
const lost: unknown[] = [];
const database: OpenDatabase = openPostgres(url, SIZE, (error) => lost.push(error));
await database.query({ text: 'create table "held" ("id" integer)' });
afterAll(() => database.close());
beforeEach(() => lost.splice(0));

interface Answer {
  readonly value: number;
  readonly connection: number;
}

const READ = {
  prepared: true,
  pipelined: true,
  text: 'select 60 / $1::integer * $1::integer as "value", pg_backend_pid() as "connection"',
};
const read = async (value: number): Promise<Answer> => {
  const [answer] = await database.query<Answer>(READ, [value]);
  return answer as Answer;
};

const READ_HELD = {
  prepared: true,
  pipelined: true,
  text: 'select count(*) as "count" from "held"',
};
const SLOW = {
  prepared: true,
  pipelined: true,
  text: 'select $1::integer as "value", pg_sleep(3)::text',
};

/** Runs some work while nobody else can read the table `held`. */
const whileHeld = (work: () => Promise<void>): Promise<void> =>
  database.transaction(async (transaction) => {
    await transaction.query({ text: 'lock table "held" in access exclusive mode' });
    await work();
  });

/** Shared connections without timeouts. */
const makePipeline = (size: number): Pipeline =>
  new Pipeline(size, {
    create: () => new pg.Client({ connectionString: url, pipeline: true }),
    onConnect: async () => {},
    onLost: () => {},
  });

/** The sessions that wait for a lock, or sleep. */
const waiting = async (): Promise<number[]> => {
  const rows = await database.query<{ pid: number }>({
    text: `select "pid" from pg_stat_activity where datname = 'pipeline'
      and ("wait_event_type" = 'Lock' or "wait_event" = 'PgSleep')`,
  });
  return rows.map(({ pid }) => pid);
};

/** Waits for it, and says how long that took in milliseconds. */
async function timed(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work;
  return performance.now() - begun;
}

const numbers = (most: number): number[] => Array.from({ length: most }, (_, at) => at + 1);
const divisors = numbers(10).flatMap(() => [1, 2, 3, 4, 5, 6]);

test('concurrent reads share a few connections, and each gets its own answer', async () => {
  const values = numbers(200);
  const text = 'select $1::integer as "value", pg_backend_pid() as "connection"';
  const answers = await Promise.all(
    values.map((value) => database.query<Answer>({ ...READ, text }, [value])),
  );
  expect(answers.map(([answer]) => answer?.value)).toEqual(values);
  const connections = new Set(answers.map(([answer]) => answer?.connection));
  expect(connections.size).toBeLessThanOrEqual(SIZE);
});

test('sends the statements of one event loop turn with one write', async () => {
  const server = new URL(url);
  let chunks = 0;
  const proxy = createServer((near) => {
    const far = connect(Number(server.port), server.hostname);
    near.on('data', () => chunks++);
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    proxy.close();
  });
  await once(proxy, 'listening');
  const through = new URL(url);
  through.port = String((proxy.address() as AddressInfo).port);
  // One of two connections is shared.
  const counted = openPostgres(through.href, 2, () => {});
  try {
    await counted.query(READ, [1]);
    chunks = 0;
    const rows = await Promise.all(numbers(60).map(() => counted.query<Answer>(READ, [2])));
    expect(rows.map(([row]) => row?.value)).toEqual(numbers(60).map(() => 60));
    expect(chunks).toBe(1);
  } finally {
    await counted.close();
  }
});

test('a read that fails affects no other', async () => {
  const asked = divisors.map((value, at) => (at % 7 === 3 ? 0 : value));
  const said = await Promise.all(
    asked.map((value) =>
      read(value).then(
        (answer) => answer.value,
        (error: { code: string }) => error.code,
      ),
    ),
  );
  expect(said).toEqual(asked.map((value) => (value === 0 ? DIVISION_BY_ZERO : 60)));
  const answers = await Promise.all(divisors.map(read));
  expect(answers.map(({ value }) => value)).toEqual(divisors.map(() => 60));
});

test('a read whose text cannot be prepared affects no other', async () => {
  const wrong = { ...READ, text: 'select "nothing" from "nowhere"' };
  const said = await Promise.allSettled(
    numbers(20).map((value) => (value % 2 === 0 ? database.query(wrong) : read(value))),
  );
  expect(said.map(({ status }) => status)).toEqual(
    numbers(20).map((value) => (value % 2 === 0 ? 'rejected' : 'fulfilled')),
  );
});

test('reads that wait for a lock delay no other, nor a change', async () => {
  let held: Promise<unknown[]>[] = [];
  await whileHeld(async () => {
    held = [database.query(READ_HELD), database.query(READ_HELD)];
    expect(await timed(Promise.all(divisors.map(read)))).toBeLessThan(SOON);
    await expect.poll(async () => (await waiting()).length).toBe(held.length);
    expect(await timed(Promise.all(divisors.map(read)))).toBeLessThan(SOON);
    await database.transaction((inside) => inside.query({ text: 'select 1' }));
  });
  expect(await Promise.all(held)).toEqual(held.map(() => [{ count: 0 }]));
});

test('pipelines an insert only while the pool has no free connection', async () => {
  const overflow = { ...READ, pipelined: 'overflow' } as const;
  const connectionOf = async (statement: Statement): Promise<number | undefined> =>
    (await database.query<Answer>(statement, [1]))[0]?.connection;
  const inPool = new Set<number | undefined>();
  /** The connection of an overflow once so many connections of the pool are in transactions. */
  const takeAll = async (left: number): Promise<number | undefined> => {
    const connection = await connectionOf(overflow);
    if (left === 0) return connection;
    inPool.add(connection);
    return database.transaction(async (transaction) => {
      const [row] = await transaction.query<Answer>(READ, [1]);
      inPool.add(row?.connection);
      return takeAll(left - 1);
    });
  };
  const last = await takeAll(SIZE - SHARED);
  expect(inPool.size).toBe(SIZE - SHARED);
  expect(inPool).not.toContain(last);
});

test('slow reads are answered, and others do not wait for them', async () => {
  const slow = numbers(SHARED - 1).map((value) => database.query<Answer>(SLOW, [value]));
  await expect.poll(async () => (await waiting()).length).toBe(SHARED - 1);
  expect(await timed(Promise.all(divisors.map(read)))).toBeLessThan(SOON);
  const values = (await Promise.all(slow)).map(([answer]) => answer?.value);
  expect(values).toEqual(numbers(SHARED - 1));
});

test('shared connections that do not answer get no more statements', async () => {
  const pipeline = makePipeline(2);
  const sleepOn = (connection = pipeline.pick()): Promise<object[]> => {
    if (connection === undefined) throw new Error('no connection is answering');
    return connection.run({ text: 'select pg_sleep(0.5)' });
  };
  const slow = [sleepOn(), sleepOn()];
  await expect.poll(() => pipeline.pick()).toBeUndefined();
  await Promise.all(slow);
  expect(pipeline.pick()).toBeDefined();
  await pipeline.close();
});

test('when a shared connection breaks, its reads fail, and the next ones are answered', async () => {
  const pipeline = makePipeline(1);
  const connection = pipeline.pick();
  if (connection === undefined) throw new Error('the pipeline has no connection');
  const [session] = await connection.run({ text: 'select pg_backend_pid() as "pid"' });
  const ends = Promise.allSettled([
    connection.run({ text: 'select pg_sleep(60)' }),
    ...divisors.map((value) => connection.run(READ, [value])),
  ]);
  await expect.poll(async () => (await waiting()).length).toBe(1);
  const { pid } = session as { pid: number };
  await database.query({ text: 'select pg_terminate_backend($1)' }, [pid]);
  for (const end of await ends) {
    expect(end).toMatchObject({ status: 'rejected' });
    expect(reasonOf((end as PromiseRejectedResult).reason)).toBe('unreachable');
  }
  const answers = await Promise.all(divisors.map((value) => connection.run(READ, [value])));
  expect(answers).toMatchObject(divisors.map(() => [{ value: 60 }]));
  await pipeline.close();
});

test.each(['EPIPE', 'ECONNRESET', '57P01'])(
  'a connection that breaks with %s is unreachable',
  (code) => {
    expect(reasonOf(Object.assign(new Error('the connection broke'), { code }))).toBe(
      'unreachable',
    );
  },
);

test('a shared connection that breaks while it is idle is reported and replaced', async () => {
  const { connection } = await read(1);
  await database.query({ text: 'select pg_terminate_backend($1)' }, [connection]);
  await expect.poll(() => lost).toHaveLength(1);
  expect(await read(1)).toMatchObject({ value: 60 });
});

test('an unreachable server fails each read at once, until it is there', async () => {
  const nobody = new URL(url);
  nobody.port = '1';
  const away = openPostgres(nobody.href, SIZE, () => {});
  for (let time = 0; time < 2; time++) {
    const ends = await Promise.allSettled(numbers(20).map(() => away.query(READ, [1])));
    for (const end of ends) expect(end).toMatchObject({ reason: { reason: 'unreachable' } });
  }
  expect(away.connectionStats()).toEqual({ used: 0, idle: 0, waiting: 0 });
  await away.close();
});

test('refuses statements beyond 300 that wait for a connection, and answers the others', async () => {
  const pool = openPostgres(url, 2, () => {});
  try {
    const ended = new AbortController();
    const end = new Promise((resolve) => ended.signal.addEventListener('abort', resolve));
    const kept = pool.transaction(() => end);
    await expect.poll(() => pool.connectionStats()).toMatchObject({ used: 1 });
    const all = Promise.allSettled(numbers(310).map(() => pool.query({ text: 'select 1' })));
    ended.abort();
    await kept;
    const refused = (await all).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(10);
    for (const refusal of refused) expect(refusal).toMatchObject({ reason: { reason: 'busy' } });
  } finally {
    await pool.close();
  }
});

test.each([true, false])(
  'a prepared statement is prepared anew after a migration (pipelined: %s)',
  async (pipelined) => {
    const statement = { prepared: true, pipelined, text: 'select "amount" from "changing"' };
    await database.query({
      text: 'drop table if exists "changing"; create table "changing" as select 1 as "amount"',
    });
    const all = (): Promise<unknown[]> =>
      Promise.all(numbers(100).map(() => database.query(statement)));
    expect(await all()).toEqual(numbers(100).map(() => [{ amount: 1 }]));
    await database.query({ text: 'alter table "changing" alter column "amount" type text' });
    expect(await all()).toEqual(numbers(100).map(() => [{ amount: '1' }]));
  },
);

test('a prepared statement is prepared anew after the session lost it', async () => {
  const single = openPostgres(url, 1, () => {});
  try {
    for (let time = 0; time < 2; time++) {
      expect(await single.query(READ, [2])).toMatchObject([{ value: 60 }]);
      await single.query({ text: 'deallocate all' });
    }
  } finally {
    await single.close();
  }
});

test('a database that is being closed answers the reads in flight, and no more after that', async () => {
  const closing = openPostgres(url, SIZE, () => {});
  const answers = Promise.allSettled(numbers(40).map(() => closing.query(READ, [1])));
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  await closing.close();
  for (const answer of await answers) expect(answer).toMatchObject({ status: 'fulfilled' });
  await expect(closing.query(READ, [1])).rejects.toMatchObject({ reason: 'unreachable' });
});
