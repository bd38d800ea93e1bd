/** The worker of a process: takes jobs and runs them, some at a time, until it is stopped. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import type { Config } from '../config.ts';
import { forgetJobs, giveBack, prolongRuns, recoverJobs, startJobs } from './jobs.ts';
import type { Run } from './jobs.ts';
import { runJob } from './run.ts';
import type { Workshop } from './run.ts';

/** Milliseconds between two looks for jobs that other processes have queued, or that are due. */
const LOOK = 1_000;
/** Milliseconds between two times that leases are prolonged: a fraction of their length. */
const BEAT = 5_000;
/** Beats between two times that old jobs are removed: an hour. */
const BEATS_TO_FORGET = 720;
/** Milliseconds of the grace period that are left for giving jobs back. */
const RESERVE = 1_500;

export interface Worker {
  /**
   * Takes no new job, lets those that run finish, and gives back what has not finished in time.
   * @param grace milliseconds.
   */
  stop(grace: number): Promise<void>;
}

/** What the grace period of a process leaves to the jobs that it runs. */
export const graceOf = ({ shutdownGrace }: Config): number =>
  Math.max(0, shutdownGrace * 1000 - RESERVE);

/** Runs jobs within the process of the service, from when it listens until it closes. */
export function workWhileListening(app: FastifyInstance, config: Config, workshop: Workshop): void {
  let worker: Worker | undefined;
  let stopped: Promise<void> | undefined;
  app.addHook('onListen', async () => {
    worker = startWorker(workshop, config.workers);
  });
  app.addHook('preClose', async () => {
    // It takes nothing on while requests are still being answered.
    stopped = worker?.stop(graceOf(config));
  });
  app.addHook('onClose', async () => stopped);
}

/** Starts a worker. @param most how many jobs it runs at a time. */
export function startWorker(workshop: Workshop, most: number): Worker {
  const { database, jobs, log } = workshop;
  const running = new Map<Run, { readonly end: AbortController; readonly ended: Promise<void> }>();
  const stopping = new AbortController();
  const stopped = new AbortController();
  const bell = makeBell();
  const endHearing = jobs.onAnnounced(bell.ring);

  const begin = (run: Run): void => {
    const end = new AbortController();
    const ended = runJob(workshop, run, end.signal)
      // The job is not lost: its lease ends, and it comes again.
      .catch((error: unknown) => log.error({ err: error, job: run.id }, 'a run ended without news'))
      .finally(() => {
        running.delete(run);
        bell.ring();
      });
    running.set(run, { end, ended });
  };

  const take = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const free = most - running.size;
      const runs = free > 0 ? await orNothing(startJobs(database, jobs, free)) : [];
      for (const run of runs) begin(run);
      if (runs.length === 0 || runs.length < free) await bell.wait(LOOK);
    }
  };

  /** Keeps what this process runs, and picks up what others have left. */
  const beat = async (): Promise<void> => {
    for (let beats = 0; !stopped.signal.aborted; beats++) {
      await orNothing(prolong());
      if (!stopping.signal.aborted) {
        const left = await orNothing(recoverJobs(database, jobs));
        if (left.length > 0) log.warn({ jobs: left }, 'jobs of a process that is gone come again');
        if (beats % BEATS_TO_FORGET === 0) await orNothing(forgetJobs(database).then(() => []));
      }
      await sleep(BEAT, undefined, { signal: stopped.signal }).catch(() => {});
    }
  };

  const prolong = async (): Promise<[]> => {
    const runs = [...running.keys()];
    if (runs.length === 0) return [];
    const own = await prolongRuns(
      database,
      runs.map(({ run_id: run }) => run),
    );
    for (const run of runs) {
      if (!own.has(run.run_id)) running.get(run)?.end.abort();
    }
    return [];
  };

  /** What a look gives; nothing while the database is away: the next look comes. */
  const orNothing = async <Found>(look: Promise<Found[]>): Promise<Found[]> =>
    look.catch((error: unknown) => {
      log.warn({ err: error }, 'the jobs could not be looked at');
      return [];
    });

  const taking = take();
  const beating = beat();
  return {
    async stop(grace) {
      const deadline = sleep(grace, undefined, { ref: false });
      stopping.abort();
      endHearing();
      bell.ring();
      await taking;
      const all = Promise.all(Array.from(running.values(), ({ ended }) => ended));
      await Promise.race([all, deadline]);
      for (const [run, { end }] of running) {
        end.abort();
        await orNothing(giveBack(database, jobs, run).then(() => []));
      }
      stopped.abort();
      await beating;
    },
  };
}

/** Something to wait for: a ring that nobody waits for yet is heard by who waits next. */
function makeBell(): { ring: () => void; wait: (milliseconds: number) => Promise<void> } {
  let rang = new AbortController();
  return {
    ring: () => rang.abort(),
    async wait(milliseconds) {
      await sleep(milliseconds, undefined, { signal: rang.signal }).catch(() => {});
      rang = new AbortController();
    },
  };
}
