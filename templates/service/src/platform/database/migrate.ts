/** Migrates the database, and reads what the migrations made: the schema's state and secrets. */
import type { FastifyBaseLogger } from 'fastify';

import { DATABASE_FEATURES } from '../features.ts';
import { applyMigrations } from './apply-migrations.ts';
import type { MigrationOptions, MigrationResult } from './apply-migrations.ts';
import type { Database, MigratedDatabase } from './database.ts';
import { readMissing } from './migration-records.ts';
import { inOrder, readMigrations } from './migrations.ts';
import type { Migration } from './migrations.ts';
import type { Heartbeat } from './processes.ts';
import { findOutdated, updateRepeatable } from './repeatable-migrations.ts';
import { DatabaseUnavailable } from './unavailable.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);
const OLDEST_SERVER = 130_000;

/** Reads the migrations of the folder in the order in which they are applied. @throws if they form no chain. */
export const loadMigrations = async (folder = FOLDER): Promise<Migration[]> =>
  inOrder(await readMigrations(folder));

/** The database with sessions that migrations run in. */
const forMigrations = (database: MigratedDatabase): MigratedDatabase =>
  DATABASE_FEATURES.reduce((inner, feature) => feature.forMigrations?.(inner) ?? inner, database);

/** What lines of migrations call. */
const FEATURE_OPTIONS = DATABASE_FEATURES.reduce<MigrationOptions>(
  (options, { migrationOptions }) => Object.assign(options, migrationOptions),
  {},
);

/** Applies the migrations that are missing (`applyMigrations`). @throws also if the server is too old. */
export async function migrate(
  database: MigratedDatabase,
  options: MigrationOptions = { onWait: console.error },
  migrations?: readonly Migration[],
): Promise<MigrationResult> {
  await refuseOldServer(database);
  for (const feature of DATABASE_FEATURES) await feature.beforeMigrations?.(database);
  const files = migrations ?? (await loadMigrations());
  const migrated = forMigrations(database);
  const result = await applyMigrations(migrated, files, { ...FEATURE_OPTIONS, ...options });
  for (const feature of DATABASE_FEATURES) await feature.afterMigrations?.(database);
  const updated = await updateRepeatable(migrated, files, options);
  return { ...result, applied: [...result.applied, ...updated] };
}

/** @returns the names of the migrations that are missing, contracts excepted. @throws as `readApplied`. */
const readPending = (database: MigratedDatabase, files: readonly Migration[]): Promise<string[]> =>
  forMigrations(database).session(async (session) => {
    const missing = await readMissing(session, files);
    if (missing.length > 0) return missing;
    return (await findOutdated(session, files, [])).map(({ name }) => name);
  });

const pendingText = (names: readonly string[]): string =>
  `Migrations are pending: ${names.join(', ')}. Run \`npm run migrate\`.`;

/** Applies migrations for a command as `MIGRATE` says. @throws as `migrate`, and if `MIGRATE` is false and some are missing. */
export async function migrateForCommand(
  database: MigratedDatabase,
  setting: boolean | 'all',
): Promise<void> {
  if (setting === false) {
    const pending = await readPending(database, await loadMigrations());
    if (pending.length > 0) throw new Error(pendingText(pending));
    return;
  }
  await migrate(database, { onWait: console.error, onlyQuick: setting === true });
}

/**
 * Applies migrations at the start of a process as `MIGRATE` says. @param beat writes the row of the process.
 * @throws `DatabaseUnavailable` if `MIGRATE` is false and some are missing, so that the process waits until they are
 * applied, or another error with PGlite, which no other process could migrate; also if a newer version has applied what
 * this one cannot run on.
 */
export async function migrateAtStart(
  database: MigratedDatabase,
  setting: boolean | 'all',
  { beat }: Heartbeat,
  log: FastifyBaseLogger,
  folder = FOLDER,
): Promise<void> {
  const files = await loadMigrations(folder);
  if (setting === false) {
    const refusePending = async (): Promise<void> => {
      const pending = await readPending(database, files);
      if (pending.length === 0) return;
      // While this process waits, no other one can open a database that is not shared, and migrate it.
      throw database.isShared
        ? new DatabaseUnavailable('busy', pendingText(pending))
        : new Error(pendingText(pending));
    };
    // As a start without the lock (`waitForTurn`): the second check follows the row. A process that waits leaves no row.
    await refusePending();
    await beat();
    await refusePending();
    return;
  }
  const onWait = (line: string): void => log.warn(line);
  const { applied } = await migrate(database, { onWait, beat, onlyQuick: setting === true }, files);
  for (const migration of applied) log.info({ migration }, 'migration applied');
}

/**
 * Identifies the state of the schema; it differs after each migration. Those with `-- contract`, and those of a
 * newer version, do not count: they are applied while processes run, which have read the state when they started.
 */
export async function schemaState(database: Database, folder = FOLDER): Promise<string> {
  const files = (await readMigrations(folder)).filter(({ isContract }) => !isContract);
  const [last] = await database.query<{ hash: string }>(
    {
      text: `select "hash" from "_migrations" where "name" = any($1)
        order by "applied_at" desc, "name" desc limit 1`,
    },
    [files.map(({ name }) => name)],
  );
  return last?.hash.slice(0, 8) ?? '';
}

async function refuseOldServer(database: Database): Promise<void> {
  const [row] = await database.query<{ number: string; version: string }>({
    text: `select current_setting('server_version_num') as "number",
      current_setting('server_version') as "version"`,
  });
  if (Number(row?.number) < OLDEST_SERVER) {
    throw new Error(`PostgreSQL 13 or newer is needed, and this server is ${row?.version}.`);
  }
}

/** SQLSTATE: a table does not exist. */
const UNDEFINED_TABLE = '42P01';

/** Reads a secret that the first migration made for all processes. @throws where it has not run. */
export async function readSecret(database: Database, name: string): Promise<string> {
  const statement = { text: 'select "value" from "_secrets" where "name" = $1' };
  try {
    const [row] = await database.query<{ value: string }>(statement, [name]);
    if (row !== undefined) return row.value;
  } catch (error) {
    if ((error as { code?: string }).code !== UNDEFINED_TABLE) throw error;
    throw new Error('The database has no schema yet: run `npm run migrate`.', { cause: error });
  }
  throw new Error(`The database holds no secret called ${name}.`);
}
