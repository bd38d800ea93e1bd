/** Migrates the database, and reads what the migrations made: the schema's state and secrets. */
import { applyMigrations } from './apply-migrations.ts';
import type { Database, MigratedDatabase } from './database.ts';
import { fillWords } from './fill-words.ts';
import { inOrder, readMigrations } from './migrations.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);
const OLDEST_SERVER = 130_000;

/**
 * Applies the migrations of the folder that are missing.
 * @param onWait is called with a line for the log when a migration has to wait for a lock.
 * @returns the names of the migrations that were applied.
 * @throws if the server is too old, if the files do not form a chain, if an applied file is missing or was
 * changed, and if a migration fails, which is rolled back unless it has the line `-- no transaction`.
 */
export async function migrate(
  database: MigratedDatabase,
  onWait: (line: string) => void = console.error,
  folder = FOLDER,
): Promise<string[]> {
  await refuseOldServer(database);
  const applied = await applyMigrations(
    database,
    inOrder(await readMigrations(folder)),
    onWait,
    fillWords,
  );
  return applied;
}

/** Identifies the state of the schema; it differs after each migration. */
export async function schemaState(database: Database): Promise<string> {
  const [last] = await database.query<{ hash: string }>({
    text: 'select "hash" from "_migrations" order by "applied_at" desc, "name" desc limit 1',
  });
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
