/** The worker: takes jobs from the queue and runs several at a time, until it is stopped. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

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
/** Milliseconds of the grace period that are reserved for returning jobs to the queue. */
const RETURN_TIME = 1_500;

interface WorkerSettings {
  /** Jobs that this process runs concurrently; 0 if only separate workers run jobs. */
  readonly workers: number;
  /** Seconds that jobs have to finish at shutdown. */
  readonly shutdownGrace: number;
}

export interface Worker {
  /**
   * Stops taking jobs, waits for the running ones, and returns unfinished ones to the queue.
   * @param grace milliseconds that running jobs have to finish.
   */
  stop(grace: number): Promise<void>;
}

/** The part of the shutdown grace period that running jobs have to finish, in milliseconds. */
export const graceOf = ({ shutdownGrace }: Pick<WorkerSettings, 'shutdownGrace'>): number =>
  Math.max(0, shutdownGrace * 1000 - RETURN_TIME);

/**
 * Stops the worker of this process when the service closes.
 * @returns a function that starts the worker, unless `WORKERS` is 0.
 */
export function workUntilClosed(
  app: FastifyInstance,
  settings: WorkerSettings,
): (services: JobServices) => void {
  let worker: Worker | undefined;
  let stopped: Promise<void> | undefined;
  app.addHook('preClose', async () => {
    // Not awaited here: the worker stops while requests in flight are answered.
    stopped = worker?.stop(graceOf(settings));
  });
  app.addHook('onClose', async () => stopped);
  return (services) => {
    if (settings.workers > 0) worker = startWorker(services, settings.workers);
  };
}

/** Starts a worker. @param concurrency the number of jobs that it runs at a time. */
export function startWorker(services: JobServices, concurrency: number): Worker {
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

/** A signal that ends the current `wait`, or the next one if none is running. */
function makeSignal(): { send: () => void; wait: (milliseconds: number) => Promise<void> } {
  let sent = new AbortController();
  return {
    send: () => sent.abort(),
    async wait(milliseconds) {
      await sleep(milliseconds, undefined, { signal: sent.signal }).catch(() => {});
      sent = new AbortController();
    },
  };
}
