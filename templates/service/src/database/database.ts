/** The database as the rest of the service sees it: statements, and transactions. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Pool, PoolClient } from 'pg';

import { sharing } from './lanes.ts';
import { DatabaseUnavailable, isSessionFine, isTryAgain, reasonOf } from './unavailable.ts';
import type { Reason } from './unavailable.ts';

export interface Statement {
  readonly text: string;
  /** Whether the server keeps it prepared: for texts of which there are few. */
  readonly keep?: boolean;
  /** Whether it is a read that takes next to no time: it may share a connection with others. */
  readonly quick?: boolean;
  /** Milliseconds to wait for its end, where that is not as long as for others. */
  readonly timeout?: number;
}

/** What runs statements. Where the database is away or busy, both throw `DatabaseUnavailable`. */
export interface Database {
  /** Runs a statement; gives its rows. */
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs several statements as one: all of them count, or none where the work throws. The work is
   * done again where the database finds that it and another transaction were in each other's way.
   * @param timeout milliseconds that all of the work has: meanwhile it keeps a connection, and
   * perhaps locks, from others.
   */
  transaction<Result>(
    work: (database: Database) => Promise<Result>,
    timeout?: number,
  ): Promise<Result>;
  /**
   * Within a transaction: runs a part of it that counts by itself. References are checked at its
   * end, and where it throws, it alone is undone. Elsewhere it is what a statement is anyway.
   */
  part<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
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
/** Statements that wait for a connection at once; more are refused without waiting. */
const MOST_WAITING = 300;
/** Milliseconds that the work of a transaction has. */
const TRANSACTION_TIMEOUT = 15_000;

/** The same interface over any pool of the `pg` package. */
export function fromPool(pool: Pool, close: () => Promise<void>): OpenDatabase {
  // A connection that breaks tells so as an event too, which nobody would hear while it is lent, and
  // an error that nobody hears ends the process. What runs on it then is told by its own error.
  pool.on('connect', (client) => client.on('error', () => {}));
  const share = sharing(pool, () => connect(pool));
  const database: OpenDatabase = {
    query: <Row>(statement: Statement, values?: readonly unknown[]) =>
      trying(() => {
        const work = (client: PoolClient): Promise<Row[]> => run(client, statement, values);
        const shared = statement.quick === true ? share(work) : undefined;
        return shared ?? lend(connect(pool), work);
      }),
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
      if (!isTryAgain(error)) throw error;
      if (attempt === TRIES) {
        throw new DatabaseUnavailable('busy', 'others were faster each time', error);
      }
      await sleep(Math.random() * PAUSE * attempt);
    }
  }
}

/** Takes a connection of the pool, unless too many wait for one already. */
function connect(pool: Pool): Promise<PoolClient> {
  if (pool.waitingCount < MOST_WAITING) return pool.connect();
  throw new DatabaseUnavailable('busy', 'too many statements wait for a connection');
}

/** Works on a connection of the pool. After an error only one whose session is fine is kept. */
async function lend<Result>(
  connection: Promise<PoolClient>,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await connection;
  let isFine = true;
  try {
    return await work(client);
  } catch (error) {
    isFine = error instanceof RolledBack || isSessionFine(error);
    throw error instanceof RolledBack ? error.cause : error;
  } finally {
    client.release(!isFine);
  }
}

/** Work that failed, whatever its error, on a connection that is as it was before it. */
class RolledBack extends Error {}

async function inTransaction<Result>(
  client: PoolClient,
  work: (database: Database) => Promise<Result>,
  timeout: number,
): Promise<Result> {
  await client.query('begin');
  try {
    const result = await inTime(
      work(within(client)),
      timeout,
      'busy',
      'a transaction takes too long',
    );
    await client.query('commit');
    return result;
  } catch (error) {
    // The connection goes, and its transaction with it.
    if (error instanceof DatabaseUnavailable || reasonOf(error) === 'away') throw error;
    await client.query('rollback');
    throw new RolledBack('', { cause: error });
  }
}

/** Waits for a result. @throws `DatabaseUnavailable` where it takes longer than this. */
async function inTime<Result>(
  result: Promise<Result>,
  timeout: number,
  reason: Reason,
  message: string,
): Promise<Result> {
  const timer = new AbortController();
  const late = sleep(timeout, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw new DatabaseUnavailable(reason, message);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    timer.abort();
  }
}

/** The connection of a transaction; a transaction within it is the same one. */
function within(client: PoolClient): Database {
  const database: Database = {
    query: (statement, values) => run(client, statement, values),
    transaction: (work) => work(database),
    part: async (work) => {
      await client.query('savepoint "part"');
      try {
        const result = await work(database);
        await client.query(`set constraints all immediate; set constraints all deferred;
          release savepoint "part"`);
        return result;
      } catch (error) {
        await client.query('rollback to savepoint "part"; release savepoint "part"');
        throw error;
      }
    },
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
