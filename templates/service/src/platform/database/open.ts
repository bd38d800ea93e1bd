/** Opens the database that the configuration names. */
import { errorText } from '../error-text.ts';
import type { OpenDatabase } from './database.ts';
import { openPostgres } from './postgres.ts';
import type { Timeouts } from './timeouts.ts';

/** The settings of the database. */
export interface DatabaseSettings {
  /** A PostgreSQL connection string; undefined for PGlite. */
  readonly databaseUrl: string | undefined;
  /** The maximum number of connections of this process. */
  readonly databasePool: number;
  /** The data folder of PGlite, or `memory`. */
  readonly dataDir: string;
  readonly timeouts: Timeouts;
}

/**
 * PostgreSQL where `DATABASE_URL` names one, and PGlite otherwise. No connection to PostgreSQL is
 * made before one is needed.
 * @param onLost told of a connection that broke while nobody used it.
 */
export async function openDatabase(
  { databaseUrl, databasePool, dataDir, timeouts }: DatabaseSettings,
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
