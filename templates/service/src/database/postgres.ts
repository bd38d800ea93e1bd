/** PostgreSQL: a pool of connections. */
import pg from 'pg';

import { fromPool } from './database.ts';
import type { OpenDatabase } from './database.ts';
import { types } from './types.ts';

/** How long a request waits for a connection, in milliseconds, before it is answered 503. */
export const CONNECTION_TIMEOUT = 5_000;

/** How long a statement may take, in milliseconds: a server that hangs is one that is away. */
const STATEMENT_TIMEOUT = 10_000;

/** How long a statement waits for what another one has locked, in milliseconds. */
const LOCK_TIMEOUT = 5_000;

/**
 * How long a transaction may wait for its next statement, in milliseconds: the server ends what a
 * process that is cut off has left open, and with it the locks.
 */
const IDLE_TIMEOUT = 20_000;

/** Milliseconds until the system begins to ask whether the other side of a quiet connection lives. */
const KEEP_ALIVE = 10_000;

/** Values come out the same whatever the server's own settings are: times in UTC, numbers whole. */
const SESSION = {
  text: `set timezone = 'UTC'; set datestyle = 'ISO'; set extra_float_digits = 1;
    set statement_timeout = ${STATEMENT_TIMEOUT}; set lock_timeout = ${LOCK_TIMEOUT};
    set idle_in_transaction_session_timeout = ${IDLE_TIMEOUT}`,
  query_timeout: CONNECTION_TIMEOUT,
};

/**
 * Opens a pool; no connection is made before one is needed.
 * @param size how many connections this process holds at most.
 * @param onLost told of a connection that broke while nobody used it.
 */
export function openPostgres(
  connectionString: string,
  size: number,
  onLost: (error: Error) => void,
): OpenDatabase {
  const pool = new pg.Pool({
    connectionString,
    max: size,
    types,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    // The server ends a statement by itself; this is for one that cannot be reached.
    query_timeout: STATEMENT_TIMEOUT + 1_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
    onConnect: async (client) => {
      await client.query(SESSION);
    },
  });
  // Without a listener, a server that restarts would take this process with it.
  pool.on('error', onLost);
  return fromPool(pool, () => pool.end());
}
