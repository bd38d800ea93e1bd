/** `removeOldEvents` deletes events after `EVENTS_KEEP_DAYS`. */
import type { FastifyInstance } from 'fastify';

import type { Database } from '../database/database.ts';
import { deleteOldEvents } from './event-store.ts';

/** Milliseconds between two deletions. */
const INTERVAL = 10 * 60_000;

/** Deletes old events periodically until the service closes. */
export function removeOldEvents(app: FastifyInstance, database: Database, days: number): void {
  const remove = async (): Promise<void> => {
    try {
      const events = await deleteOldEvents(database, days);
      if (events > 0) app.log.info({ events }, 'old events deleted');
    } catch (error) {
      // The next run deletes them.
      app.log.warn({ err: error }, 'old events could not be deleted');
    }
  };
  const timer = setInterval(() => void remove(), INTERVAL).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
