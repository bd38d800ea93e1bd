/** Delivers events to webhooks, several at a time, until it is stopped. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import { VERSIONS } from '../http/versions.ts';
import { deliver } from './deliver.ts';
import type { DeliveryServices } from './deliver.ts';
import { disableRetired, giveBackRuns, takeDeliveries } from './delivery-store.ts';
import type { Run } from './delivery-store.ts';

/** Milliseconds between two polls for new events and retries. */
const POLL_INTERVAL = 1_000;
/** Deliveries that this process has in flight at once; they wait for receivers most of the time. */
const CONCURRENCY = 50;
/** Milliseconds of the grace period that are reserved for giving deliveries back. */
const RETURN_TIME = 1_500;

/** The settings of the process. */
interface WorkerSettings {
  /** 0 if only separate workers deliver. */
  readonly workers: number;
  /** Seconds that deliveries have to finish at shutdown. */
  readonly shutdownGrace: number;
}

export interface DeliveryWorker {
  /**
   * Takes no more deliveries, waits for those in flight, and gives back the unfinished ones.
   * @param grace milliseconds that deliveries have to finish.
   */
  stop(grace: number): Promise<void>;
}

/** The part of the shutdown grace period that deliveries have to finish, in milliseconds. */
export const deliveryGraceOf = ({ shutdownGrace }: Pick<WorkerSettings, 'shutdownGrace'>): number =>
  Math.max(0, shutdownGrace * 1000 - RETURN_TIME);

/**
 * Stops the deliveries of this process when the service closes.
 * @returns a function that starts them, unless `WORKERS` is 0.
 */
export function deliverUntilClosed(
  app: FastifyInstance,
  settings: WorkerSettings,
): (services: DeliveryServices) => void {
  let worker: DeliveryWorker | undefined;
  let stopped: Promise<void> | undefined;
  app.addHook('preClose', async () => {
    // Not awaited here: deliveries end while requests in flight are answered.
    stopped = worker?.stop(deliveryGraceOf(settings));
  });
  app.addHook('onClose', async () => stopped);
  return (services) => {
    if (settings.workers > 0) worker = startDeliveries(services);
  };
}

/** Starts to deliver. */
export function startDeliveries(services: DeliveryServices): DeliveryWorker {
  const { database, subscriptions, log } = services;
  const running = new Map<Run, Promise<void>>();
  const stopping = new AbortController();
  const aborted = new AbortController();
  /** Ends the current wait, because a delivery has ended. */
  let wakeUp = new AbortController();

  const begin = (run: Run): void => {
    const ended = deliver(services, run, aborted.signal)
      // The delivery is not lost: it is attempted again when its lease expires.
      .catch((error: unknown) =>
        log.error({ err: error, delivery: run.id }, 'the result of a delivery could not be stored'),
      )
      .finally(() => {
        // Given back at the end if it was aborted.
        if (!aborted.signal.aborted) running.delete(run);
        wakeUp.abort();
      });
    running.set(run, ended);
  };

  /** Takes what is due. @returns whether to go on at once. */
  const take = async (): Promise<boolean> => {
    try {
      const { runs, hasMore } = await takeDeliveries(
        database,
        subscriptions,
        CONCURRENCY - running.size,
      );
      for (const run of runs) begin(run);
      return hasMore;
    } catch (error) {
      log.warn({ err: error }, 'deliveries could not be read');
      return false;
    }
  };

  const work = async (): Promise<void> => {
    await disableRetired(database, VERSIONS).then(
      (ids) =>
        ids.length > 0 && log.warn({ webhooks: ids }, 'webhooks of retired versions disabled'),
      (error: unknown) => log.warn({ err: error }, 'webhooks could not be read'),
    );
    while (!stopping.signal.aborted) {
      const hasMore = await take();
      if (!hasMore) await waitFor(POLL_INTERVAL);
    }
  };

  const waitFor = async (milliseconds: number): Promise<void> => {
    const signal = AbortSignal.any([stopping.signal, wakeUp.signal]);
    await sleep(milliseconds, undefined, { signal }).catch(() => {});
    if (wakeUp.signal.aborted) wakeUp = new AbortController();
  };

  const working = work();
  return {
    async stop(grace) {
      const deadline = sleep(grace, undefined, { ref: false });
      stopping.abort();
      await working;
      await Promise.race([Promise.all(running.values()), deadline]);
      const unfinished = [...running.keys()];
      aborted.abort();
      if (unfinished.length === 0) return;
      await giveBackRuns(database, unfinished).catch((error: unknown) =>
        // They are attempted again when their leases expire.
        log.warn({ err: error }, 'deliveries could not be given back'),
      );
    },
  };
}
