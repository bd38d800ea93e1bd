/** Indexes the words of rows that were written by SQL, so that searches find them. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import type { Database } from './database.ts';
import { fillWords } from './fill-words.ts';
import type { SearchedTable } from './fill-words.ts';

/** Milliseconds between two looks for such rows. */
const PAUSE = 30_000;

/**
 * Indexes the rows that are marked: the database marks those that are written without words.
 * @returns how many there were.
 */
export async function indexWords(
  database: Database,
  searched: readonly SearchedTable[],
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  for (const table of searched) {
    // An index over words finds the marks, too.
    const isMarked = `${table.words[0]?.column} @> '{""}'`;
    count += await fillWords(database, table, isMarked, signal);
  }
  return count;
}

/** Indexes again and again, from when the function that it gives is called until the service closes. */
export function indexUntilClosed(
  app: FastifyInstance,
  database: Database,
  searched: readonly SearchedTable[],
): () => void {
  const closing = new AbortController();
  let ended: Promise<void> | undefined;
  app.addHook('preClose', async () => closing.abort());
  app.addHook('onClose', async () => ended);
  return () => {
    ended = keepIndexed(app, database, searched, closing.signal);
  };
}

async function keepIndexed(
  { log }: FastifyInstance,
  database: Database,
  searched: readonly SearchedTable[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await indexWords(database, searched, signal);
    } catch (err) {
      log.warn({ err }, 'rows that were written by SQL could not be indexed');
    }
    await sleep(PAUSE, undefined, { signal, ref: false }).catch(() => {});
  }
}
