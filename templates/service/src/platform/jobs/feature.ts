/** `backgroundJobs`: items that are made in the background. */
import { workUntilClosed } from '../background-worker.ts';
import type { Feature } from '../feature.ts';
import { addJobMetrics } from './metrics.ts';
import { openQueue } from './queue.ts';
import { jobsRoutes } from './routes.ts';
import type { AnyWork } from './work.ts';
import { startWorker } from './worker.ts';

/** @param works how the items of each collection are made. */
export const backgroundJobs = (works: Readonly<Record<string, AnyWork>>): Feature => ({
  services: () => ({ works }),
  routes: [jobsRoutes],
  register: (app, { config, database, services }) => {
    addJobMetrics(app, database);
    const start = workUntilClosed(app, config);
    return async () => {
      const queue = await openQueue(database);
      Object.assign(services, { jobs: queue });
      start(() => startWorker({ database, jobs: queue, works, log: app.log }, config.workers));
    };
  },
  prepareWork: async (database, { workers }, log) => {
    const queue = await openQueue(database);
    return () => {
      const worker = startWorker({ database, jobs: queue, works, log }, workers);
      log.info(`running up to ${workers} jobs at a time`);
      return worker;
    };
  },
});
