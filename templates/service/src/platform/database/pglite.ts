/** Opens PGlite: PostgreSQL within this process, for development and for small services. */
import { mkdirSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';

import type { OnError, OpenDatabase } from './database.ts';
import { createEmptyPglite } from './empty-pglite.ts';
import { lockFolder } from './lock.ts';
import { openPool } from './pool.ts';
import { CONNECTION_TIMEOUT, types } from './postgres.ts';
import { TIMEOUTS } from './database.ts';

const MEBIBYTE = 1024 * 1024;
/** MiB of disk space that must be free: as much as a new database takes. */
const SPACE = 64;

/**
 * Opens a database in a folder, or in memory if the folder is called `memory`.
 * @param onError receives the errors of `afterCommit`.
 * @throws if another process has the folder open, or the disk is full.
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
    return overPglite(await PGlite.create(join(path, 'pglite')), unlock, onError, timeouts);
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
  return openPool(pool, close, timeouts.transaction, onError);
}

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
