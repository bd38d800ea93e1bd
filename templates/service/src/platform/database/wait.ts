/** Waiting for a database that starts at the same time as this service, or later. */
import { setTimeout as sleep } from 'node:timers/promises';

import { errorText } from '../error-text.ts';
import type { DatabaseSettings } from './open.ts';
import { DatabaseUnavailable, isUnavailable, reasonOf } from './unavailable.ts';

/** Milliseconds that a command waits for a PostgreSQL which is being started. */
export const PATIENCE = 30_000;
/** Milliseconds between two attempts. */
const PAUSE = 1_000;

/**
 * Runs work on the database, again and again while the database cannot be reached. An error of any
 * other kind is thrown at once: waiting would change neither a wrong password nor a wrong name.
 * @param onWait called with one line that says what is waited for, and again when the reason changes.
 * @param patience milliseconds after which the last error is thrown.
 */
export async function waitForDatabase<Result>(
  { databaseUrl }: Pick<DatabaseSettings, 'databaseUrl'>,
  work: () => Promise<Result>,
  onWait: (line: string) => void,
  patience = Number.POSITIVE_INFINITY,
): Promise<Result> {
  const end = performance.now() + patience;
  const host = databaseUrl === undefined ? '' : ` at ${new URL(databaseUrl).host}`;
  let told: string | undefined;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || performance.now() > end) throw error;
      const reason = errorText((error instanceof DatabaseUnavailable && error.cause) || error);
      if (reason !== told) onWait(`waiting for the database${host}: ${reason}`);
      told = reason;
      await sleep(PAUSE);
    }
  }
}

/** Whether the database cannot be reached, or was lost within a migration. */
const isAway = (error: unknown): boolean =>
  isUnavailable(error) || reasonOf((error as Error).cause) === 'away';
