/** Connections of a pool, each lent for a piece of work. */
import type { Pool, PoolClient } from 'pg';

import { DatabaseUnavailable, isSessionFine } from './unavailable.ts';

/** Pieces of work that wait for a connection at once; more are refused without waiting. */
const MOST_WAITING = 300;

/** Work that failed, whatever its error, on a connection that is as it was before it. */
export class RolledBack extends Error {}

/** Takes a connection of the pool, unless too many wait for one already. */
export function connect(pool: Pool): Promise<PoolClient> {
  if (pool.waitingCount < MOST_WAITING) return pool.connect();
  throw new DatabaseUnavailable('busy', 'too many statements wait for a connection');
}

/** Works on a connection of the pool. After an error only one whose session is fine is kept. */
export async function lend<Result>(
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
