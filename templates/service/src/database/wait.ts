/** Waiting for a database that is started at the same time as this service. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { Database } from './database.ts';
import { isUnavailable } from './unavailable.ts';

/** Milliseconds between two tries. */
const PAUSE = 1_000;

/**
 * Waits until the database answers.
 * @param patience milliseconds, after which the last error is thrown.
 * @param onWait told once, where the first try fails.
 */
export async function waitForDatabase(
  database: Database,
  patience: number,
  onWait: (error: unknown) => void,
): Promise<void> {
  const end = Date.now() + patience;
  for (let tries = 1; ; tries++) {
    try {
      await database.query({ text: 'select 1' });
      return;
    } catch (error) {
      if (!isUnavailable(error) || Date.now() > end) throw error;
      if (tries === 1) onWait(error);
      await sleep(PAUSE);
    }
  }
}
