/**
 * The queue: pg-boss over the service's own database, so that all processes share the work. In it
 * stand the ids of jobs alone; what is to be done, and what became of it, is in the table `jobs`.
 */
import { EventEmitter } from 'node:events';

import PgBoss from 'pg-boss';

import type { Database } from '../database/database.ts';
import { isUnavailable } from '../database/unavailable.ts';

/** How often a job is tried again that failed, or whose process died. */
export const RETRIES = 7;
/** Seconds before the first of these; twice as long before each that follows. */
const RETRY_DELAY = 2;

const NAME = 'creation';
/** Any number that is the same in every process: they prepare the queue one after the other. */
const LOCK = 7_305_012;

/** A job that is this process's to run. */
export interface Taken {
  readonly id: string;
  /** Which try this is, from 1. */
  readonly attempt: number;
}

/**
 * What is done with the queue. Each call is part of a transaction, in which the row of the job
 * changes too: the two never disagree, whenever a process dies.
 */
export interface Queue {
  add(transaction: Database, id: string): Promise<void>;
  /** Takes jobs that are due, and that no other process takes meanwhile. */
  take(transaction: Database, most: number): Promise<Taken[]>;
  /** Lets a taken job come again, after a pause that grows with each try. */
  retry(transaction: Database, id: string): Promise<void>;
  /** Lets a taken job come again at once, as if it had not been taken. */
  putBack(transaction: Database, id: string): Promise<void>;
  /** Removes a job that is done with. */
  remove(transaction: Database, id: string): Promise<void>;
  /** Tells the worker of this process, if there is one, that it need not wait for its next look. */
  announce(): void;
  /** Hears that; gives what ends the hearing. */
  onAnnounced(listener: () => void): () => void;
}

/** Opens the queue. @throws where it was not prepared. */
export async function openQueue(database: Database): Promise<Queue> {
  const boss = bossOver(database, await schemaFor(database), false);
  try {
    await boss.start();
  } catch (error) {
    if (isUnavailable(error)) throw error;
    throw new Error('The queue of jobs is not up to date: run `npm run migrate`.', {
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
    async take(transaction, most) {
      const options = {
        batchSize: most,
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

/** Makes the tables of pg-boss, or brings them up to date: with the migrations, at start. */
export async function prepareQueue(database: Database): Promise<void> {
  // pg-boss begins and commits by itself; this keeps it on one connection, and cleans up after it.
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'select pg_advisory_xact_lock($1)' }, [LOCK]);
    const boss = bossOver(transaction, await schemaFor(transaction), true);
    await boss.start();
    await boss.createQueue(NAME);
  });
}

/**
 * pg-boss for its statements alone. Its own maintenance and workers are not used: a lease (see
 * jobs.ts) tells much sooner that a process died than a time-out for the longest of all jobs.
 */
const bossOver = (database: Database, schema: string, migrate: boolean): PgBoss =>
  new PgBoss({ db: executor(database), schema, migrate, supervise: false, schedule: false });

const executor = (database: Database): PgBoss.Db => ({
  executeSql: async (text, values) => ({ rows: await database.query({ text }, values) }),
});

/** The schema of pg-boss: beside that of the service, for two services may share a database. */
async function schemaFor(database: Database): Promise<string> {
  const [row] = await database.query<{ name: string }>({
    text: `select current_schema() || '_pgboss' as "name"`,
  });
  if (row === undefined) throw new Error('the database did not tell its schema');
  return row.name;
}
