/**
 * The job queue: pg-boss on the database of the service, shared by all processes. It holds only the
 * ids of jobs; their values and results are in the table `jobs`.
 */
import { EventEmitter } from 'node:events';

import PgBoss from 'pg-boss';

import type { Database } from '../database/database.ts';
import type { DatabaseFeature } from '../database/feature.ts';
import { isUnavailable } from '../database/unavailable.ts';

/** How often a job is retried after a failure or the death of its process. */
export const RETRIES = 7;
/** Seconds before the first retry; the delay doubles with each further one. */
const RETRY_DELAY = 2;

const NAME = 'creation';
/** The key of the advisory lock under which the queue is prepared; an arbitrary number. */
const LOCK_KEY = 7_305_012;

/** A job that was taken from the queue. */
export interface TakenJob {
  readonly id: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
}

/**
 * The operations of the queue. Each runs in the transaction that changes the row of the job, so that
 * queue and table stay consistent when a process dies.
 */
export interface Queue {
  add(transaction: Database, id: string): Promise<void>;
  /** Takes due jobs. No other process gets them. */
  take(transaction: Database, limit: number): Promise<TakenJob[]>;
  /** Returns a taken job to the queue, after a delay that grows with each attempt. */
  retry(transaction: Database, id: string): Promise<void>;
  /** Returns a taken job to the queue at once, without counting the attempt. */
  putBack(transaction: Database, id: string): Promise<void>;
  /** Removes a finished job. */
  remove(transaction: Database, id: string): Promise<void>;
  /** Wakes up the worker of this process, if there is one, so that it need not wait for its next poll. */
  announce(): void;
  /** Registers a listener for `announce`. @returns a function that removes it. */
  onAnnounced(listener: () => void): () => void;
}

/** Opens the queue. @throws if `prepareQueue` has not run for this version of pg-boss. */
export async function openQueue(database: Database): Promise<Queue> {
  const boss = bossOver(database, await schemaFor(database), false);
  try {
    await boss.start();
  } catch (error) {
    if (isUnavailable(error)) throw error;
    throw new Error('The job queue is not up to date: run `npm run migrate`.', {
      cause: error,
    });
  }
  const events = new EventEmitter();

  const add = async (transaction: Database, id: string): Promise<void> => {
    const retries = { retryLimit: RETRIES, retryDelay: RETRY_DELAY, retryBackoff: true };
    const sent = await boss.send(NAME, {}, { id, ...retries, db: executor(transaction) });
    if (sent === null) throw new Error(`the queue did not take the job ${id}`);
  };
  const remove = async (transaction: Database, id: string): Promise<void> => {
    await boss.deleteJob(NAME, id, { db: executor(transaction) });
  };

  return {
    add,
    remove,
    async take(transaction, limit) {
      const options = {
        batchSize: limit,
        includeMetadata: true,
        db: executor(transaction),
      } as const;
      const jobs = await boss.fetch(NAME, options);
      return jobs.map(({ id, retryCount }) => ({ id, attempt: retryCount + 1 }));
    },
    async retry(transaction, id) {
      await boss.fail(NAME, id, {}, { db: executor(transaction) });
    },
    async putBack(transaction, id) {
      await remove(transaction, id);
      await add(transaction, id);
    },
    announce() {
      events.emit('announced');
    },
    onAnnounced(listener) {
      events.on('announced', listener);
      return () => events.off('announced', listener);
    },
  };
}

/** Creates or upgrades the tables of pg-boss. */
async function prepareQueue(database: Database): Promise<void> {
  // pg-boss sends its own `begin` and `commit`. The transaction keeps it on one connection, and
  // cleans up if it fails.
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'select pg_advisory_xact_lock($1)' }, [LOCK_KEY]);
    const boss = bossOver(transaction, await schemaFor(transaction), true);
    await boss.start();
    await boss.createQueue(NAME);
  });
}

/** The tables of pg-boss are kept up to date with the migrations. */
export const JOB_QUEUE: DatabaseFeature = { afterMigrations: prepareQueue };

/**
 * pg-boss, used only for its statements. Its maintenance and workers are disabled: leases (see
 * job-store.ts) detect a dead process much sooner than a timeout that suits the longest job.
 */
const bossOver = (database: Database, schema: string, migrate: boolean): PgBoss =>
  new PgBoss({ db: executor(database), schema, migrate, supervise: false, schedule: false });

const executor = (database: Database): PgBoss.Db => ({
  executeSql: async (text, values) => ({ rows: await database.query({ text }, values) }),
});

/** The schema of pg-boss, named after that of the service, because services may share a database. */
async function schemaFor(database: Database): Promise<string> {
  const [row] = await database.query<{ name: string }>({
    text: `select current_schema() || '_pgboss' as "name"`,
  });
  if (row === undefined) throw new Error('the query for the schema returned no row');
  return row.name;
}
