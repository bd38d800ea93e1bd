/** Trying a change without making it. */
import type { Database } from './database.ts';

/**
 * Does work within a transaction and takes it back, to find out what it runs into: constraints that
 * are checked at the end of a transaction are checked here too. The transaction goes on after it.
 * @throws what the work throws.
 */
export async function trial(
  transaction: Database,
  work: (transaction: Database) => Promise<unknown>,
): Promise<void> {
  await transaction.query({ text: 'savepoint "trial"' });
  try {
    await work(transaction);
    await transaction.query({ text: 'set constraints all immediate' });
  } finally {
    await transaction.query({ text: 'rollback to savepoint "trial"' });
  }
}
