/** Transactions and savepoints, which are the same on PGlite and on PostgreSQL. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { PGlite } from '@electric-sql/pglite';
import { execa } from 'execa';
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest';

import type {
  Database,
  OpenDatabase,
} from '../../templates/service/src/platform/database/database.ts';
import { changeWithHooks } from '../../templates/service/src/platform/database/hooks.ts';
import { overPglite } from '../../templates/service/src/platform/database/pglite.ts';
import { openPostgres } from '../../templates/service/src/platform/database/postgres.ts';
import { makeDatabase, ROOT } from './support/project.ts';

/** What is stored of a creation with an `Idempotency-Key`. */
interface Answer {
  readonly status: number;
  readonly location: string;
  readonly etag: string | null;
  readonly body: string;
}

/** The function of an emitted service. */
type FindOrCreate = (
  database: Database,
  request: { readonly id: string; readonly content: string },
  create: (transaction: Database) => Promise<Answer>,
) => Promise<{ readonly answer: Answer; readonly isNew: boolean }>;

const project = path.join(inject('workshop'), 'transactions');
const words = [
  '--no-install',
  '--no-git',
  '--yes',
  '--from',
  path.join(ROOT, 'examples/minimal.yaml'),
];
await execa(inject('command'), ['new', project, ...words]);
const { findOrCreate } = (await import(
  path.join(project, 'src/platform/database/idempotency-store.ts')
)) as { readonly findOrCreate: FindOrCreate };

/** SQLSTATE (PostgreSQL's documentation, appendix A). */
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

const INSERT = {
  prepared: true,
  text: 'insert into "made" ("id", "parent") values ($1, $2) returning "id"',
};
const READ = { prepared: true, text: 'select $1::integer as "value"' };

const HERE = 'transactions.test.ts';

/** What `OnError` of both databases was called with. */
const reported: (readonly [unknown, string])[] = [];
const report = (error: unknown, message: string): void => void reported.push([error, message]);

const databases: readonly (readonly [string, OpenDatabase])[] = [
  ['PGlite', overPglite(await PGlite.create(), () => {}, report)],
  ['PostgreSQL', openPostgres(await makeDatabase('transactions'), 2, report)],
];

describe.each(databases)('%s', (_name, database) => {
  const insert = async (inside: Database, id: number, parent: number | null = null) => {
    await inside.query(INSERT, [id, parent]);
  };
  const made = async (): Promise<number[]> => {
    const rows = await database.query<{ id: number }>({
      text: 'select "id" from "made" order by 1',
    });
    return rows.map(({ id }) => id);
  };
  /** What a transaction throws. */
  const errorOf = (work: (transaction: Database) => Promise<unknown>): Promise<unknown> =>
    database.transaction(work).then(
      () => undefined,
      (error: unknown) => error,
    );

  beforeEach(async () => {
    await database.query({
      text: `drop table if exists "made";
        create table "made" ("id" integer primary key,
          "parent" integer references "made" deferrable initially deferred)`,
    });
  });
  afterAll(() => database.close());

  test('concurrent statements run in order, and each gets its own rows', async () => {
    const values = [3, 1, 2, 1];
    const [rows, text] = await database.transaction((transaction) =>
      Promise.all([
        Promise.all(values.map((value) => transaction.query(READ, [value]))),
        transaction.query({ text: 'select 4 as "value"; ' }),
      ]),
    );
    expect(rows).toEqual(values.map((value) => [{ value }]));
    expect(text).toEqual([{ value: 4 }]);
  });

  test('when one of several concurrent statements fails, all are rolled back', async () => {
    const error = await errorOf((transaction) =>
      Promise.all([insert(transaction, 1), insert(transaction, 1), insert(transaction, 2)]),
    );
    expect(error).toMatchObject({ code: UNIQUE_VIOLATION });
    expect(await made()).toEqual([]);
    await database.transaction((transaction) => insert(transaction, 3));
    expect(await made()).toEqual([3]);
  });

  test('rolls back after the prepared statements of the session are lost', async () => {
    const TEXT = { text: 'insert into "made" ("id") values (1)' };
    for (let time = 0; time < 2; time++) {
      await errorOf(async (transaction) => {
        await insert(transaction, 2);
        await transaction.query({ text: 'deallocate all' });
        throw new Error('no');
      });
      await errorOf(async (transaction) => {
        await transaction.query(TEXT);
        throw new Error('no');
      });
      expect(await made()).toEqual([]);
    }
  });

  test('the stack of an error leads to the code that ran the statement', async () => {
    const ask = (inside: Database): Promise<unknown> => insert(inside, 1);
    await ask(database);
    const outside = ask(database);
    await expect(outside).rejects.toMatchObject({
      stack: expect.stringContaining(HERE) as unknown,
    });
    const error = await errorOf(ask);
    expect(error).toMatchObject({ stack: expect.stringContaining(HERE) as unknown });
    const pipelined = database.query({ prepared: true, pipelined: true, text: 'select 1 / 0' });
    await expect(pipelined).rejects.toMatchObject({
      stack: expect.stringContaining(HERE) as unknown,
    });
  });

  test('fails if a statement failed outside of a savepoint, even if that error was caught', async () => {
    const error = await errorOf(async (transaction) => {
      await insert(transaction, 1);
      await insert(transaction, 1).catch(() => {});
    });
    expect(error).toMatchObject({ message: expect.stringContaining('was rolled back') as unknown });
    expect(await made()).toEqual([]);
    await database.transaction((transaction) => insert(transaction, 1));
    expect(await made()).toEqual([1]);
  });

  test('a statement that does nothing has no rows', async () => {
    expect(await database.query({ prepared: true, text: '' })).toEqual([]);
    expect(await made()).toEqual([]);
  });

  test('work that throws while a statement is in flight rolls it back', async () => {
    const error = await errorOf((transaction) => {
      insert(transaction, 1).catch(() => {});
      throw new Error('no');
    });
    expect(error).toMatchObject({ message: 'no' });
    expect(await made()).toEqual([]);
  });

  test('work that goes on after its transaction has ended changes nothing any more', async () => {
    let later: Promise<unknown> = Promise.resolve();
    await errorOf(async (transaction) => {
      later = insert(transaction, 1).then(() => new Promise((resolve) => setTimeout(resolve, 20)));
      later = later.then(() => insert(transaction, 2));
      later.catch(() => {});
      throw new Error('no');
    });
    await expect(later).rejects.toThrow('the transaction of this statement is over');
    expect(await made()).toEqual([]);
    const kept = await database.transaction(async (transaction) => transaction);
    expect(() => kept.afterCommit(() => {})).toThrow('is over');
  });

  test('a reference that leads nowhere is told at the commit', async () => {
    const error = await errorOf((transaction) => insert(transaction, 1, 404));
    expect(error).toMatchObject({ code: FOREIGN_KEY_VIOLATION });
    await database.transaction(async (transaction) => {
      await insert(transaction, 1, 2);
      await insert(transaction, 2);
    });
    expect(await made()).toEqual([1, 2]);
  });

  test('a savepoint that fails is rolled back alone, and references are checked at its end', async () => {
    const codes = await database.transaction(async (transaction) => {
      await insert(transaction, 1);
      const errors: unknown[] = [];
      const attempt = (work: (inside: Database) => Promise<unknown>): Promise<unknown> =>
        transaction.savepoint(work).catch((error: unknown) => errors.push(error));
      await attempt((inside) => Promise.all([insert(inside, 2), insert(inside, 1)]));
      await attempt((inside) => insert(inside, 3, 404));
      await attempt((inside) => inside.query(INSERT, [4, 404]));
      await attempt((inside) => inside.query(INSERT, [1, null]));
      await attempt(() => Promise.reject(Object.assign(new Error('no'), { code: 'no' })));
      await attempt((inside) => inside.savepoint((innermost) => insert(innermost, 1)));
      await attempt(async (inside) => {
        await inside.query(INSERT, [8, null]);
        throw Object.assign(new Error('late'), { code: 'late' });
      });
      await attempt((inside) => inside.query(INSERT, [5, null]));
      await attempt((inside) => insert(inside, 6, 1));
      await insert(transaction, 7);
      return errors.map((error) => (error as { code: string }).code);
    });
    expect(codes).toEqual([
      UNIQUE_VIOLATION,
      FOREIGN_KEY_VIOLATION,
      FOREIGN_KEY_VIOLATION,
      UNIQUE_VIOLATION,
      'no',
      UNIQUE_VIOLATION,
      'late',
    ]);
    expect(await made()).toEqual([1, 5, 6, 7]);
  });

  test('a change with hooks is undone with all that its hooks did, and nothing else', async () => {
    const hook = (): void => {};
    const error = await database.transaction(async (transaction) => {
      await insert(transaction, 1);
      const refused = changeWithHooks(
        transaction,
        undefined,
        [hook],
        async ({ database: inside }) => {
          await insert(inside, 2);
          await insert(inside, 1);
        },
      );
      const reason: unknown = await refused.catch((thrown: unknown) => thrown);
      await changeWithHooks(transaction, undefined, [undefined, hook], ({ database: inside }) =>
        insert(inside, 4),
      );
      return reason;
    });
    expect(error).toMatchObject({ code: UNIQUE_VIOLATION });
    expect(await made()).toEqual([1, 4]);
  });

  test.each([
    ['with a hook a change is one transaction', [undefined, (): void => {}], []],
    ['without hooks it is its statements alone', [undefined, undefined], [1]],
  ])('%s', async (_title, hooks, left) => {
    const failed = changeWithHooks(database, undefined, hooks, async ({ database: inside }) => {
      await insert(inside, 1);
      throw new Error('the hook fails');
    });
    await expect(failed).rejects.toThrow('the hook fails');
    expect(await made()).toEqual(left);
  });

  test('work after the commit runs once and in order, and can use the database', async () => {
    const found: unknown[] = [];
    const result = await database.transaction(async (transaction) => {
      transaction.afterCommit(async () => void found.push('first', await made()));
      await insert(transaction, 1);
      await transaction.savepoint(async (inside) =>
        inside.afterCommit(() => void found.push('second')),
      );
      await transaction.transaction(async (inner) =>
        inner.afterCommit(() => void found.push('third')),
      );
      expect(found).toEqual([]);
      return 'done';
    });
    // The transaction resolves after that work.
    expect([result, ...found]).toEqual(['done', 'first', [1], 'second', 'third']);
  });

  test('work after the commit does not run for what is rolled back', async () => {
    const found: string[] = [];
    const note = (inside: Database, text: string): void =>
      inside.afterCommit(() => void found.push(text));
    await errorOf(async (transaction) => {
      note(transaction, 'rolled back');
      throw new Error('no');
    });
    // The commit itself fails.
    await errorOf(async (transaction) => {
      note(transaction, 'refused');
      await insert(transaction, 1, 404);
    });
    await database.transaction(async (transaction) => {
      note(transaction, 'before');
      const failing = transaction.savepoint(async (inside) => {
        note(inside, 'in the savepoint');
        await inside.savepoint(async (innermost) => note(innermost, 'in the innermost'));
        await insert(inside, 3, 404);
      });
      await failing.catch(() => {});
      note(transaction, 'after');
    });
    let tries = 0;
    await database.transaction(async (transaction) => {
      tries += 1;
      note(transaction, `try ${tries}`);
      if (tries < 3) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    expect(found).toEqual(['before', 'after', 'try 3']);
  });

  test('an error after the commit is reported, and fails neither the transaction nor other work', async () => {
    const error = new Error('the receiver is away');
    const late = new Error('late');
    let isDone = false;
    reported.length = 0;
    await database.transaction(async (transaction) => {
      await insert(transaction, 1);
      transaction.afterCommit(() => {
        throw error;
      });
      transaction.afterCommit(() => Promise.reject(late));
      transaction.afterCommit(() => void (isDone = true));
    });
    const message = 'work after a commit failed';
    expect(reported).toEqual([
      [error, message],
      [late, message],
    ]);
    expect([await made(), isDone]).toEqual([[1], true]);
    // Outside of a transaction it runs at once.
    database.afterCommit(() => {
      throw error;
    });
    expect(reported).toHaveLength(3);
  });

  test('an answer that another request has stored meanwhile undoes the creation', async () => {
    await database.query({
      text: `drop table if exists "_answers";
        create table "_answers" ("id" text primary key, "content" text, "status" integer,
          "location" text, "etag" text, "body" text, "created_at" timestamptz default now())`,
    });
    const request = { id: '0123456789abcdef', content: 'what it says' };
    const answer = { status: 201, location: 'made/1', etag: null, body: '{}' };
    const outrun = findOrCreate(database, request, async (transaction) => {
      await insert(transaction, 1);
      const text = 'insert into "_answers" ("id") values ($1)';
      await transaction.query({ text }, [request.id]);
      return answer;
    });
    await expect(outrun).rejects.toMatchObject({ statusCode: 409 });
    expect(await made()).toEqual([]);
    const create = async (transaction: Database): Promise<typeof answer> => {
      await insert(transaction, 1);
      return answer;
    };
    expect((await findOrCreate(database, request, create)).isNew).toBe(true);
    const again = await findOrCreate(database, request, create);
    expect(again).toMatchObject({ isNew: false, answer: { ...answer, content: 'what it says' } });
    expect(await made()).toEqual([1]);
  });

  test('one without statements takes and leaves nothing', async () => {
    expect(await database.transaction(async () => 'done')).toBe('done');
    expect(await errorOf(() => Promise.reject(new Error('no')))).toMatchObject({ message: 'no' });
    expect(await made()).toEqual([]);
  });
});

test.each([
  ['PGlite', async () => overPglite(await PGlite.create(), () => {})],
  [
    'PostgreSQL with one connection',
    async () => openPostgres(await makeDatabase('single'), 1, () => {}),
  ],
])(
  '%s refuses statements outside of the transaction that runs them, and no others',
  async (_name, open) => {
    const database = await open();
    const select = { text: 'select 1 as "one"' };
    const refusal = /^A transaction keeps the only connection: use the `database` that/;
    let later: Promise<unknown> = Promise.resolve();
    let unrelated: Promise<unknown> = Promise.resolve();
    const waiting = sleep(10).then(() => database.query(select));
    await database.transaction(async (transaction) => {
      await expect(database.query(select)).rejects.toThrow(refusal);
      await expect(database.transaction(async () => {})).rejects.toThrow(refusal);
      await expect(database.savepoint((outer) => outer.query(select))).rejects.toThrow(refusal);
      await sleep(20);
      await expect(database.query(select)).rejects.toThrow(refusal);
      expect(await transaction.savepoint((inside) => inside.query(select))).toEqual([{ one: 1 }]);
      // Work that the transaction starts may go on after it.
      later = sleep(30).then(() => database.query(select));
      unrelated = waiting;
    });
    expect(await Promise.all([later, unrelated])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    await database.close();
  },
);

test.each([
  { statement: 10_000, transaction: 15_000, limits: ['10s', '20s'] },
  { statement: 10_000, transaction: 120_000, limits: ['10s', '50s'] },
  { statement: 60_000, transaction: 120_000, limits: ['30s', '30s'] },
])(
  'the server ends a request with an Idempotency-Key within 60 seconds: %o',
  async ({ limits, ...timeouts }) => {
    const url = await makeDatabase(`idempotency-${timeouts.statement}-${timeouts.transaction}`);
    const database = openPostgres(url, 1, () => {}, { ...timeouts, lock: 5_000 });
    await database.query({
      text: `create table "_answers" ("id" text primary key, "content" text, "status" integer,
        "location" text, "etag" text, "body" text, "created_at" timestamptz default now())`,
    });
    const read = {
      text: `select current_setting('statement_timeout') as "statement",
        current_setting('idle_in_transaction_session_timeout') as "idle"`,
    };
    const request = { id: '0123456789abcdef', content: 'what it says' };
    const answer = { status: 201, location: 'made/1', etag: null, body: '{}' };
    let found: object[] = [];
    await findOrCreate(database, request, async (transaction) => {
      found = await transaction.query(read);
      return answer;
    });
    expect(found).toEqual([{ statement: limits[0], idle: limits[1] }]);
    await database.close();
  },
);

test('the timeouts bound statements, locks and transactions', async () => {
  const url = await makeDatabase('timeouts');
  const owner = openPostgres(url, 1, () => {});
  const timeouts = { statement: 300, lock: 100, transaction: 500 };
  const bounded = openPostgres(url, 1, () => {}, timeouts);
  await owner.query({ text: 'create table "held" ()' });
  const busy = { name: 'DatabaseUnavailable', reason: 'busy' };
  const waiting = { text: 'select pg_sleep(60)' };
  await expect(bounded.query(waiting)).rejects.toMatchObject({ ...busy, cause: { code: '57014' } });
  await owner.transaction(async (transaction) => {
    await transaction.query({ text: 'lock table "held"' });
    const reading = bounded.query({ text: 'select from "held"' });
    await expect(reading).rejects.toMatchObject({ ...busy, cause: { code: '55P03' } });
  });
  for (const database of [
    bounded,
    overPglite(
      await PGlite.create(),
      () => {},
      () => {},
      timeouts,
    ),
  ]) {
    const sleeping = database.transaction(() => sleep(60_000, undefined, { ref: false }));
    await expect(sleeping).rejects.toMatchObject(busy);
    await database.close();
  }
  await owner.close();
});
