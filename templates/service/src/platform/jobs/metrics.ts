/** Prometheus metrics of jobs. They come from the database, so every process reports the same values. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';
import { Gauge } from 'prom-client';

import type { Database } from '../database/database.ts';
import { countJobs } from './job-store.ts';
import type { JobCount } from './job-store.ts';

/** Milliseconds that the database has to answer. */
const QUERY_TIMEOUT = 2_000;

/** Registers the gauges. While the database is unavailable they have no values. */
export function addJobMetrics(app: FastifyInstance, database: Database): void {
  // Concurrent scrapes share one query.
  let query: Promise<JobCount[]> | undefined;
  const currentCounts = (): Promise<JobCount[]> => {
    query ??= countJobs(database)
      .catch((error: unknown) => {
        app.log.warn({ err: error }, 'the jobs could not be counted');
        return [];
      })
      .finally(() => (query = undefined));
    return Promise.race([query, sleep(QUERY_TIMEOUT, [], { ref: false })]);
  };

  const add = (name: string, help: string, value: (count: JobCount) => number): void =>
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
    'jobs',
    'Jobs by status, counted up to 10000. Failed jobs are kept for 30 days.',
    ({ count }) => count,
  );
  add(
    'jobs_oldest_seconds',
    'Age of the oldest job by status; 0 without jobs.',
    ({ oldest }) => oldest,
  );
}
