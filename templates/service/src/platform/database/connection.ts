/** Runs statements and transactions on one connection. */
import { createHash, randomUUID } from 'node:crypto';

import type { ClientBase, PoolClient } from 'pg';

import type { Database, Statement } from './database.ts';
import { DatabaseUnavailable, isOutdated, withTimeout } from './unavailable.ts';

/** The names of the prepared statements, by text. */
const names = new Map<string, string>();

/** Runs a statement on a connection and returns its rows. */
export async function runStatement<Row>(
  client: ClientBase,
  { text, prepared, timeout }: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const name = prepared === true ? nameOf(text) : undefined;
  try {
    const { rows } = await client.query<Row & object>({
      text,
      values: [...values],
      ...(name !== undefined && { name }),
      ...(timeout !== undefined && { query_timeout: timeout }),
    });
    return rows;
  } catch (error) {
    // `pg` keeps using the statement that it has prepared. A new name makes it prepare the text again.
    if (isOutdated(error) && names.get(text) === name) names.set(text, randomUUID());
    throw error;
  }
}

/** A digest: behind a connection pooler, one name must mean the same statement in all processes. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64');
    names.set(text, name);
  }
  return name;
}

const BEGIN_SAVEPOINT = { text: 'savepoint "change"' };
// Deferred constraints are checked now, so that their errors are those of this savepoint.
const RELEASE_SAVEPOINT = {
  text: 'set constraints all immediate; set constraints all deferred; release savepoint "change"',
};
const ROLL_BACK_SAVEPOINT = {
  text: 'rollback to savepoint "change"; release savepoint "change"',
};

/** Work that runs after a commit. */
export type AfterCommit = Parameters<Database['afterCommit']>[0];

/**
 * Runs the work in a transaction of a connection, and gives the connection back to its pool.
 * @param timeout milliseconds for the work.
 * @returns also the work of `afterCommit`, for the caller to run.
 */
export async function runTransaction<Result>(
  client: PoolClient,
  work: (transaction: Database) => Promise<Result>,
  timeout: number,
): Promise<{ readonly result: Result; readonly afterCommit: readonly AfterCommit[] }> {
  let isOver = false;
  let isReusable = false;
  const afterCommit: AfterCommit[] = [];
  const requireRunning = (): void => {
    // The connection may be in use by another request by now.
    if (isOver) throw new Error('the transaction of this statement is over');
  };
  const run = async <Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> => {
    requireRunning();
    return runStatement<Row>(client, statement, values);
  };
  const transaction: Database = {
    query: run,
    transaction: (inner) => inner(transaction),
    afterCommit(inner) {
      requireRunning();
      afterCommit.push(inner);
    },
    async savepoint(inner) {
      const before = afterCommit.length;
      await run(BEGIN_SAVEPOINT);
      try {
        const result = await inner(transaction);
        await run(RELEASE_SAVEPOINT);
        return result;
      } catch (error) {
        afterCommit.length = before;
        await run(ROLL_BACK_SAVEPOINT);
        throw error;
      }
    },
  };
  try {
    await client.query('begin');
    const result = await withTimeout(
      work(transaction),
      timeout,
      'busy',
      'a transaction takes too long',
    );
    isOver = true;
    const { command } = await client.query('commit');
    // The server rolls back, without an error, if a statement failed outside of a savepoint.
    if (command !== 'COMMIT') {
      throw new Error('the transaction was rolled back: a statement of it had failed');
    }
    isReusable = true;
    return { result, afterCommit };
  } catch (error) {
    isOver = true;
    // After a timeout a statement may still run: the server rolls back when the connection closes.
    if (!(error instanceof DatabaseUnavailable)) {
      isReusable = await client.query('rollback').then(
        () => true,
        () => false,
      );
    }
    throw error;
  } finally {
    client.release(!isReusable);
  }
}
