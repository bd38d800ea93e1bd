/** Connections to PostgreSQL: a few that requests share for short statements, and a pool for the rest. */
import pg from 'pg';
import type { ClientBase, CustomTypesConfig } from 'pg';

import type { OnError, OpenDatabase, Timeouts } from './database.ts';
import { BatchingSocket, Pipeline, PIPELINE_TIMEOUTS } from './pipeline.ts';
import { openPool } from './pool.ts';
import { refuseTransactionMode } from './pooler.ts';
import { runStatement } from './connection.ts';
import { TIMEOUTS } from './database.ts';

/** Milliseconds that a request waits for a connection before it is answered 503. */
export const CONNECTION_TIMEOUT = 5_000;

/** Milliseconds of silence after which the system sends TCP keep-alive probes. */
const KEEP_ALIVE = 10_000;

/** The maximum number of shared connections; at most half of all connections are shared. */
const MOST_SHARED = 4;

/**
 * Opens the connections to a PostgreSQL server. Each is made when it is first needed.
 * The first one that is made tells whether there is a pooler in transaction mode: then all statements fail.
 * @param size how many connections this process has at most; behind a pooler, the first needs a few more for a moment.
 * @param onError is called when a connection breaks that is not in use, and for errors of `afterCommit`.
 */
export function openPostgres(
  connectionString: string,
  size: number,
  onError: OnError,
  timeouts = TIMEOUTS,
): OpenDatabase {
  const config = {
    connectionString,
    types,
    pipeline: true,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    // The server cancels a statement by itself; this is for a server that cannot be reached.
    query_timeout: timeouts.statement + 1_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
  };
  const onLost = (error: Error): void => onError(error, 'a connection to the database was lost');
  const shared = Math.min(MOST_SHARED, Math.floor(size / 2));
  const short = {
    statement: Math.min(timeouts.statement, PIPELINE_TIMEOUTS.statement),
    lock: Math.min(timeouts.lock, PIPELINE_TIMEOUTS.lock),
    transaction: timeouts.transaction,
  };
  let probe: Promise<void> | undefined;
  const onConnect = async (client: ClientBase, limits: Timeouts): Promise<void> => {
    probe ??= refuseTransactionMode(client, (timeout) => {
      const patience = { connectionTimeoutMillis: timeout, query_timeout: timeout };
      return new pg.Client({ ...config, ...patience });
    });
    try {
      await probe;
    } catch (error) {
      // The next connection probes again: this one may have broken meanwhile.
      probe = undefined;
      throw error;
    }
    await prepareSession(client, limits);
  };
  const pipeline = new Pipeline(shared, {
    create: () => new pg.Client({ ...config, stream: () => new BatchingSocket() }),
    onConnect: (client) => onConnect(client, short),
    onLost,
  });
  const pool = new pg.Pool({
    ...config,
    max: size - shared,
    onConnect: (client) => onConnect(client, timeouts),
  });
  pool.on('error', onLost);
  const close = async (): Promise<void> => {
    await Promise.all([pipeline.close(), pool.end()]);
  };
  return openPool(pool, close, timeouts.transaction, onError, pipeline);
}

/**
 * Configures a session. Values come out the same whatever the settings of the server are: times
 * in UTC, intervals in ISO 8601, numbers with all digits. The server ends a transaction that this
 * process has left open, and releases its locks.
 */
async function prepareSession(
  client: ClientBase,
  { statement, lock, transaction }: Timeouts,
): Promise<void> {
  const text = `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601';
    set extra_float_digits = 1; set statement_timeout = ${statement}; set lock_timeout = ${lock};
    set idle_in_transaction_session_timeout = ${transaction + 5_000}`;
  await runStatement(client, { text, timeout: CONNECTION_TIMEOUT });
}

/** How values of some types are parsed, by the type's OID. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  // Integers of the definitions stay within what a double holds, and counts do anyway.
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.DATE]: (text) => text,
  [pg.types.builtins.FLOAT4]: finiteOrText,
  [pg.types.builtins.FLOAT8]: finiteOrText,
  [pg.types.builtins.TIMESTAMPTZ]: isoTimestamp,
  // Without a time zone, as columns of other programs may be: it is UTC, as in sessions.
  [pg.types.builtins.TIMESTAMP]: (text) =>
    /^[-\d]+ [:.\d]+$/.test(text) ? isoTimestamp(`${text}+00`) : text,
};

/**
 * Parses values into what this service answers in JSON. Only SQL can have stored what JSON numbers or RFC
 * 3339 cannot write (`NaN`, `infinity`, years before 1 or after 9999): it stays the text that PostgreSQL
 * has for it, so that clients never take it for another value, and an update writes back the same.
 */
export const types: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format),
};

/**
 * `2026-01-31 12:00:00.5+00`, as PostgreSQL writes it for the time zone UTC, in ISO 8601 with
 * three digits of a second, or six where the last three are not zero. A list has many of them.
 */
function isoTimestamp(text: string): string {
  if (text[4] !== '-' || !text.endsWith('+00')) return text;
  const day = text.slice(0, 10);
  // All six digits, which is what the clock of the database mostly gives.
  if (text.length === 29) return `${day}T${text.slice(11, 26)}Z`;
  const fraction = text.slice(20, -3);
  const digits = fraction.padEnd(fraction.length > 3 ? 6 : 3, '0');
  return `${day}T${text.slice(11, 19)}.${digits}Z`;
}

/** A number that JSON can write, or else its text. */
function finiteOrText(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}
