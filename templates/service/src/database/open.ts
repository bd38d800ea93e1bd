/** Opens the database that the configuration names. */
import type { Config } from '../config.ts';
import { failureText } from '../failure.ts';
import type { OpenDatabase } from './database.ts';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';
import { waitForDatabase } from './wait.ts';

/** Milliseconds that a PostgreSQL which is being started has. */
const PATIENCE = 30_000;

/** PostgreSQL where `DATABASE_URL` names one, and PGlite otherwise. */
export async function openDatabase(config: Config): Promise<OpenDatabase> {
  const { databaseUrl, databasePool, dataDir } = config;
  if (databaseUrl === undefined) return openPglite(dataDir);
  const database = openPostgres(databaseUrl, databasePool, (error) => {
    console.error(`A connection to the database was lost: ${error.message}`);
  });
  await waitForDatabase(database, PATIENCE, (error) => {
    console.error(`Waiting for the database: ${failureText(error)}`);
  });
  return database;
}
