/** Runs a job: calls `process` of the hooks, then stores the item and the success of the job. */
import type { FastifyBaseLogger } from 'fastify';

import { findPrincipal } from '../auth/authenticate.ts';
import type { Database } from '../database/database.ts';
import { HttpError } from '../http/errors.ts';
import { withinTimeout } from './attempt-timeout.ts';
import { JobError } from './job-error.ts';
import { fail, GAVE_UP, succeed } from './job-store.ts';
import type { Run } from './job-store.ts';
import { RETRIES } from './queue.ts';
import type { Queue } from './queue.ts';
import type { AnyWork } from './work.ts';

/** The dependencies of runs. */
export interface JobServices {
  readonly database: Database;
  readonly jobs: Queue;
  /** How items are created in the background, by collection. */
  readonly works: Readonly<Record<string, AnyWork>>;
  readonly log: FastifyBaseLogger;
}

/**
 * Runs a job until it succeeds, fails, takes longer than its timeout, or is aborted.
 * @param lost aborts when the run has lost its lease or the process shuts down; then nothing is stored.
 */
export async function runJob(
  { database, jobs, works, log: parent }: JobServices,
  run: Run,
  lost: AbortSignal,
): Promise<void> {
  const { id: jobId, item_id: itemId, attempt } = run;
  const log = parent.child({ job: jobId, collection: run.collection, attempt });
  try {
    const work = Object.hasOwn(works, run.collection) ? works[run.collection] : undefined;
    if (work === undefined)
      throw new JobError('This collection is no longer created in the background.');
    await withinTimeout(work.timeout, lost, async (signal) => {
      const principal = await findPrincipal(database, run.creator_id);
      const context = { jobId, itemId, attempt, principal, signal, database, log };
      const values = await work.process(run.values, context);
      signal.throwIfAborted();
      const item = {
        id: itemId,
        values,
        // The user may have been removed meanwhile.
        principal: await findPrincipal(database, run.creator_id),
        version: run.version,
      };
      await work.create(database, item, (transaction) => succeed(transaction, jobs, run));
    });
    log.info('job succeeded');
  } catch (error) {
    if (lost.aborted) return;
    const isLast = isFinal(error) || attempt > RETRIES;
    log[isLast ? 'error' : 'warn'](
      { err: error },
      isLast ? 'job failed' : 'job failed, and will be retried',
    );
    await fail(database, jobs, run, { isLast, error: messageOf(error) });
  }
}

/** Whether a retry would fail in the same way. */
function isFinal(error: unknown): boolean {
  if (error instanceof JobError) return !error.retry;
  return error instanceof HttpError && error.statusCode < 500;
}

/** The message for the client, without internal details. */
const messageOf = (error: unknown): string =>
  error instanceof JobError || (error instanceof HttpError && error.statusCode < 500)
    ? error.message
    : GAVE_UP;
