/** Indexes rows that were written by SQL while the service runs, so that `q` finds them. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import type { Feature, StartFeature } from '../feature.ts';
import type { SearchedTable } from './apply-migrations.ts';
import type { Database } from './database.ts';
import { indexWords } from './fill-words.ts';

/** Milliseconds between two searches for such rows. */
const PAUSE = 30_000;

/** Indexes such rows periodically until the service closes. */
export const searchIndexing = (tables: readonly SearchedTable[]): Feature => ({
  register: (app, { database }) => indexUntilClosed(app, database, tables),
});

/** @returns a function that starts it. */
function indexUntilClosed(
  app: FastifyInstance,
  database: Database,
  tables: readonly SearchedTable[],
): StartFeature {
  const closing = new AbortController();
  let ended: Promise<void> | undefined;
  app.addHook('preClose', async () => closing.abort());
  app.addHook('onClose', async () => ended);
  return () => {
    ended = keepIndexed(app, database, tables, closing.signal);
  };
}

async function keepIndexed(
  { log }: FastifyInstance,
  database: Database,
  tables: readonly SearchedTable[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await indexWords(database, tables, signal);
    } catch (err) {
      log.warn({ err }, 'rows that were written by SQL could not be indexed');
    }
    await sleep(PAUSE, undefined, { signal, ref: false }).catch(() => {});
  }
}
