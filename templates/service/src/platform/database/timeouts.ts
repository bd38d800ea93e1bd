/** How long the database may take. */
import { DatabaseUnavailable } from './unavailable.ts';
import type { Reason } from './unavailable.ts';

/** All in milliseconds. */
export interface Timeouts {
  /** Of one statement: a server that hangs is one that is away. On PostgreSQL alone. */
  readonly statement: number;
  /** Of waiting for what another statement has locked. On PostgreSQL alone. */
  readonly lock: number;
  /** Of all work of a transaction, which keeps a connection, and perhaps locks, from others. */
  readonly transaction: number;
}

/** What holds where the configuration says nothing. */
export const TIMEOUTS: Timeouts = { statement: 10_000, lock: 5_000, transaction: 15_000 };

/** Waits for a result. @throws `DatabaseUnavailable` if it takes longer than this. */
export const inTime = <Result>(
  result: Promise<Result>,
  timeout: number,
  reason: Reason,
  message: string,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const late = (): void => reject(new DatabaseUnavailable(reason, message));
    const timer = setTimeout(late, timeout).unref();
    void result.then(resolve, reject).finally(() => clearTimeout(timer));
  });
