/** Reads that share connections to PostgreSQL: each has its own answer, and none waits for long. */
import { afterAll, expect, test } from 'vitest';

import type { OpenDatabase } from '../../templates/service/src/database/database.ts';
import { openPostgres } from '../../templates/service/src/database/postgres.ts';
import { DatabaseUnavailable } from '../../templates/service/src/database/unavailable.ts';
import { makeDatabase } from './support/project.ts';

/** Half of the connections are for lanes, the others for changes. */
const SIZE = 8;
const LANES = 4;

const database: OpenDatabase = openPostgres(await makeDatabase('lanes'), SIZE, () => {});
await database.query({ text: 'create table "held" ("id" integer)' });
afterAll(() => database.close());

interface Answer {
  readonly value: number;
  readonly connection: number;
}

const read = async (value: number): Promise<Answer> => {
  const [answer] = await database.query<Answer>(
    {
      keep: true,
      quick: true,
      text: 'select 60 / $1::integer * $1::integer as "value", pg_backend_pid() as "connection"',
    },
    [value],
  );
  return answer as Answer;
};

/** A read that waits until `whileHeld` is over, and what it says in the end. */
const READ_HELD = { quick: true, text: 'select count(*) as "count" from "held"' };

/** Keeps everybody from reading a table while some work is done. */
const whileHeld = (work: () => Promise<void>): Promise<void> =>
  database.transaction(async (transaction) => {
    await transaction.query({ text: 'lock table "held" in access exclusive mode' });
    await work();
  });

const waiting = async (): Promise<number[]> => {
  const rows = await database.query<{ pid: number }>({
    text: `select "pid" from pg_stat_activity where "wait_event_type" = 'Lock' and datname = 'lanes'`,
  });
  return rows.map(({ pid }) => pid);
};

const divisors = Array.from({ length: 10 }, () => [1, 2, 3, 4, 5, 6]).flat();

test('many at once have few connections, and each its own answer', async () => {
  const answers = await Promise.all(divisors.map(read));
  expect(answers.map(({ value }) => value)).toEqual(divisors.map(() => 60));
  const connections = new Set(answers.map(({ connection }) => connection));
  expect(connections.size).toBeGreaterThan(1);
  expect(connections.size).toBeLessThanOrEqual(LANES);
});

test('one that fails does so alone', async () => {
  const asked = divisors.map((value, at) => (at % 7 === 3 ? 0 : value));
  const said = asked.map((value) =>
    read(value).then(
      (answer) => answer.value,
      (error: { code: string }) => error.code,
    ),
  );
  // SQLSTATE: division by zero.
  expect(await Promise.all(said)).toEqual(asked.map((value) => (value === 0 ? '22012' : 60)));
});

test('one that waits holds up nobody who comes after it, and no change', async () => {
  let held: Promise<unknown[]>[] = [];
  await whileHeld(async () => {
    held = Array.from({ length: LANES }, () => database.query(READ_HELD));
    await expect.poll(async () => (await waiting()).length).toBe(LANES);
    // Long enough for the lanes to be known as slow.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const answers = await Promise.all(divisors.map(read));
    expect(new Set(answers.map(({ value }) => value))).toEqual(new Set([60]));
    await database.transaction((inside) => inside.query({ text: 'select 1' }));
    expect(await waiting()).toHaveLength(LANES);
  });
  expect(await Promise.all(held)).toEqual(held.map(() => [{ count: 0 }]));
});

test('where a connection breaks, its reads say so, and the next ones are answered', async () => {
  await whileHeld(async () => {
    const held = Array.from({ length: LANES * 3 }, () => database.query(READ_HELD));
    const ends = Promise.allSettled(held);
    await expect.poll(async () => (await waiting()).length).toBe(LANES);
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
