/** `dryRun` runs a change and rolls it back, to find the errors that it would have. */
import type { Database } from './database.ts';

/**
 * Runs the work within a transaction and rolls it back. Deferred constraints are checked before. The
 * transaction stays usable.
 * @throws what the work throws.
 */
export async function dryRun(
  transaction: Database,
  work: (transaction: Database) => Promise<unknown>,
): Promise<void> {
  await transaction.query({ text: 'savepoint "dry_run"' });
  try {
    await work(transaction);
    await transaction.query({ text: 'set constraints all immediate' });
  } finally {
    await transaction.query({ text: 'rollback to savepoint "dry_run"' });
  }
}
