/** Prometheus metrics of queues. They come from the database, so every process reports the same values. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';
import { Gauge } from 'prom-client';

/** The number and age of what has a status. */
export interface QueueCount {
  readonly status: string;
  readonly count: number;
  /** The age of the oldest in seconds; 0 without any. */
  readonly oldest: number;
}

/** A queue, and the texts for its gauges. */
interface CountedQueue {
  /** The name of the gauge of counts; that of ages ends with `_oldest_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly oldestHelp: string;
  readonly count: () => Promise<readonly QueueCount[]>;
}

/** Milliseconds that the database has to answer. */
const QUERY_TIMEOUT = 2_000;

/** Registers the gauges of a queue. While the database is unavailable they have no values. */
export function addQueueMetrics(
  app: FastifyInstance,
  { name, help, oldestHelp, count }: CountedQueue,
): void {
  // Concurrent scrapes share one query.
  let query: Promise<readonly QueueCount[]> | undefined;
  const currentCounts = (): Promise<readonly QueueCount[]> => {
    query ??= count()
      .catch((error: unknown) => {
        app.log.warn({ err: error, metric: name }, 'a metric could not be read');
        return [];
      })
      .finally(() => (query = undefined));
    return Promise.race([query, sleep(QUERY_TIMEOUT, [], { ref: false })]);
  };

  const add = (gauge: string, text: string, value: (one: QueueCount) => number): void =>
    app.metrics.registerMetric(
      new Gauge({
        name: gauge,
        help: text,
        labelNames: ['status'],
        registers: [],
        async collect() {
          const counts = await currentCounts();
          this.reset();
          for (const one of counts) this.set({ status: one.status }, value(one));
        },
      }),
    );
  add(name, help, (one) => one.count);
  add(`${name}_oldest_seconds`, oldestHelp, ({ oldest }) => oldest);
}
