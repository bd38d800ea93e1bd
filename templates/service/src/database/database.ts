/** The database as the rest of the service sees it: statements, and transactions. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Pool, PoolClient } from 'pg';

import { DatabaseUnavailable, isSessionFine, isTryAgain, isUnavailable } from './unavailable.ts';

export interface Statement {
  readonly text: string;
  /** Whether the server keeps it prepared: for texts of which there are few. */
  readonly keep?: boolean;
  /** Milliseconds to wait for its end, where that is not as long as for others. */
  readonly timeout?: number;
}

/** What runs statements. Where the database is away, both throw `DatabaseUnavailable`. */
export interface Database {
  /** Runs a statement; gives its rows. */
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs several statements as one: all of them count, or none where the work throws. The work is
   * done again where the database finds that it and another transaction were in each other's way.
   */
  transaction<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
}

/** A database that connections are taken from, and that ends. */
export interface OpenDatabase extends Database {
  close(): Promise<void>;
}

/** How often a statement is tried that was in the way of another. */
const TRIES = 4;
/** Milliseconds before it is tried again, at most; more each time. */
const PAUSE = 20;

/** The same interface over any pool of the `pg` package. */
export function fromPool(pool: Pool, close: () => Promise<void>): OpenDatabase {
  return {
    query: (statement, values) =>
      trying(() => onConnection(pool, (client) => run(client, statement, values))),
    transaction: (work) =>
      trying(() =>
        onConnection(pool, async (client) => {
          await client.query('begin');
          try {
            const result = await work(within(client));
            await client.query('commit');
            return result;
          } catch (error) {
            await client.query('rollback');
            throw error;
          }
        }),
      ),
    close,
  };
}

/** Tries again what failed only because of what others did at the same time. */
async function trying<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (isUnavailable(error)) throw new DatabaseUnavailable(error);
      if (!isTryAgain(error)) throw error;
      if (attempt === TRIES) throw new DatabaseUnavailable(error);
      await sleep(Math.random() * PAUSE * attempt);
    }
  }
}

/** Lends a connection of the pool. After an error only one whose session is fine is kept. */
async function onConnection<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    broken = !isSessionFine(error);
    throw error;
  } finally {
    client.release(broken);
  }
}

/** The connection of a transaction; a transaction within it is the same one. */
function within(client: PoolClient): Database {
  const database: Database = {
    query: (statement, values) => run(client, statement, values),
    transaction: (work) => work(database),
  };
  return database;
}

async function run<Row>(
  client: PoolClient,
  { text, keep = false, timeout }: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await client.query({
    text,
    values: [...values],
    ...(keep && { name: nameOf(text) }),
    ...(timeout !== undefined && { query_timeout: timeout }),
  });
  return rows as Row[];
}

const names = new Map<string, string>();

/** The name that a text is prepared under: one text has one, and two never share it. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(text).digest('base64');
  names.set(text, name);
  return name;
}
