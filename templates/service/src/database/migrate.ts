/** Brings the database up to date: the files of `migrations/`, in order, each once. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

import type { Database } from './database.ts';
import { isUnavailable } from './unavailable.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
/** Any number that is the same in every process: they migrate one after the other. */
const LOCK = 7_305_011;
const OLDEST_SERVER = 130_000;
/** Milliseconds: a migration of a large table takes as long as it takes. */
const PATIENCE = 24 * 60 * 60 * 1000;

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly hash: string;
}

/**
 * Applies what is missing, each migration in a transaction of its own.
 * @returns the names of those that were applied.
 * @throws where the server is too old, or where a migration was changed after it was applied.
 */
export async function migrate(database: Database): Promise<string[]> {
  await refuseOldServer(database);
  const migrations = await readMigrations();
  await database.transaction(async (transaction) => {
    await lock(transaction);
    await transaction.query({
      text: `create table if not exists "_migrations" (
        "name" text primary key,
        "hash" text not null,
        "applied_at" timestamptz not null default now()
      )`,
    });
  }, PATIENCE);
  const applied: string[] = [];
  for (const migration of migrations) {
    if (await database.transaction((transaction) => apply(transaction, migration), PATIENCE)) {
      applied.push(migration.name);
    }
  }
  return applied;
}

/** A name for what the migrations have made of the schema: another one after each of them. */
export async function schemaState(database: Database): Promise<string> {
  const [last] = await database.query<{ hash: string }>({
    text: 'select "hash" from "_migrations" order by "name" desc limit 1',
  });
  return last?.hash.slice(0, 8) ?? '';
}

async function apply(transaction: Database, { name, text, hash }: Migration): Promise<boolean> {
  await lock(transaction);
  const [done] = await transaction.query<{ hash: string }>(
    { text: 'select "hash" from "_migrations" where "name" = $1' },
    [name],
  );
  if (done !== undefined) {
    if (done.hash === hash) return false;
    throw new Error(
      `The migration ${name} was changed after it was applied to this database. Put the file ` +
        'back as it was, and write what is new as a migration of its own.',
    );
  }
  try {
    await transaction.query({ text, timeout: PATIENCE });
  } catch (error) {
    throw isUnavailable(error) ? error : failed(name, text, error);
  }
  await transaction.query({ text: 'insert into "_migrations" ("name", "hash") values ($1, $2)' }, [
    name,
    hash,
  ]);
  return true;
}

/** Says which migration failed and where. Nothing of it is kept. */
function failed(name: string, text: string, error: unknown): Error {
  const { message, position } = error as { message: string; position?: string };
  const line = text.slice(0, Number(position ?? 0)).split('\n').length;
  const place = position === undefined ? name : `${name}, line ${line}`;
  return new Error(`The migration ${place}: ${message}. Nothing of it was applied.`, {
    cause: error,
  });
}

/** Waits until no other process migrates, and for the statements that follow without an end. */
async function lock(transaction: Database): Promise<void> {
  await transaction.query({
    text: 'set local statement_timeout = 0; set local lock_timeout = 0',
  });
  await transaction.query({ text: 'select pg_advisory_xact_lock($1)', timeout: PATIENCE }, [LOCK]);
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

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8');
      // Line ends are the editor's affair, and no change of a migration.
      const hash = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
      return { name, text, hash };
    }),
  );
}
