/**
 * Lanes: connections that quick reads share. A read goes out at once, behind those that are on their
 * way on the same connection, instead of waiting for a connection of its own (libpq calls this
 * pipelining). The server and this process wake each other far less often for it: under load a read
 * costs both of them half as much.
 *
 * What waits for a lock or for the disk, or reads much, would keep others waiting: changes,
 * transactions and long reads have a connection to themselves. So has every read where no lane is
 * as quick as it should be.
 */
import type { Pool, PoolClient } from 'pg';

import { isSessionFine } from './unavailable.ts';

interface Lane {
  readonly client: Promise<PoolClient>;
  /** Reads that are on their way. */
  reads: number;
  /** When it last answered, or was idle, in milliseconds. */
  answered: number;
  isBroken: boolean;
}

/** Lanes at once, where the pool has twice as many connections. */
const MOST_LANES = 4;
/** Milliseconds without an answer after which a lane takes no more reads. */
const PATIENCE = 50;

/** Runs a read on a connection that it shares; undefined where there is no room for it. */
export type Share = <Result>(
  read: (client: PoolClient) => Promise<Result>,
) => Promise<Result> | undefined;

/**
 * Makes lanes of the connections of a pool, whose clients are in pipeline mode. A lane takes its
 * connection when it is needed, and gives it back when nothing is on its way.
 * @param connect lends a connection of the pool.
 */
export function sharing(pool: Pool, connect: () => Promise<PoolClient>): Share {
  const most = Math.min(MOST_LANES, Math.floor(pool.options.max / 2));
  const lanes = new Set<Lane>();

  /** The lane with the fewest reads of those that answer, or a new one as long as all are in use. */
  const choose = (): Lane | undefined => {
    const now = performance.now();
    let chosen: Lane | undefined;
    for (const lane of lanes) {
      const isQuick = now - lane.answered < PATIENCE;
      if (isQuick && lane.reads < (chosen?.reads ?? Infinity)) chosen = lane;
    }
    if (lanes.size === most) return chosen;
    const opened = { client: connect(), reads: 0, answered: now, isBroken: false };
    lanes.add(opened);
    return opened;
  };

  const run = async <Result>(
    lane: Lane,
    read: (client: PoolClient) => Promise<Result>,
  ): Promise<Result> => {
    lane.reads++;
    let client: PoolClient | undefined;
    try {
      client = await lane.client;
      return await read(client);
    } catch (error) {
      if (!isSessionFine(error)) {
        lane.isBroken = true;
        lanes.delete(lane);
      }
      throw error;
    } finally {
      lane.reads--;
      lane.answered = performance.now();
      if (lane.reads === 0) {
        lanes.delete(lane);
        client?.release(lane.isBroken);
      }
    }
  };

  return (read) => {
    const lane = choose();
    return lane === undefined ? undefined : run(lane, read);
  };
}
