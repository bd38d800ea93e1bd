/** Opens PGlite: PostgreSQL within this process, for development and for small services. */
import { mkdirSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';

import type { OnError, OpenDatabase } from './database.ts';
import { createEmptyPglite } from './empty-pglite.ts';
import { lockFolder } from './lock.ts';
import { openFolder } from './pglite-folder.ts';
import { openPool } from './pool.ts';
import { CONNECTION_TIMEOUT, types } from './postgres.ts';
import { TIMEOUTS } from './database.ts';
import { DatabaseUnavailable, withTimeout } from './unavailable.ts';

const MEBIBYTE = 1024 * 1024;
/** MiB of disk space that must be free: as much as a new database takes. */
const SPACE = 64;

/**
 * Opens a database in a folder, or in memory if the folder is called `memory`.
 * @param onError receives the errors of `afterCommit`.
 * @throws if another process has the folder open, the disk is full, or the folder holds something else
 * or a damaged database.
 */
export async function openPglite(
  folder: string,
  onError: OnError,
  timeouts = TIMEOUTS,
): Promise<OpenDatabase> {
  if (folder === 'memory') return overPglite(await createInMemory(), () => {}, onError, timeouts);
  const path = resolve(folder);
  mkdirSync(path, { recursive: true });
  requireSpace(path, SPACE);
  const unlock = lockFolder(path);
  try {
    const pglite = await openFolder(path, (within) => PGlite.create(within));
    return overPglite(pglite, unlock, onError, timeouts);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Creates an empty database in memory. */
export const createInMemory = (): Promise<PGlite> =>
  createEmptyPglite<PGlite>(
    (options) => PGlite.create(options),
    createRequire(import.meta.url).resolve('@electric-sql/pglite'),
  );

/** The `Database` interface over PGlite: a pool of one connection. */
export function overPglite(
  pglite: PGlite,
  closed: () => void,
  onError: OnError = console.error,
  timeouts = TIMEOUTS,
): OpenDatabase {
  class Client extends pg.Client {
    constructor() {
      super(Object.assign(createPgConfig(pglite), { types, pipeline: true }));
    }
  }
  const pool = new pg.Pool({
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    Client,
    // After an error the pool makes a new client over the same session, which must not take over an
    // open transaction or prepared statements. Intervals are answered in ISO 8601, as in postgres.ts.
    onConnect: async (client) => {
      await client.query("rollback; deallocate all; set intervalstyle = 'iso_8601'");
    },
  });
  const close = async (): Promise<void> => {
    await pool.end();
    await pglite.close();
    closed();
  };
  return watchSession(openPool(pool, close, timeouts.transaction, onError), pglite);
}

/** Milliseconds that the session has to answer a query. */
const PROBE_TIMEOUT = 2_000;
/**
 * SQLSTATE classes after which the session may be broken: system errors (58), internal errors (XX), and invalid cursor
 * states (24), with which PGlite answers every statement once it could not write its log to a full disk.
 */
const MAY_BE_BROKEN = /^(?:58|XX|24)/;

/**
 * Watches for errors that break the session. From then on, all statements fail as unreachable (503), and `broken` aborts.
 * The folder keeps what was committed, but only a new process can open it.
 */
function watchSession(database: OpenDatabase, pglite: PGlite): OpenDatabase {
  const broken = new AbortController();
  const unavailable = (): DatabaseUnavailable =>
    new DatabaseUnavailable('unreachable', 'the session of PGlite is broken', broken.signal.reason);
  const watched = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (broken.signal.aborted) throw unavailable();
    try {
      return await run();
    } catch (error) {
      if (!mayBeBroken(error) || (await works(pglite))) throw error;
      broken.abort(error);
      throw unavailable();
    }
  };
  return {
    ...database,
    broken: broken.signal,
    query: (statement, values) => watched(() => database.query(statement, values)),
    transaction: (work, timeout) => watched(() => database.transaction(work, timeout)),
    session: (work) => watched(() => database.session(work)),
    ping: (timeout) => watched(() => database.ping(timeout)),
  };
}

function mayBeBroken(error: unknown): boolean {
  const { code = '', name, cause } = error as { code?: string; name?: string; cause?: unknown };
  // WebAssembly has stopped.
  if (name === 'RuntimeError') return true;
  return MAY_BE_BROKEN.test(code) || (cause !== undefined && mayBeBroken(cause));
}

/** Whether the session answers a query, or refuses it only because its transaction has failed. */
async function works(pglite: PGlite): Promise<boolean> {
  const probe = pglite.query('select 1').then(
    () => true,
    (error: { code?: string }) => error.code === IN_FAILED_TRANSACTION,
  );
  return withTimeout(probe, PROBE_TIMEOUT, 'unreachable', '').catch(() => false);
}

const IN_FAILED_TRANSACTION = '25P02';

/**
 * PGlite hangs when it runs out of disk space while it makes a database.
 * @throws if the disk of the folder has less free space than this many MiB.
 */
export function requireSpace(folder: string, needed: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const left = Math.floor((bavail * bsize) / MEBIBYTE);
  if (left >= needed) return;
  throw new Error(
    `The disk is full: ${folder} has ${left} MiB left, and the database needs ${needed}. Make room, ` +
      'or name another folder in DATA_DIR.',
  );
}
