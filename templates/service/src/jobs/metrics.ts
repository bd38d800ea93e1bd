/**
 * Figures of the queue, for Prometheus. They are the database's, and not this process's: each that
 * shares the work tells the same.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';
import { Gauge } from 'prom-client';

import type { Database } from '../database/database.ts';
import { lookAtJobs } from './jobs.ts';
import type { Look } from './jobs.ts';

/** Milliseconds that the database has to answer. */
const PATIENCE = 2_000;

/** Adds the figures to `app.metrics`. While the database is away they have no value. */
export function measureJobs(app: FastifyInstance, database: Database): void {
  // All who ask at the same time are told what one of them finds out.
  let asked: Promise<Look[]> | undefined;
  const look = (): Promise<Look[]> => {
    asked ??= lookAtJobs(database)
      .catch((error: unknown) => {
        app.log.warn({ err: error }, 'the jobs could not be counted');
        return [];
      })
      .finally(() => (asked = undefined));
    return Promise.race([asked, sleep(PATIENCE, [], { ref: false })]);
  };

  const add = (name: string, help: string, value: (found: Look) => number): void =>
    app.metrics.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['status'],
        registers: [],
        async collect() {
          const found = await look();
          this.reset();
          for (const one of found) this.set({ status: one.status }, value(one));
        },
      }),
    );
  add(
    'jobs',
    'Jobs by status, counted up to 10000. Those that failed are kept for 30 days.',
    ({ count }) => count,
  );
  add(
    'jobs_oldest_seconds',
    'How long ago the oldest job of a status was accepted; 0 where there is none.',
    ({ oldest }) => oldest,
  );
}
