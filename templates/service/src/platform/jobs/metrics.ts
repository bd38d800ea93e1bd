/** The Prometheus metrics of jobs. */
import type { FastifyInstance } from 'fastify';

import type { Database } from '../database/database.ts';
import { addQueueMetrics } from '../queue-metrics.ts';
import { countJobs } from './job-store.ts';

/** Registers the gauges. */
export const addJobMetrics = (app: FastifyInstance, database: Database): void =>
  addQueueMetrics(app, {
    name: 'jobs',
    help: 'Jobs by status, counted up to 10000. Failed jobs are kept for 30 days.',
    oldestHelp: 'Age of the oldest job by status; 0 without jobs.',
    count: () => countJobs(database),
  });
