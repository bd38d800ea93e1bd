/**
 * Statements that go to PostgreSQL together: each has its own answer, none waits long for another,
 * and of creations that share a commit each counts or fails by itself.
 */
import { afterAll, beforeEach, expect, test } from 'vitest';

import type { OpenDatabase } from '../../templates/service/src/database/database.ts';
import { openPostgres } from '../../templates/service/src/database/postgres.ts';
import { DatabaseUnavailable } from '../../templates/service/src/database/unavailable.ts';
import { makeDatabase } from './support/project.ts';

/** Half of the connections are for lanes of one kind. */
const SIZE = 8;
const LANES = 4;
/** Milliseconds: far less than a lock or a statement may take, far more than one of these needs. */
const SOON = 1_000;

/** SQLSTATE (PostgreSQL's documentation, appendix A). */
const DIVISION_BY_ZERO = '22012';
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

const url = await makeDatabase('lanes');
const database: OpenDatabase = openPostgres(url, SIZE, () => {});
await database.query({
  text: `create table "held" ("id" integer);
    create table "parents" ("id" integer primary key);
    insert into "parents" values (1);
    create table "made" ("id" integer primary key, "code" text unique,
      "parent" integer references "parents" deferrable initially deferred)`,
});
afterAll(() => database.close());
beforeEach(() => database.query({ text: 'delete from "made"' }));

interface Answer {
  readonly value: number;
  readonly connection: number;
}

const READ = {
  keep: true,
  quick: true,
  text: 'select 60 / $1::integer * $1::integer as "value", pg_backend_pid() as "connection"',
};
const read = async (value: number): Promise<Answer> => {
  const [answer] = await database.query<Answer>(READ, [value]);
  return answer as Answer;
};

const INSERT = {
  keep: true,
  text: 'insert into "made" ("id", "code", "parent") values ($1, $2, $3) returning "id", "code"',
};
const insert = (id: number, code = `code ${id}`, parent: number | null = 1): Promise<unknown> =>
  database.insert(INSERT, [id, code, parent]);

/** What came of each: `true`, or the SQLSTATE of its error. */
const outcomes = (work: readonly Promise<unknown>[]): Promise<(string | true)[]> =>
  Promise.all(
    work.map((one) =>
      one.then(
        () => true as const,
        (error: { code: string }) => error.code,
      ),
    ),
  );

const made = async (): Promise<number[]> => {
  const rows = await database.query<{ id: number }>({ text: 'select "id" from "made" order by 1' });
  return rows.map(({ id }) => id);
};

/** A read that waits until `whileHeld` is over, and what it says in the end. */
const READ_HELD = { keep: true, quick: true, text: 'select count(*) as "count" from "held"' };

/** Keeps everybody from reading a table while some work is done. */
const whileHeld = (work: () => Promise<void>): Promise<void> =>
  database.transaction(async (transaction) => {
    await transaction.query({ text: 'lock table "held" in access exclusive mode' });
    await work();
  });

/** The connections that wait for a lock. */
const waiting = async (): Promise<number[]> => {
  const rows = await database.query<{ pid: number }>({
    text: `select "pid" from pg_stat_activity where "wait_event_type" = 'Lock' and datname = 'lanes'`,
  });
  return rows.map(({ pid }) => pid);
};

/** Asks for as many reads as there are lanes, each of which waits on its own. */
async function fillLanes(): Promise<Promise<unknown[]>[]> {
  const held: Promise<unknown[]>[] = [];
  for (let lane = 1; lane <= LANES; lane++) {
    held.push(database.query(READ_HELD));
    await expect.poll(async () => (await waiting()).length).toBe(lane);
  }
  return held;
}

/** Waits for it, and says how long that took in milliseconds. */
async function timed(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work;
  return performance.now() - begun;
}

const numbers = (most: number): number[] => Array.from({ length: most }, (_, at) => at + 1);
const divisors = numbers(10).flatMap(() => [1, 2, 3, 4, 5, 6]);

test('reads at once have few connections, and each its own answer', async () => {
  const answers = await Promise.all(divisors.map(read));
  expect(answers.map(({ value }) => value)).toEqual(divisors.map(() => 60));
  const connections = new Set(answers.map(({ connection }) => connection));
  expect(connections.size).toBeLessThanOrEqual(LANES);
});

test('a read that fails does so alone', async () => {
  const asked = divisors.map((value, at) => (at % 7 === 3 ? 0 : value));
  expect(await outcomes(asked.map(read))).toEqual(
    asked.map((value) => (value === 0 ? DIVISION_BY_ZERO : true)),
  );
  const answers = await Promise.all(divisors.map(read));
  expect(answers.map(({ value }) => value)).toEqual(divisors.map(() => 60));
});

test('reads that wait hold up nobody who comes after them, and no change', async () => {
  let held: Promise<unknown[]>[] = [];
  await whileHeld(async () => {
    held = await fillLanes();
    expect(await timed(Promise.all(divisors.map(read)))).toBeLessThan(SOON);
    await insert(1);
    await database.transaction((inside) => inside.query({ text: 'select 1' }));
    expect(await waiting()).toHaveLength(LANES);
  });
  expect(await Promise.all(held)).toEqual(held.map(() => [{ count: 0 }]));
});

test('a read of a table that somebody keeps to himself holds up none of its batch', async () => {
  let held: Promise<unknown[]> = Promise.resolve([]);
  await whileHeld(async () => {
    held = database.query(READ_HELD);
    expect(await timed(Promise.all([read(1), read(2)]))).toBeLessThan(SOON);
    await expect.poll(async () => (await waiting()).length).toBe(1);
  });
  expect(await held).toEqual([{ count: 0 }]);
});

test('of more than may wait for a connection those beyond are refused, and none is forgotten', async () => {
  const pool = openPostgres(url, 2, () => {});
  try {
    const ended = new AbortController();
    const kept = Array.from({ length: 2 }, () =>
      pool.transaction(async (inside) => {
        await inside.query(READ, [1]);
        await new Promise((resolve) => ended.signal.addEventListener('abort', resolve));
      }),
    );
    await expect.poll(() => pool.figures()).toMatchObject({ used: 2 });
    const same = numbers(20).map((id) => pool.insert(INSERT, [id, 'the same', 1]));
    const creations = Promise.allSettled(same);
    await expect.poll(() => pool.figures().waiting).toBe(1);
    const others = Promise.allSettled(numbers(299).map(() => pool.query({ text: 'select 1' })));
    ended.abort();
    await Promise.all(kept);
    const states = new Set<unknown>();
    for (const end of await creations) {
      if (end.status === 'fulfilled') states.add('made');
      else
        states.add(
          (end.reason as { code?: string; name: string }).code ?? (end.reason as Error).name,
        );
    }
    expect(states).toEqual(new Set(['made', UNIQUE_VIOLATION, 'DatabaseUnavailable']));
    for (const end of await others) expect(end).toMatchObject({ status: 'fulfilled' });
    expect(await made()).toHaveLength(1);
  } finally {
    await pool.close();
  }
});

test('where a connection breaks, its reads say so, and the next ones are answered', async () => {
  await whileHeld(async () => {
    const held = [...(await fillLanes()), ...numbers(LANES).map(() => database.query(READ_HELD))];
    const ends = Promise.allSettled(held);
    await expect.poll(async () => (await waiting()).length).toBe(LANES + 1);
    for (const pid of await waiting()) {
      await database.query({ text: 'select pg_terminate_backend($1)' }, [pid]);
    }
    for (const end of await ends) {
      expect(end).toMatchObject({ reason: expect.any(DatabaseUnavailable) as unknown });
    }
  });
  const answers = await Promise.all(divisors.map(read));
  expect(new Set(answers.map(({ value }) => value))).toEqual(new Set([60]));
  await expect.poll(() => database.figures().waiting).toBe(0);
  expect(database.figures().used).toBe(0);
});

test('creations at once share commits, and each has its own row', async () => {
  const ids = numbers(60);
  const rows = await Promise.all(ids.map((id) => insert(id)));
  expect(rows).toEqual(ids.map((id) => [{ id, code: `code ${id}` }]));
  expect(await made()).toEqual(ids);
  const [told] = await database.query<{ commits: number }>({
    text: 'select count(distinct "xmin"::text) as "commits" from "made"',
  });
  expect(told?.commits).toBeLessThanOrEqual(LANES);
});

test('a creation that fails does so alone, at once or at the commit, and none is made twice', async () => {
  const said = await outcomes([
    insert(1),
    insert(2, 'the same'),
    insert(3, 'the same'),
    insert(4),
    insert(5, 'five', 404),
    insert(6),
  ]);
  expect(new Set(said.slice(1, 3))).toEqual(new Set([UNIQUE_VIOLATION, true]));
  expect(said.toSpliced(1, 2)).toEqual([true, true, FOREIGN_KEY_VIOLATION, true]);
  expect(await made()).toEqual([1, said[1] === true ? 2 : 3, 4, 6]);
});

test('a creation that waits for another transaction holds up no other', async () => {
  let waiter: Promise<unknown> = Promise.resolve();
  await database.transaction(async (transaction) => {
    await transaction.query(INSERT, [100, 'wanted', 1]);
    waiter = outcomes([insert(2, 'wanted')]);
    expect(await timed(Promise.all([insert(1), insert(3), insert(4)]))).toBeLessThan(SOON);
    await expect.poll(async () => (await waiting()).length).toBe(1);
  });
  expect(await waiter).toEqual([UNIQUE_VIOLATION]);
  expect(await made()).toEqual([1, 3, 4, 100]);
});

test('where a connection breaks, its creations are not made, or told as made', async () => {
  await database.transaction(async (transaction) => {
    await transaction.query(INSERT, [100, 'wanted', 1]);
    const ends = Promise.allSettled([insert(1, 'wanted')]);
    await expect.poll(async () => (await waiting()).length).toBe(1);
    for (const pid of await waiting()) {
      await database.query({ text: 'select pg_terminate_backend($1)' }, [pid]);
    }
    expect(await ends).toMatchObject([{ reason: expect.any(DatabaseUnavailable) as unknown }]);
  });
  expect(await made()).toEqual([100]);
});

test('what is kept prepared is prepared anew where the table has changed', async () => {
  const statement = { keep: true, quick: true, text: 'select "amount" from "changing"' };
  await database.query({ text: 'create table "changing" as select 1 as "amount"' });
  const all = (): Promise<unknown[]> =>
    Promise.all(numbers(100).map(() => database.query(statement)));
  expect(await all()).toEqual(numbers(100).map(() => [{ amount: 1 }]));
  await database.query({ text: 'alter table "changing" alter column "amount" type text' });
  expect(await all()).toEqual(numbers(100).map(() => [{ amount: '1' }]));
});

test('what is kept prepared is prepared anew where the server has forgotten it', async () => {
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

test('what would copy data is refused', async () => {
  const copied = database.query({ keep: true, text: 'copy "made" from stdin' });
  await expect(copied).rejects.toMatchObject({
    cause: { message: expect.stringContaining('nothing is copied here') as unknown },
  });
  expect(await made()).toEqual([]);
});

test('a database that is being closed answers what it was asked before', async () => {
  const closing = openPostgres(url, SIZE, () => {});
  const answers = Promise.allSettled(numbers(40).map(() => closing.query(READ, [1])));
  await new Promise((resolve) => setImmediate(resolve));
  await closing.close();
  for (const answer of await answers) expect(answer).toMatchObject({ status: 'fulfilled' });
});
