/** Prometheus metrics of deliveries. They come from the database, so every process reports the same values. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';
import { Gauge } from 'prom-client';

import type { Database } from '../database/database.ts';
import { countDeliveries } from './delivery-store.ts';
import type { DeliveryCount } from './delivery-store.ts';

/** Milliseconds that the database has to answer. */
const QUERY_TIMEOUT = 2_000;

/** Registers the gauges. While the database is unavailable they have no values. */
export function addDeliveryMetrics(app: FastifyInstance, database: Database): void {
  // Concurrent scrapes share one query.
  let query: Promise<DeliveryCount[]> | undefined;
  const currentCounts = (): Promise<DeliveryCount[]> => {
    query ??= countDeliveries(database)
      .catch((error: unknown) => {
        app.log.warn({ err: error }, 'the deliveries could not be counted');
        return [];
      })
      .finally(() => (query = undefined));
    return Promise.race([query, sleep(QUERY_TIMEOUT, [], { ref: false })]);
  };

  const add = (name: string, help: string, value: (count: DeliveryCount) => number): void =>
    app.metrics.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['status'],
        registers: [],
        async collect() {
          const counts = await currentCounts();
          this.reset();
          for (const count of counts) this.set({ status: count.status }, value(count));
        },
      }),
    );
  add(
    'webhook_deliveries',
    'Deliveries of events to webhooks by status, counted up to 10000.',
    ({ count }) => count,
  );
  add(
    'webhook_deliveries_oldest_seconds',
    'Age of the oldest delivery by status; 0 without deliveries.',
    ({ oldest }) => oldest,
  );
}
