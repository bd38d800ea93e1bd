/**
 * Lanes: connections on which statements that take next to no time travel together. What is asked
 * for while the process goes through the requests that have come in leaves as one batch; where all
 * lanes are under way, the next one gathers meanwhile. So the more there is to do, the less each
 * statement costs: for a batch the server and this process wake each other once, and creations have
 * one commit.
 *
 * A batch waits for the slowest in it. So each kind has lanes of its own, and what takes long or often
 * waits for others has a connection to itself: changes, transactions and long reads. A creation waits
 * where somebody else gives the same unique value, or removes what it refers to, and a read where a
 * migration keeps a table to itself: several together wait for a moment, and then each by itself.
 *
 * What is created together has the same `now()` in the database.
 */
import type { Pool } from 'pg';

import { ask, Batch } from './batch.ts';
import type { Asked, Waiting } from './batch.ts';
import { connect, lend } from './connections.ts';
import { isLocked, isSessionFine } from './unavailable.ts';

/** Lanes of one kind, where the pool has twice as many connections. */
const MOST_LANES = 4;
/** Statements in one batch at most. */
const LARGEST = 32;
/** Milliseconds after which others do not wait for a batch any more. */
const PATIENCE = 50;
/** Sent before several: how long they wait for what somebody else has locked. */
const BE_QUICK = ask(`select set_config('lock_timeout', '${PATIENCE}ms', true)`);

/**
 * Makes the lanes of one kind, of connections of a pool.
 * @param alone runs a statement on a connection of its own: where there are no lanes, and where
 * others in its batch kept it from being done.
 * @returns what runs a statement, and gives its rows.
 */
export function lanes(
  pool: Pool,
  kind: 'read' | 'insert',
  alone: (asked: Asked) => Promise<object[]>,
): (asked: Asked) => Promise<object[]> {
  const most = Math.min(MOST_LANES, Math.floor(pool.options.max / 2));
  let waiting: Waiting[] = [];
  let busy = 0;
  let isCalled = false;

  /** Lets those who wait leave, as soon as all requests that have come in are seen. */
  const call = (): void => {
    if (isCalled) return;
    isCalled = true;
    setImmediate(() => {
      isCalled = false;
      for (let idle = most - busy; idle > 0 && waiting.length > 0; idle--) {
        const travellers = waiting.slice(0, LARGEST);
        waiting = waiting.slice(LARGEST);
        void travel(travellers);
      }
    });
  };

  const travel = async (travellers: readonly Waiting[]): Promise<void> => {
    const free = take();
    const late = setTimeout(free, PATIENCE);
    const first = travellers.length > 1 ? [BE_QUICK] : [];
    const batch = new Batch([...first, ...travellers]);
    try {
      await lend(connect(pool), (client) => batch.run(client));
      for (const [at, { resolve }] of travellers.entries()) {
        resolve(batch.rows[first.length + at] ?? []);
      }
    } catch (error) {
      for (const [at, traveller] of travellers.entries()) {
        const rows = batch.rows[first.length + at];
        const isCause = first.length + at === batch.rows.length && !isLocked(error);
        // What was read is read; what was created is undone with the one that failed, for which
        // another of the batch may be to blame.
        if (kind === 'read' && rows !== undefined) traveller.resolve(rows);
        else if (first.length === 0 || !isSessionFine(error)) traveller.reject(error);
        else if (kind === 'read' && isCause) traveller.reject(error);
        else traveller.resolve(alone(traveller));
      }
    } finally {
      clearTimeout(late);
      free();
    }
  };

  /** Takes a lane. @returns what gives it back, the first time. */
  const take = (): (() => void) => {
    let isTaken = true;
    busy++;
    return () => {
      if (isTaken) busy--;
      isTaken = false;
      if (waiting.length > 0) call();
    };
  };

  if (most === 0) return alone;
  return ({ text, values }) =>
    new Promise((resolve, reject) => {
      waiting.push({ text, values, resolve, reject });
      call();
    });
}
