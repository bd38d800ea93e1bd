/** PGlite: PostgreSQL within this process, for development and for small services. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';

import { fromPool } from './database.ts';
import type { OpenDatabase } from './database.ts';
import { lockFolder } from './lock.ts';
import { CONNECTION_TIMEOUT } from './postgres.ts';
import { requireRoom } from './room.ts';
import { types } from './types.ts';

/** MiB that a new database takes, and an old one may want soon. */
const ROOM = 64;

/**
 * Opens a database in a folder, or in memory where the folder is called `memory`.
 * @throws where another process has the folder open, and where the disk is full.
 */
export async function openPglite(folder: string): Promise<OpenDatabase> {
  if (folder === 'memory') return overPglite(await PGlite.create(), () => {});
  const path = resolve(folder);
  mkdirSync(path, { recursive: true });
  requireRoom(path, ROOM);
  const unlock = lockFolder(path);
  try {
    return overPglite(await PGlite.create(join(path, 'pglite')), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The interface that PostgreSQL has too, over PGlite: one connection, taken in turn. */
export function overPglite(pglite: PGlite, closed: () => void): OpenDatabase {
  class Client extends pg.Client {
    constructor() {
      super(Object.assign(createPgConfig(pglite), { types }));
    }
  }
  const pool = new pg.Pool({
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    Client,
    // After an error the pool makes a new client, on the same server session: it takes over neither
    // a transaction that the old one left open nor the statements that it had prepared.
    onConnect: async (client) => {
      await client.query('rollback; deallocate all');
    },
  });
  return fromPool(pool, async () => {
    await pool.end();
    await pglite.close();
    closed();
  });
}
