/** Whether this process lives, and whether it can do its work: for whoever runs it. */
import type { FastifyInstance } from 'fastify';

import type { OpenDatabase } from '../database/database.ts';
import { unavailable } from './errors.ts';
import { refuseParameters } from './query.ts';

/** Milliseconds that the database has to answer. */
const PATIENCE = 2_000;

/** Registers `/health/live` and `/health/ready`. `isDraining` tells that the service is stopping. */
export function healthRoutes(
  app: FastifyInstance,
  database: OpenDatabase,
  isDraining: () => boolean,
): void {
  // All who ask at the same time are told what one of them finds out.
  let asked: Promise<void> | undefined;

  app.get('/health/live', async (request) => {
    refuseParameters(request);
    return { status: 'live' };
  });

  app.get('/health/ready', async (request) => {
    refuseParameters(request);
    if (isDraining()) throw unavailable('The service is stopping.', 5);
    await (asked ??= database.ping(PATIENCE).finally(() => (asked = undefined)));
    return { status: 'ready' };
  });
}
