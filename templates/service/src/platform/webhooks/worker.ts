/** Delivers events to webhooks, several at a time, until it is stopped. */
import { setTimeout as sleep } from 'node:timers/promises';

import { makeSignal } from '../background-worker.ts';
import type { BackgroundWorker } from '../feature.ts';
import { VERSIONS } from '../service.ts';
import { deliver } from './deliver.ts';
import type { DeliveryServices } from './deliver.ts';
import { disableRetired, giveBackRuns, takeDeliveries } from './delivery-store.ts';
import type { Run } from './delivery-store.ts';

/** Milliseconds between two polls for new events and retries. */
const POLL_INTERVAL = 1_000;
/** Deliveries that this process has in flight at once; they wait for receivers most of the time. */
const CONCURRENCY = 50;

/** Starts to deliver. */
export function startDeliveries(services: DeliveryServices): BackgroundWorker {
  const { database, types, log } = services;
  const running = new Map<Run, Promise<void>>();
  const stopping = new AbortController();
  const aborted = new AbortController();
  const wakeUp = makeSignal();

  const begin = (run: Run): void => {
    const ended = deliver(services, run, aborted.signal)
      // The delivery is not lost: it is attempted again when its lease expires.
      .catch((error: unknown) =>
        log.error({ err: error, delivery: run.id }, 'the result of a delivery could not be stored'),
      )
      .finally(() => {
        // Given back at the end if it was aborted.
        if (!aborted.signal.aborted) running.delete(run);
        wakeUp.send();
      });
    running.set(run, ended);
  };

  /** Takes what is due. @returns whether to go on at once. */
  const take = async (): Promise<boolean> => {
    try {
      const { runs, hasMore } = await takeDeliveries(database, types, CONCURRENCY - running.size);
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
      if (!hasMore) await wakeUp.wait(POLL_INTERVAL);
    }
  };

  const working = work();
  return {
    async stop(grace) {
      const deadline = sleep(grace, undefined, { ref: false });
      stopping.abort();
      wakeUp.send();
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
