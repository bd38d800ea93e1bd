/** Whether this process lives, and whether it can do its work: for whoever runs it. */
import type { FastifyInstance } from 'fastify';

import type { Database } from '../database/database.ts';
import { unavailable } from './errors.ts';
import { refuseParameters } from './query.ts';

/** Registers `/health/live` and `/health/ready`. `isDraining` tells that the service is stopping. */
export function healthRoutes(
  app: FastifyInstance,
  database: Database,
  isDraining: () => boolean,
): void {
  app.get('/health/live', async (request) => {
    refuseParameters(request);
    return { status: 'live' };
  });

  app.get('/health/ready', async (request) => {
    refuseParameters(request);
    if (isDraining()) throw unavailable('The service is stopping.', 5);
    await database.query({ text: 'select 1' });
    return { status: 'ready' };
  });
}
