/** Opens the database that the configuration names. */
import type { Config } from '../config.ts';
import { errorText } from '../error-text.ts';
import type { OpenDatabase } from './database.ts';
import { openPostgres } from './postgres.ts';

/**
 * PostgreSQL where `DATABASE_URL` names one, and PGlite otherwise. No connection to PostgreSQL is
 * made before one is needed.
 * @param onLost told of a connection that broke while nobody used it.
 */
export async function openDatabase(
  { databaseUrl, databasePool, dataDir, timeouts }: Config,
  onLost: (error: Error) => void = printLost,
): Promise<OpenDatabase> {
  if (databaseUrl !== undefined) return openPostgres(databaseUrl, databasePool, onLost, timeouts);
  // Imported here because a service on PostgreSQL does not need it.
  const { openPglite } = await import('./pglite.ts');
  return openPglite(dataDir, timeouts);
}

const printLost = (error: Error): void => {
  console.error(`A connection to the database was lost: ${errorText(error)}`);
};
