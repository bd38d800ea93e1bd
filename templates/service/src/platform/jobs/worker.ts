/** The worker: takes jobs from the queue and runs several at a time, until it is stopped. */
import { setTimeout as sleep } from 'node:timers/promises';

import { makeSignal } from '../background-worker.ts';
import type { BackgroundWorker } from '../feature.ts';
import { forgetJobs, returnJob, renewLeases, recoverJobs, startJobs } from './job-store.ts';
import type { Run } from './job-store.ts';
import { runJob } from './run-job.ts';
import type { JobServices } from './run-job.ts';

/** Milliseconds between two polls for jobs of other processes and retries. */
const POLL_INTERVAL = 1_000;
/** Milliseconds between two renewals of leases: a fraction of the lease time. */
const HEARTBEAT_INTERVAL = 5_000;
/** Heartbeats between two deletions of old jobs: one hour. */
const HEARTBEATS_PER_CLEANUP = 720;
/** Starts a worker. @param concurrency the number of jobs that it runs at a time. */
export function startWorker(services: JobServices, concurrency: number): BackgroundWorker {
  const { database, jobs, log } = services;
  const running = new Map<
    Run,
    { readonly controller: AbortController; readonly ended: Promise<void> }
  >();
  const stopping = new AbortController();
  const stopped = new AbortController();
  const wakeUp = makeSignal();
  const removeListener = jobs.onAnnounced(wakeUp.send);

  const begin = (run: Run): void => {
    const controller = new AbortController();
    const ended = runJob(services, run, controller.signal)
      // The job is not lost: it is run again when its lease expires.
      .catch((error: unknown) =>
        log.error({ err: error, job: run.id }, 'the result of a run could not be stored'),
      )
      .finally(() => {
        running.delete(run);
        wakeUp.send();
      });
    running.set(run, { controller, ended });
  };

  const take = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const free = concurrency - running.size;
      const runs = free > 0 ? await orEmpty(startJobs(database, jobs, free)) : [];
      for (const run of runs) begin(run);
      if (runs.length === 0 || runs.length < free) await wakeUp.wait(POLL_INTERVAL);
    }
  };

  /** Renews the leases of this process, and recovers the jobs of dead ones. */
  const runHeartbeat = async (): Promise<void> => {
    for (let beats = 0; !stopped.signal.aborted; beats++) {
      await orEmpty(renew());
      if (!stopping.signal.aborted) {
        const recovered = await orEmpty(recoverJobs(database, jobs));
        if (recovered.length > 0)
          log.warn({ jobs: recovered }, 'jobs of a dead process are run again');
        if (beats % HEARTBEATS_PER_CLEANUP === 0)
          await orEmpty(forgetJobs(database).then(() => []));
      }
      await sleep(HEARTBEAT_INTERVAL, undefined, { signal: stopped.signal }).catch(() => {});
    }
  };

  const renew = async (): Promise<[]> => {
    const runs = [...running.keys()];
    if (runs.length === 0) return [];
    const held = await renewLeases(
      database,
      runs.map(({ run_id: run }) => run),
    );
    for (const run of runs) {
      if (!held.has(run.run_id)) running.get(run)?.controller.abort();
    }
    return [];
  };

  /** The result, or an empty array on an error, which the next poll or heartbeat retries. */
  const orEmpty = async <Row>(query: Promise<Row[]>): Promise<Row[]> =>
    query.catch((error: unknown) => {
      log.warn({ err: error }, 'a query for jobs failed');
      return [];
    });

  const taking = take();
  const heartbeat = runHeartbeat();
  return {
    async stop(grace) {
      const deadline = sleep(grace, undefined, { ref: false });
      stopping.abort();
      removeListener();
      wakeUp.send();
      await taking;
      const all = Promise.all(Array.from(running.values(), ({ ended }) => ended));
      await Promise.race([all, deadline]);
      for (const [run, { controller }] of running) {
        controller.abort();
        await orEmpty(returnJob(database, jobs, run).then(() => []));
      }
      stopped.abort();
      await heartbeat;
    },
  };
}
