/** `makeDryRun`: finds the errors that the insert of a job would have, before the job is accepted. */
import type { Resource } from '../database/constraints.ts';
import type { Database } from '../database/database.ts';
import type { Insertion } from '../database/repository.ts';

/**
 * Makes a function that inserts an item without hooks and rolls the insert back. Deferred constraints are checked
 * before. The transaction stays usable. The function throws like `create`, except for what hooks may resolve.
 */
export const makeDryRun =
  <Values>({ insert, errorOf }: Insertion<Values>) =>
  async (
    transaction: Database,
    values: Values,
    id?: string,
    resource?: Resource,
  ): Promise<void> => {
    try {
      await transaction.query({ text: 'savepoint "dry_run"' });
      try {
        await insert(transaction, values, id);
        await transaction.query({ text: 'set constraints all immediate' });
      } finally {
        await transaction.query({ text: 'rollback to savepoint "dry_run"' });
      }
    } catch (error) {
      const known = await errorOf(transaction, error, values, resource);
      if (known !== undefined) throw known;
    }
  };
