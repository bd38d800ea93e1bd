/** The database as the rest of the service sees it: statements, and transactions. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { Pool } from 'pg';

import { ask, traced } from './batch.ts';
import type { Asked } from './batch.ts';
import { connect, lend } from './connections.ts';
import { lanes } from './lanes.ts';
import { run, runKept } from './statements.ts';
import type { Statement } from './statements.ts';
import { inTime, inTransaction } from './transaction.ts';
import { DatabaseUnavailable, isTryAgain, reasonOf } from './unavailable.ts';

/** What runs statements. Where the database is away or busy, both throw `DatabaseUnavailable`. */
export interface Database {
  /** Runs a statement; gives its rows. */
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs the statement that adds an item; gives its row. Where that is all there is to do it goes
   * with those of others (`lanes.ts`), and where it is a part of a transaction, that ends with it.
   */
  insert<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs several statements as one: all of them count, or none where the work throws. The work is
   * done again where the database finds that it and another transaction were in each other's way.
   * @param timeout milliseconds that all of the work has: meanwhile it keeps a connection, and
   * perhaps locks, from others.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    timeout?: number,
  ): Promise<Result>;
  /**
   * Within a transaction: runs a part of it that counts by itself, one at a time. References are
   * checked at its end, and where it throws, it alone is undone. Elsewhere it is what a statement is
   * anyway.
   */
  part<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
}

/** The database within a transaction. */
export interface Transaction extends Database {
  /**
   * Runs a statement together with the next one, which is the commit where it is the last. Its rows
   * are nobody's, and where it fails nothing of the transaction counts.
   */
  last(statement: Statement, values: readonly unknown[]): void;
}

/** How many connections there are, and how many wait for one. */
export interface PoolFigures {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/** A database that connections are taken from, and that ends. */
export interface OpenDatabase extends Database {
  /** @throws `DatabaseUnavailable` where the database does not answer within this many milliseconds. */
  ping(timeout: number): Promise<void>;
  figures(): PoolFigures;
  close(): Promise<void>;
}

/** How often a statement is tried that was in the way of another. */
const TRIES = 4;
/** Milliseconds before it is tried again, at most; more each time. */
const PAUSE = 20;
/** Milliseconds that the work of a transaction has. */
const TRANSACTION_TIMEOUT = 15_000;

/** The same interface over any pool of the `pg` package. */
export function fromPool(pool: Pool, close: () => Promise<void>): OpenDatabase {
  // A connection that breaks tells so as an event too, which nobody would hear while it is lent, and
  // an error that nobody hears ends the process. What runs on it then is told by its own error.
  pool.on('connect', (client) => client.on('error', () => {}));
  const alone = async (asked: Asked): Promise<object[]> =>
    lend(connect(pool), (client) => runKept(client, asked));
  const [read, insert] = [lanes(pool, 'read', alone), lanes(pool, 'insert', alone)];
  const database: OpenDatabase = {
    query: <Row>(statement: Statement, values?: readonly unknown[]) =>
      trying(() =>
        statement.quick === true
          ? read(ask(statement.text, values))
          : lend(connect(pool), (client) => run(client, statement, values)),
      ) as Promise<Row[]>,
    insert: <Row>({ text }: Statement, values: readonly unknown[]) =>
      trying(() => insert(ask(text, values))) as Promise<Row[]>,
    transaction: (work, timeout = TRANSACTION_TIMEOUT) =>
      trying(() => lend(connect(pool), (client) => inTransaction(client, work, timeout))),
    part: (work) => work(database),
    async ping(timeout) {
      await trying(() => {
        const asked = lend(pool.connect(), (client) => run(client, { text: 'select 1', timeout }));
        return inTime(asked, timeout, 'away', 'the database does not answer');
      });
    },
    figures: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close,
  };
  return database;
}

/** Tries again what failed only because of what others did at the same time. */
async function trying<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== undefined) {
        throw new DatabaseUnavailable(reason, `the database is ${reason}`, error);
      }
      if (!isTryAgain(error)) throw traced(error);
      if (attempt === TRIES) {
        throw new DatabaseUnavailable('busy', 'others were faster each time', error);
      }
      await sleep(Math.random() * PAUSE * attempt);
    }
  }
}
