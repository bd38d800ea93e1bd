/** What workers share: they work beside the requests of a service, or in a process of their own, until it stops. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import type { EnvironmentReader } from './environment.ts';
import type { BackgroundWorker } from './feature.ts';
import type { Settings } from './settings.ts';

/** Milliseconds of the grace period that are reserved for giving back what is unfinished. */
const RETURN_TIME = 1_500;

interface WorkerSettings {
  /** What this process does at a time, such as jobs; 0 if only separate processes work. */
  readonly workers: number;
}

declare module './settings.ts' {
  interface Settings extends WorkerSettings {}
}

export const readWorkerSettings = (read: EnvironmentReader): WorkerSettings => ({
  workers: read.integer('WORKERS', 4, 0, 100),
});

/** The part of the shutdown grace period that running work has to finish, in milliseconds. */
export const graceOf = ({ shutdownGrace }: Pick<Settings, 'shutdownGrace'>): number =>
  Math.max(0, shutdownGrace * 1000 - RETURN_TIME);

/**
 * Stops a worker of this process when the service closes.
 * @returns a function that starts the worker, unless `WORKERS` is 0.
 */
export function workUntilClosed(
  app: FastifyInstance,
  settings: Pick<Settings, 'workers' | 'shutdownGrace'>,
): (start: () => BackgroundWorker) => void {
  let worker: BackgroundWorker | undefined;
  let stopped: Promise<void> | undefined;
  app.addHook('preClose', async () => {
    // Not awaited here: the worker stops while requests in flight are answered.
    stopped = worker?.stop(graceOf(settings));
  });
  app.addHook('onClose', async () => stopped);
  return (start) => {
    if (settings.workers > 0) worker = start();
  };
}

/** A signal that ends the current `wait`, or the next one if none is running. */
export function makeSignal(): { send: () => void; wait: (milliseconds: number) => Promise<void> } {
  let sent = new AbortController();
  return {
    send: () => sent.abort(),
    async wait(milliseconds) {
      await sleep(milliseconds, undefined, { signal: sent.signal }).catch(() => {});
      sent = new AbortController();
    },
  };
}
