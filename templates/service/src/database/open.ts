/** Opens the database that the configuration names. */
import type { Config } from '../config.ts';
import { failureText } from '../failure.ts';
import type { OpenDatabase } from './database.ts';
import { openPostgres } from './postgres.ts';
import { waitForDatabase } from './wait.ts';

/** Milliseconds that a PostgreSQL which is being started has. */
const PATIENCE = 30_000;

/**
 * PostgreSQL where `DATABASE_URL` names one, and PGlite otherwise.
 * @param onTrouble told of what does not stop the work: a start that waits, a connection that is lost.
 */
export async function openDatabase(
  config: Config,
  onTrouble: (error: unknown, what: string) => void = print,
): Promise<OpenDatabase> {
  const { databaseUrl, databasePool, dataDir } = config;
  if (databaseUrl === undefined) {
    // Loaded here alone: a service on PostgreSQL does without.
    const { openPglite } = await import('./pglite.ts');
    return openPglite(dataDir);
  }
  const database = openPostgres(databaseUrl, databasePool, (error) =>
    onTrouble(error, 'a connection to the database was lost'),
  );
  await waitForDatabase(database, PATIENCE, (error) =>
    onTrouble(error, 'waiting for the database'),
  );
  return database;
}

const print = (error: unknown, what: string): void => {
  console.error(`${what}: ${failureText(error)}`);
};
