/** One run of a job: the slow work, then the item, stored together with the news of it. */
import type { FastifyBaseLogger } from 'fastify';

import type { Database } from '../database/database.ts';
import { HttpError } from '../http/errors.ts';
import { works } from '../collections/works.ts';
import { JobError } from './job-error.ts';
import { fail, GAVE_UP, succeed } from './jobs.ts';
import type { Run } from './jobs.ts';
import { RETRIES } from './queue.ts';
import type { Queue } from './queue.ts';

/** What runs work with. */
export interface Workshop {
  readonly database: Database;
  readonly jobs: Queue;
  readonly log: FastifyBaseLogger;
}

/**
 * Runs a job to its end.
 * @param signal ends when the run is not this process's any more: what follows is another's affair.
 */
export async function runJob(
  { database, jobs, log: parent }: Workshop,
  run: Run,
  signal: AbortSignal,
): Promise<void> {
  const { id: jobId, item_id: itemId, attempt } = run;
  const log = parent.child({ job: jobId, collection: run.collection, attempt });
  try {
    const work = Object.hasOwn(works, run.collection) ? works[run.collection] : undefined;
    if (work === undefined) throw new JobError('This service does not make such items any more.');
    const context = { jobId, itemId, attempt, signal, database, log };
    const values = await work.process(run.values, context);
    signal.throwIfAborted();
    const owner = await remaining(database, run.creator_id);
    const item = { id: itemId, values, owner, version: run.version };
    await work.create(database, item, (transaction) => succeed(transaction, jobs, run));
    log.info('job succeeded');
  } catch (error) {
    if (signal.aborted) return;
    const isLast = isFinal(error) || attempt > RETRIES;
    log[isLast ? 'error' : 'warn']({ err: error }, isLast ? 'job failed' : 'job is tried again');
    await fail(database, jobs, run, { isLast, error: sentenceOf(error) });
  }
}

/** Whether another try would fail in the same way. */
function isFinal(error: unknown): boolean {
  if (error instanceof JobError) return !error.retry;
  return error instanceof HttpError && error.statusCode < 500;
}

/** What the client reads: what was meant for them, and nothing about the insides. */
const sentenceOf = (error: unknown): string =>
  error instanceof JobError || (error instanceof HttpError && error.statusCode < 500)
    ? error.message
    : GAVE_UP;

/** Who asked for the job, where they were not removed since. */
async function remaining(database: Database, user: string | null): Promise<string | null> {
  const found = await database.query(
    { keep: true, text: 'select 1 from "users" where "id" = $1' },
    [user],
  );
  return found.length > 0 ? user : null;
}
