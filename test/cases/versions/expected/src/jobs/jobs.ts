/**
 * Jobs in the database: work that was accepted, and what became of it. A process that runs one
 * holds a lease on it, which it prolongs again and again. When it dies the lease ends, and another
 * process takes the job; what the first might still do is not accepted, for the run is another.
 */
import type { Database } from '../database/database.ts';
import type { Kind } from '../database/missing.ts';
import { newId } from '../http/uuid.ts';
import { RETRIES } from './queue.ts';
import type { Queue } from './queue.ts';

export const JOB_KIND: Kind = { collection: 'jobs', item: 'job', table: '"jobs"' };

/** What the sentence of a job says that failed for a reason that is not the client's affair. */
export const GAVE_UP = `The work failed ${RETRIES + 1} times, and is not tried again.`;

/** A job, as it is stored. */
export interface Job {
  readonly id: string;
  /** What it makes an item of, and the id that this item gets. */
  readonly collection: string;
  readonly item_id: string;
  /** The user who asked for it; null for somebody unknown. */
  readonly creator_id: string | null;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed';
  readonly error: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A job that this process runs. */
export interface Run extends Pick<Job, 'id' | 'collection' | 'item_id' | 'creator_id'> {
  /** What was accepted. */
  readonly values: object;
  /** The version that it was asked for in: what it says is in the names of that. */
  readonly version: number;
  /** Which try this is, from 1. */
  readonly attempt: number;
  /** Tells this run from all others of the same job. */
  readonly run_id: string;
}

/** What there is of the jobs of a status that somebody may have to look after. */
export interface Look {
  readonly status: 'queued' | 'running' | 'failed';
  /** How many there are, and no more than `MOST_COUNTED`. */
  readonly count: number;
  /** Seconds since the oldest was accepted; 0 where there is none. */
  readonly oldest: number;
}

/** What there is for a job to be made of. */
type NewJob = Pick<Run, 'collection' | 'creator_id' | 'values' | 'version'>;

const COLUMNS =
  '"id", "collection", "item_id", "creator_id", "status", "error", "created_at", "updated_at"';
/** A job survives the process that runs it by this much. */
const LEASE = `clock_timestamp() + interval '30 seconds'`;
/** More are not counted: it would take longer the more there are, just when there is much to do. */
const MOST_COUNTED = 10_000;
/** How long it is told what became of a job. */
const KEPT = `interval '30 days'`;
/** The time of the last change rises with every change that clients see. */
const CHANGED = `"updated_at" = greatest(clock_timestamp(), "updated_at" + interval '1 microsecond')`;
const ENDED = `"run_id" = null, "lease_until" = null, ${CHANGED}`;

const INSERT = {
  keep: true,
  text: `insert into "jobs" ("id", "collection", "item_id", "creator_id", "values", "version")
    values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
};
const FIND = { keep: true, text: `select ${COLUMNS} from "jobs" where "id" = $1` };
const START = {
  keep: true,
  text: `update "jobs" set "status" = 'running', "attempt" = $2, "run_id" = gen_random_uuid(),
    "lease_until" = ${LEASE}, ${CHANGED}
    where "id" = $1 and "status" = 'queued'
    returning "id", "collection", "item_id", "creator_id", "values", "version", "attempt", "run_id"`,
};
const PROLONG = {
  keep: true,
  text: `update "jobs" set "lease_until" = ${LEASE} where "run_id" = any($1) returning "run_id"`,
};
const SUCCEED = {
  keep: true,
  text: `update "jobs" set "status" = 'succeeded', "values" = null, ${ENDED}
    where "run_id" = $1 returning "id"`,
};
const FAIL = {
  keep: true,
  text: `update "jobs" set "status" = 'failed', "error" = $2, "values" = null, ${ENDED}
    where "run_id" = $1 returning "id"`,
};
const REQUEUE = {
  keep: true,
  text: `update "jobs" set "status" = 'queued', ${ENDED} where "run_id" = $1 returning "id"`,
};
const LEFT = {
  keep: true,
  text: `select "id", "run_id", "attempt" from "jobs"
    where "lease_until" < clock_timestamp() limit 100 for update skip locked`,
};
const LOOK = {
  keep: true,
  // Each status by name: the index is on those that matter here.
  text: ['queued', 'running', 'failed']
    .map(
      (status) => `select '${status}' as "status",
        (select count(*)::integer from (
          select 1 from "jobs" where "status" = '${status}' limit ${MOST_COUNTED}) as "some") as "count",
        (select coalesce(extract(epoch from clock_timestamp() - min("created_at")), 0)::float8
          from "jobs" where "status" = '${status}') as "oldest"`,
    )
    .join(' union all '),
};
const FORGET = {
  text: `delete from "jobs" where "id" in (
    select "id" from "jobs"
    where "status" in ('succeeded', 'failed') and "updated_at" < now() - ${KEPT} limit 1000)`,
};

/** Stores a job and queues it, both with the transaction that it is part of. */
export async function addJob(
  transaction: Database,
  queue: Queue,
  { collection, creator_id: creator, values, version }: NewJob,
): Promise<Job> {
  const given = [newId(), collection, newId(), creator, JSON.stringify(values), version];
  const [job] = await transaction.query<Job>(INSERT, given);
  if (job === undefined) throw new Error('the insert gave no row back');
  await queue.add(transaction, job.id);
  return job;
}

export async function findJob(database: Database, id: string): Promise<Job | undefined> {
  const [job] = await database.query<Job>(FIND, [id]);
  return job;
}

/** Takes jobs that are due, and holds a lease on each. */
export async function startJobs(database: Database, queue: Queue, most: number): Promise<Run[]> {
  return database.transaction(async (transaction) => {
    const runs: Run[] = [];
    for (const { id, attempt } of await queue.take(transaction, most)) {
      const [run] = await transaction.query<Run>(START, [id, attempt]);
      if (run === undefined) await queue.remove(transaction, id);
      else runs.push(run);
    }
    return runs;
  });
}

/** Prolongs the leases of runs; gives those that are this process's still. */
export async function prolongRuns(
  database: Database,
  runs: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ run_id: string }>(PROLONG, [runs]);
  return new Set(rows.map(({ run_id: run }) => run));
}

/**
 * Says that a run made its item, in the transaction that stores it.
 * @throws where the run is not this process's any more: then the item is not stored.
 */
export async function succeed(transaction: Database, queue: Queue, run: Run): Promise<void> {
  const ended = await transaction.query(SUCCEED, [run.run_id]);
  if (ended.length === 0) throw new Error('another process has taken this job over');
  await queue.remove(transaction, run.id);
}

/** Says that a run failed, and why. Where it was the last try the job has failed with it. */
export async function fail(
  database: Database,
  queue: Queue,
  run: Pick<Run, 'id' | 'run_id'>,
  { isLast, error }: { readonly isLast: boolean; readonly error: string },
): Promise<void> {
  await database.transaction(async (transaction) => {
    const ended = isLast
      ? await transaction.query(FAIL, [run.run_id, error])
      : await transaction.query(REQUEUE, [run.run_id]);
    if (ended.length === 0) return;
    await (isLast ? queue.remove(transaction, run.id) : queue.retry(transaction, run.id));
  });
}

/** Gives a run back that this process cannot finish, for another to take at once. */
export async function giveBack(database: Database, queue: Queue, run: Run): Promise<void> {
  await database.transaction(async (transaction) => {
    const ended = await transaction.query(REQUEUE, [run.run_id]);
    if (ended.length > 0) await queue.putBack(transaction, run.id);
  });
}

/** Lets the jobs of processes that died come again; gives their ids. */
export async function recoverJobs(database: Database, queue: Queue): Promise<string[]> {
  return database.transaction(async (transaction) => {
    const left = await transaction.query<Pick<Run, 'id' | 'run_id' | 'attempt'>>(LEFT);
    for (const run of left) {
      await fail(transaction, queue, run, { isLast: run.attempt > RETRIES, error: GAVE_UP });
    }
    return left.map(({ id }) => id);
  });
}

/** Counts the jobs that wait, that are being run, and that failed, with little effort. */
export async function lookAtJobs(database: Database): Promise<Look[]> {
  return database.query<Look>(LOOK);
}

/** Removes the jobs that ended long ago: they answer 410 from then on. */
export async function forgetJobs(database: Database): Promise<void> {
  await database.query(FORGET);
}
