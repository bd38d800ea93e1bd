/**
 * The table of jobs. A process that runs a job holds a lease on it, which it renews regularly. When
 * the process dies, the lease expires and another process runs the job. Every run has an ID, and
 * writes of a run that has lost its lease are rejected.
 */
import type { Database } from '../database/database.ts';
import type { Resource } from '../database/constraints.ts';
import { gone, notFound } from '../http/errors.ts';
import type { HttpError } from '../http/errors.ts';
import { newId } from '../http/uuid.ts';
import { RETRIES } from './queue.ts';
import type { Queue } from './queue.ts';

export const JOB_RESOURCE: Resource = {
  collection: 'jobs',
  item: 'job',
  anItem: 'a job',
  table: '"jobs"',
  unique: {},
};

/** The `error` of a job that failed for an internal reason. */
export const GAVE_UP = `The work failed ${RETRIES + 1} times, and is not tried again.`;

/** A stored job. */
export interface Job {
  readonly id: string;
  /** The collection of the item that the job creates, and the id of that item. */
  readonly collection: string;
  readonly item_id: string;
  /** The user who sent the POST; null without a credential. */
  readonly creator_id: string | null;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed';
  readonly error: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** One run of a job by this process. */
export interface Run extends Pick<Job, 'id' | 'collection' | 'item_id' | 'creator_id'> {
  /** The validated values of the body. */
  readonly values: object;
  /** The version of the POST; error messages use the names of that version. */
  readonly version: number;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** Identifies the run. */
  readonly run_id: string;
}

/** The number and age of the jobs with a status that needs attention. */
export interface JobCount {
  readonly status: 'queued' | 'running' | 'failed';
  /** The number of jobs, up to `MAX_COUNTED`. */
  readonly count: number;
  /** The age of the oldest job in seconds; 0 without jobs. */
  readonly oldest: number;
}

/** The values of a new job. */
type NewJob = Pick<Run, 'collection' | 'item_id' | 'creator_id' | 'values' | 'version'>;

const COLUMNS =
  '"id", "collection", "item_id", "creator_id", "status", "error", "created_at", "updated_at"';
/** The time after which the job of a dead process is run again. */
const LEASE = `clock_timestamp() + interval '30 seconds'`;
/** The limit of counts, so that counting stays fast when many jobs are queued. */
const MAX_COUNTED = 10_000;
/** Days that finished jobs are kept. */
const KEPT_DAYS = 30;
const DAY = 86_400_000;
/** `updated_at` increases with every change that clients can see, because the ETag contains it. */
const CHANGED = `"updated_at" = greatest(clock_timestamp(), "updated_at" + interval '1 microsecond')`;
const ENDED = `"run_id" = null, "lease_until" = null, ${CHANGED}`;

const INSERT = {
  prepared: true,
  text: `insert into "jobs" ("id", "collection", "item_id", "creator_id", "values", "version")
    values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
};
const FIND = { prepared: true, text: `select ${COLUMNS} from "jobs" where "id" = $1` };
const START = {
  prepared: true,
  text: `update "jobs" set "status" = 'running', "attempt" = $2, "run_id" = gen_random_uuid(),
    "lease_until" = ${LEASE}, ${CHANGED}
    where "id" = $1 and "status" = 'queued'
    returning "id", "collection", "item_id", "creator_id", "values", "version", "attempt", "run_id"`,
};
const RENEW = {
  prepared: true,
  text: `update "jobs" set "lease_until" = ${LEASE} where "run_id" = any($1) returning "run_id"`,
};
const SUCCEED = {
  prepared: true,
  text: `update "jobs" set "status" = 'succeeded', "values" = null, ${ENDED}
    where "run_id" = $1 returning "id"`,
};
const FAIL = {
  prepared: true,
  text: `update "jobs" set "status" = 'failed', "error" = $2, "values" = null, ${ENDED}
    where "run_id" = $1 returning "id"`,
};
const REQUEUE = {
  prepared: true,
  text: `update "jobs" set "status" = 'queued', ${ENDED} where "run_id" = $1 returning "id"`,
};
const FIND_EXPIRED = {
  prepared: true,
  text: `select "id", "run_id", "attempt" from "jobs"
    where "lease_until" < clock_timestamp() limit 100 for update skip locked`,
};
const COUNT = {
  prepared: true,
  // A subquery for each status, so that the partial index is used.
  text: ['queued', 'running', 'failed']
    .map(
      (status) => `select '${status}' as "status",
        (select count(*)::integer from (
          select 1 from "jobs" where "status" = '${status}' limit ${MAX_COUNTED}) as "some") as "count",
        (select coalesce(extract(epoch from clock_timestamp() - min("created_at")), 0)::float8
          from "jobs" where "status" = '${status}') as "oldest"`,
    )
    .join(' union all '),
};
const FORGET = {
  text: `delete from "jobs" where "id" in (
    select "id" from "jobs"
    where "status" in ('succeeded', 'failed') and "updated_at" < now() - interval '${KEPT_DAYS} days' limit 1000)`,
};

/** Stores and queues a job in one transaction. */
export async function addJob(
  transaction: Database,
  queue: Queue,
  { collection, item_id: item, creator_id: creator, values, version }: NewJob,
): Promise<Job> {
  const parameters = [newId(), collection, item, creator, JSON.stringify(values), version];
  const [job] = await transaction.query<Job>(INSERT, parameters);
  if (job === undefined) throw new Error('the insert returned no row');
  await queue.add(transaction, job.id);
  return job;
}

export async function findJob(database: Database, id: string): Promise<Job | undefined> {
  const [job] = await database.query<Job>(FIND, [id]);
  return job;
}

/** Takes due jobs from the queue and acquires a lease on each. */
export async function startJobs(database: Database, queue: Queue, limit: number): Promise<Run[]> {
  return database.transaction(async (transaction) => {
    const runs: Run[] = [];
    for (const { id, attempt } of await queue.take(transaction, limit)) {
      const [run] = await transaction.query<Run>(START, [id, attempt]);
      if (run === undefined) await queue.remove(transaction, id);
      else runs.push(run);
    }
    return runs;
  });
}

/** Renews the leases of runs. @returns the runs that still hold their lease. */
export async function renewLeases(
  database: Database,
  runs: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ run_id: string }>(RENEW, [runs]);
  return new Set(rows.map(({ run_id: run }) => run));
}

/**
 * Marks a job as succeeded, in the transaction that stores its item.
 * @throws if the run has lost its lease, so that the item is not stored.
 */
export async function succeed(transaction: Database, queue: Queue, run: Run): Promise<void> {
  const ended = await transaction.query(SUCCEED, [run.run_id]);
  if (ended.length === 0) throw new Error('another process has taken this job over');
  await queue.remove(transaction, run.id);
}

/** Ends a failed run: the job fails for good if it was the last attempt, else it is queued again. */
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

/** Returns an unfinished job to the queue, to be run again at once. */
export async function returnJob(database: Database, queue: Queue, run: Run): Promise<void> {
  await database.transaction(async (transaction) => {
    const ended = await transaction.query(REQUEUE, [run.run_id]);
    if (ended.length > 0) await queue.putBack(transaction, run.id);
  });
}

/** Queues the jobs of dead processes again. @returns their ids. */
export async function recoverJobs(database: Database, queue: Queue): Promise<string[]> {
  return database.transaction(async (transaction) => {
    const expired = await transaction.query<Pick<Run, 'id' | 'run_id' | 'attempt'>>(FIND_EXPIRED);
    for (const run of expired) {
      await fail(transaction, queue, run, { isLast: run.attempt > RETRIES, error: GAVE_UP });
    }
    return expired.map(({ id }) => id);
  });
}

/** Counts queued, running and failed jobs. */
export async function countJobs(database: Database): Promise<JobCount[]> {
  return database.query<JobCount>(COUNT);
}

/**
 * The error for a job that is not found: 410 if its id is so old that it was deleted, else 404. The id of a job is a UUID of
 * version 7, which has its time, so that jobs leave no tombstones.
 */
export function jobNotFoundError(id: string): HttpError {
  const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  return id[14] === '7' && time < Date.now() - KEPT_DAYS * DAY
    ? gone(
        `The job ${id} is not kept any more: jobs are removed ${KEPT_DAYS} days after their end.`,
      )
    : notFound(`There is no job ${id}.`);
}

/** Deletes jobs that finished long ago; they answer 410 from then on. */
export async function forgetJobs(database: Database): Promise<void> {
  await database.query(FORGET);
}
