/** The `Database` interface over a pool of connections, and a pipeline beside it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Pool, PoolClient } from 'pg';

import type { Database, OnError, OpenDatabase, Statement } from './database.ts';
import type { Pipeline } from './pipeline.ts';
import { runStatement, runTransaction } from './connection.ts';
import type { AfterCommit } from './connection.ts';
import {
  DatabaseUnavailable,
  isSessionFine,
  isStatementLost,
  isTimedOut,
  isTryAgain,
  reasonOf,
  TransactionPooling,
  withTimeout,
} from './unavailable.ts';

/** The maximum number of requests that wait for a connection; more are refused at once. */
const MOST_WAITING = 300;
/** How often work is tried after deadlocks and serialization failures. */
const TRIES = 4;
/** The maximum pause before a retry, in milliseconds; it grows with each attempt. */
const PAUSE = 20;

/**
 * Opens a database over a pool.
 * @param close closes all connections.
 * @param transactionTimeout milliseconds for the work of a transaction.
 * @param onError receives the errors of `afterCommit`.
 * @param pipeline runs the statements that are marked `pipelined`; without it, the pool runs them.
 */
export function openPool(
  pool: Pool,
  close: () => Promise<void>,
  transactionTimeout: number,
  onError: OnError,
  pipeline?: Pipeline,
): OpenDatabase {
  // Without a listener, the error of a connection that breaks while it is in use would end this
  // process. The statement that runs on it fails with the same error.
  pool.on('connect', (client) => client.on('error', () => {}));

  // In a pool of one connection, such as that of PGlite, statements outside of a transaction would wait for its end.
  const running = new AsyncLocalStorage<{ isOver: boolean }>();
  const inside =
    <Result>(work: (transaction: Database) => Promise<Result>) =>
    async (transaction: Database): Promise<Result> => {
      const state = { isOver: false };
      try {
        return await running.run(state, () => work(transaction));
      } finally {
        state.isOver = true;
      }
    };
  const connect = async (): Promise<PoolClient> => {
    if (running.getStore()?.isOver === false) {
      throw new Error(
        'A transaction keeps the only connection: use the `database` that the transaction or the ' +
          'context of the hook gives you.',
      );
    }
    if (pool.waitingCount < MOST_WAITING) return pool.connect();
    throw new DatabaseUnavailable('busy', 'too many statements wait for a connection');
  };
  const isPipelined = ({ pipelined = false }: Statement): boolean =>
    pipelined === 'overflow'
      ? pool.idleCount === 0 && pool.totalCount >= pool.options.max
      : pipelined;
  const run = async <Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> => {
    const shared = isPipelined(statement) ? pipeline?.pick() : undefined;
    if (shared === undefined) return runOn<Row>(connect(), statement, values);
    try {
      return await shared.run<Row>(statement, values);
    } catch (error) {
      // It was slow or waits for a lock: on a connection of its own, no other statement waits for it.
      if (isTimedOut(error)) return runOn<Row>(connect(), statement, values);
      throw error;
    }
  };

  const database: OpenDatabase = {
    isShared: pipeline !== undefined,
    query: <Row>(statement: Statement, values?: readonly unknown[]) =>
      withRetries(() => run<Row>(statement, values)),
    async transaction(work, timeout = transactionTimeout) {
      const { result, afterCommit } = await withRetries(async () =>
        runTransaction(await connect(), pool.options.max > 1 ? work : inside(work), timeout),
      );
      for (const next of afterCommit) await runAfterCommit(next, onError);
      return result;
    },
    async session(work) {
      const client = await connect();
      try {
        return await work({
          query: (statement, values) => runStatement(client, statement, values),
        });
      } finally {
        client.release(true);
      }
    },
    savepoint: (work) => work(database),
    afterCommit: (work) => void runAfterCommit(work, onError),
    async ping(timeout) {
      await withRetries(() => {
        const select = runOn(pool.connect(), { text: 'select 1', timeout });
        return withTimeout(select, timeout, 'unreachable', 'the database does not answer');
      });
    },
    connectionStats() {
      const { used, idle } = pipeline?.connectionStats() ?? { used: 0, idle: 0 };
      return {
        used: pool.totalCount - pool.idleCount + used,
        idle: pool.idleCount + idle,
        waiting: pool.waitingCount,
      };
    },
    close,
  };
  return database;
}

async function runAfterCommit(work: AfterCommit, onError: OnError): Promise<void> {
  try {
    await work();
  } catch (error) {
    onError(error, 'work after a commit failed');
  }
}

/** Runs a statement on a connection of the pool, which is closed if the error leaves it unusable. */
async function runOn<Row>(
  connecting: Promise<PoolClient>,
  statement: Statement,
  values?: readonly unknown[],
): Promise<Row[]> {
  const client = await connecting;
  let isReusable = true;
  try {
    return await runStatement<Row>(client, statement, values);
  } catch (error) {
    isReusable = isSessionFine(error);
    throw error;
  } finally {
    client.release(!isReusable);
  }
}

/** Runs work, and retries it after deadlocks and serialization failures. */
async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof TransactionPooling) throw error;
      const reason = reasonOf(error);
      if (reason !== undefined) {
        throw new DatabaseUnavailable(reason, `the database is ${reason}`, error);
      }
      if (!isTryAgain(error)) throw error;
      if (attempt === TRIES) {
        if (isStatementLost(error)) throw new TransactionPooling(error);
        throw new DatabaseUnavailable(
          'busy',
          `the statement conflicted with concurrent transactions in ${TRIES} attempts`,
          error,
        );
      }
      await sleep(Math.random() * PAUSE * attempt);
    }
  }
}
