/** Transactions, whose statements travel together: on PGlite and on PostgreSQL the same. */
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { createAndKeep } from '../../templates/service/src/database/answers.ts';
import type {
  Database,
  OpenDatabase,
  Transaction,
} from '../../templates/service/src/database/database.ts';
import { overPglite } from '../../templates/service/src/database/pglite.ts';
import { openPostgres } from '../../templates/service/src/database/postgres.ts';
import { makeDatabase } from './support/project.ts';

/** SQLSTATE (PostgreSQL's documentation, appendix A). */
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

const INSERT = {
  keep: true,
  text: 'insert into "made" ("id", "parent") values ($1, $2) returning "id"',
};
const READ = { keep: true, text: 'select $1::integer as "value"' };

const HERE = 'transactions.test.ts';

const databases: readonly (readonly [string, OpenDatabase])[] = [
  ['PGlite', overPglite(await PGlite.create(), () => {})],
  ['PostgreSQL', openPostgres(await makeDatabase('transactions'), 2, () => {})],
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
  const errorOf = (work: (transaction: Transaction) => Promise<unknown>): Promise<unknown> =>
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

  test('what is asked for at once is done in turn, and each has its own rows', async () => {
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

  test('where one fails of those that are asked for at once, nothing counts', async () => {
    const error = await errorOf((transaction) =>
      Promise.all([insert(transaction, 1), insert(transaction, 1), insert(transaction, 2)]),
    );
    expect(error).toMatchObject({ code: UNIQUE_VIOLATION });
    expect(await made()).toEqual([]);
    await database.transaction((transaction) => insert(transaction, 3));
    expect(await made()).toEqual([3]);
  });

  test('where nothing is kept prepared any more, it is a transaction all the same', async () => {
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

  test('an error tells where its statement was asked for', async () => {
    const ask = (inside: Database): Promise<unknown> => insert(inside, 1);
    await ask(database);
    const outside = ask(database);
    await expect(outside).rejects.toMatchObject({
      stack: expect.stringContaining(HERE) as unknown,
    });
    const error = await errorOf(ask);
    expect(error).toMatchObject({ stack: expect.stringContaining(HERE) as unknown });
    const quick = database.query({ keep: true, quick: true, text: 'select 1 / 0' });
    await expect(quick.catch((reason: unknown) => (reason as Error).stack)).resolves.not.toContain(
      'pg-protocol',
    );
  });

  test('one that goes on after an error, but for a part, is not told as done', async () => {
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
    expect(await database.query({ keep: true, text: '' })).toEqual([]);
    expect(await made()).toEqual([]);
  });

  test('work that throws before its statement has left undoes it', async () => {
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

  test('a part that fails is undone alone, and its references are checked at its end', async () => {
    const codes = await database.transaction(async (transaction) => {
      await insert(transaction, 1);
      const errors: unknown[] = [];
      const attempt = (work: (inside: Database) => Promise<unknown>): Promise<unknown> =>
        transaction.part(work).catch((error: unknown) => errors.push(error));
      await attempt((inside) => Promise.all([insert(inside, 2), insert(inside, 1)]));
      await attempt((inside) => insert(inside, 3, 404));
      await attempt((inside) => inside.insert(INSERT, [4, 404]));
      await attempt((inside) => inside.insert(INSERT, [1, null]));
      await attempt(() => Promise.reject(Object.assign(new Error('no'), { code: 'no' })));
      await attempt((inside) => inside.part((innermost) => insert(innermost, 1)));
      await attempt(async (inside) => {
        await inside.insert(INSERT, [8, null]);
        throw Object.assign(new Error('late'), { code: 'late' });
      });
      await attempt((inside) => inside.insert(INSERT, [5, null]));
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
    expect(await made()).toEqual([1, 5, 6, 7, 8]);
  });

  test('the last statement goes with the commit: where it fails, nothing counts', async () => {
    await database.transaction(async (transaction) => {
      await insert(transaction, 1);
      transaction.last(INSERT, [2, null]);
    });
    expect(await made()).toEqual([1, 2]);
    await database.transaction(async (transaction) => transaction.last(INSERT, [9, null]));
    expect(await made()).toEqual([1, 2, 9]);
    const error = await errorOf(async (transaction) => {
      await insert(transaction, 3);
      transaction.last(INSERT, [2, null]);
    });
    expect(error).toMatchObject({ code: UNIQUE_VIOLATION });
    expect(await made()).toEqual([1, 2, 9]);
  });

  test('an answer that somebody else has kept meanwhile undoes the creation', async () => {
    await database.query({
      text: `drop table if exists "_answers";
        create table "_answers" ("id" text primary key, "content" text, "status" integer,
          "location" text, "etag" text, "body" text, "created_at" timestamptz default now())`,
    });
    const repeatable = { id: '0123456789abcdef', content: 'what it says' };
    const answer = { status: 201, location: 'made/1', etag: null, body: '{}' };
    const outrun = createAndKeep(database, repeatable, async (transaction) => {
      await insert(transaction, 1);
      const text = 'insert into "_answers" ("id") values ($1)';
      await transaction.query({ text }, [repeatable.id]);
      return answer;
    });
    await expect(outrun).rejects.toMatchObject({ statusCode: 409 });
    expect(await made()).toEqual([]);
    const create = async (transaction: Database): Promise<typeof answer> => {
      await insert(transaction, 1);
      return answer;
    };
    expect((await createAndKeep(database, repeatable, create)).isNew).toBe(true);
    const again = await createAndKeep(database, repeatable, create);
    expect(again).toMatchObject({ isNew: false, kept: { ...answer, content: 'what it says' } });
    expect(await made()).toEqual([1]);
  });

  test('one without statements takes and leaves nothing', async () => {
    expect(await database.transaction(async () => 'done')).toBe('done');
    expect(await errorOf(() => Promise.reject(new Error('no')))).toMatchObject({ message: 'no' });
    expect(await made()).toEqual([]);
  });
});
