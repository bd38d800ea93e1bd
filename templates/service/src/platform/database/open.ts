/** Opens the database that the configuration names, and waits until it can be reached. */
import { setTimeout as sleep } from 'node:timers/promises';

import { DATABASE_FEATURES } from '../features.ts';
import { errorText } from '../log.ts';
import { withPackage } from '../optional-package.ts';
import type { Database, OnError, OpenDatabase, Timeouts } from './database.ts';
import { openPostgres } from './postgres.ts';
import { DatabaseUnavailable, isUnavailable, reasonOf, TransactionPooling } from './unavailable.ts';

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
 * Opens PostgreSQL if `DATABASE_URL` names one, else PGlite. Connections to PostgreSQL are made when
 * they are first needed.
 * @param onError is called when an idle connection breaks, and for errors of `afterCommit`.
 */
export async function openDatabase(
  { databaseUrl, databasePool, dataDir, timeouts }: DatabaseSettings,
  onError: OnError = printError,
): Promise<OpenDatabase> {
  if (databaseUrl !== undefined)
    return openPostgres(connectionString(databaseUrl), databasePool, onError, timeouts);
  const { openPglite } = await withPackage(
    () => import('./pglite.ts'),
    '@electric-sql/pglite',
    'Set DATABASE_URL',
  );
  const database = await openPglite(dataDir, onError, timeouts);
  await initialize(database);
  return database;
}

/** The connection string of PostgreSQL with what features need. */
export const connectionString = (databaseUrl: string): string =>
  DATABASE_FEATURES.reduce((url, feature) => feature.connectionString?.(url) ?? url, databaseUrl);

/** Initializes a database that no other program uses, with what features need. */
export async function initialize(database: Database): Promise<void> {
  for (const feature of DATABASE_FEATURES) await feature.initialize?.(database);
}

const printError: OnError = (error, message) => console.error(`${message}: ${errorText(error)}`);

/** Milliseconds that a command waits for a PostgreSQL that is starting. */
export const PATIENCE = 30_000;
/** Milliseconds between two attempts. */
const RETRY_INTERVAL = 1_000;

/**
 * Runs work on the database, and repeats it while the database is unavailable. Any other error is thrown
 * at once: waiting does not help against a wrong password, or a pooler in transaction mode.
 * @param onWait is called with a line for the log, and again when the reason changes.
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
  let lastReason: string | undefined;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnreachable(error) || performance.now() > end) throw error;
      const reason = errorText((error instanceof DatabaseUnavailable && error.cause) || error);
      if (reason !== lastReason) onWait(`waiting for the database${host}: ${reason}`);
      lastReason = reason;
      await sleep(RETRY_INTERVAL);
    }
  }
}

/** Whether the database is unavailable, or was lost during a migration, and waiting may help. */
const isUnreachable = (error: unknown): boolean =>
  !(error instanceof TransactionPooling) &&
  (isUnavailable(error) || reasonOf((error as Error).cause) === 'unreachable');
