/** Applies migrations: each once, in a transaction of its own, in one process at a time. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { Database } from './database.ts';
import type { Migration } from './migrations.ts';

/** The key of the advisory lock under which processes migrate one after the other. */
const LOCK = 7_305_011;
/** The timeout of a migration, in milliseconds: a large table takes long. */
const PATIENCE = 24 * 60 * 60 * 1000;
/** SQLSTATE: a table was locked for longer than `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';
/**
 * Milliseconds that a statement waits for a lock. All later requests for the table wait behind it, so a
 * migration gives up soon, and is repeated: it holds nothing meanwhile.
 */
const LOCK_TIMEOUT = 500;
/** Milliseconds until a migration is repeated, and for how long it is. */
const LOCK_PAUSE = 1_000;
const LOCK_PATIENCE = 5 * 60 * 1000;
/**
 * A line of a migration that fills a column with the words of texts, which SQL cannot do. It names the
 * table, the column if it is not the usual one, and the columns with the texts.
 */
const FILL_WORDS = /^-- fill words: ("\w+")(?:\.("\w+"))? \((.+)\)$/m;

/** A table that `q` searches; all names are quoted. */
export interface SearchedTable {
  readonly name: string;
  /** The columns with words, and the columns with the texts that they are taken from. */
  readonly words: readonly { readonly column: string; readonly texts: readonly string[] }[];
}

/** Fills the columns of words of a table (`fill-words.ts`). */
type FillWords = (transaction: Database, table: SearchedTable) => Promise<unknown>;

/**
 * Applies the migrations that are missing, in the given order.
 * @param onWait is called with a line for the log when a migration has to wait for a lock.
 * @param fillWords absent in a service without search. Then later migrations drop the columns that it
 * would fill.
 * @returns the names of the migrations that were applied.
 * @throws if an applied file is missing or was changed, and if a migration fails, which is rolled back.
 */
export async function applyMigrations(
  database: Database,
  migrations: readonly Migration[],
  onWait: (line: string) => void,
  fillWords?: FillWords,
): Promise<string[]> {
  await database.transaction((transaction) => prepare(transaction, migrations), PATIENCE);
  const applied: string[] = [];
  for (const migration of migrations) {
    try {
      const wasMissing = await untilUnlocked(migration, onWait, () =>
        database.transaction((transaction) => apply(transaction, migration, fillWords), PATIENCE),
      );
      if (wasMissing) applied.push(migration.name);
    } catch (error) {
      throw new Error(
        `The migration ${migration.name} failed and was rolled back: ${reasonOf(error)}`,
        { cause: error },
      );
    }
  }
  return applied;
}

/** Repeats a migration while a table that it changes is locked, up to `LOCK_PATIENCE`. */
async function untilUnlocked<Result>(
  { name }: Migration,
  onWait: (line: string) => void,
  migrate: () => Promise<Result>,
): Promise<Result> {
  const end = performance.now() + LOCK_PATIENCE;
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrate();
    } catch (error) {
      if (!isLocked(error) || performance.now() > end) throw error;
      if (attempt === 1) onWait(`the migration ${name} waits for a table that others have locked`);
      await sleep(LOCK_PAUSE);
    }
  }
}

/** Creates the table of applied migrations, and compares its rows with the files. */
async function prepare(transaction: Database, migrations: readonly Migration[]): Promise<void> {
  await lock(transaction);
  await transaction.query({
    text: `create table if not exists "_migrations" (
      "name" text primary key,
      "hash" text not null,
      "applied_at" timestamptz not null default now()
    )`,
  });
  const applied = await transaction.query<{ name: string; hash: string }>({
    text: 'select "name", "hash" from "_migrations" order by "applied_at", "name"',
  });
  for (const { name, hash } of applied) {
    const file = migrations.find((migration) => migration.name === name);
    if (file === undefined) {
      throw new Error(
        `The migration ${name} was applied to this database, and is missing here. The ` +
          'database belongs to a newer version of the service, or to another branch: start that one, ' +
          'or restore the file.',
      );
    }
    if (file.hash !== hash) {
      throw new Error(
        `The migration ${name} was changed after it was applied to this database. Restore ` +
          'the file, and put further changes into a new migration.',
      );
    }
  }
}

async function apply(
  transaction: Database,
  { name, text, hash }: Migration,
  fillWords: FillWords | undefined,
): Promise<boolean> {
  await lock(transaction);
  const done = await transaction.query({ text: 'select from "_migrations" where "name" = $1' }, [
    name,
  ]);
  if (done.length > 0) return false;
  await transaction.query({ text: `set local lock_timeout = ${LOCK_TIMEOUT}` });
  const [sql = '', ...steps] = text.split(FILL_WORDS);
  await run(transaction, text, sql);
  for (let at = 0; at < steps.length; at += 4) {
    const [table = '', column = '"_words"', texts = '', next = ''] = steps.slice(at, at + 4);
    await fillWords?.(transaction, { name: table, words: [{ column, texts: texts.split(', ') }] });
    await run(transaction, text, next);
  }
  await transaction.query({ text: 'insert into "_migrations" ("name", "hash") values ($1, $2)' }, [
    name,
    hash,
  ]);
  return true;
}

/** Runs SQL of a migration. @throws an error that names the line, if the server reports a position. */
async function run(transaction: Database, file: string, sql: string): Promise<void> {
  try {
    await transaction.query({ text: sql, timeout: PATIENCE });
  } catch (error) {
    const { message, position } = error as { message: string; position?: string };
    if (position === undefined) throw error;
    const before = file.slice(0, file.indexOf(sql) + Number(position));
    throw new Error(`${message} (line ${before.split('\n').length})`, { cause: error });
  }
}

/** Waits until no other process migrates, and removes the timeouts of this transaction. */
async function lock(transaction: Database): Promise<void> {
  await transaction.query({
    text: 'set local statement_timeout = 0; set local lock_timeout = 0',
  });
  await transaction.query({ text: 'select pg_advisory_xact_lock($1)', timeout: PATIENCE }, [LOCK]);
}

/** Why a migration failed, as a sentence. */
function reasonOf(error: unknown): string {
  if (isLocked(error)) {
    return 'a table that it changes stayed locked. End what locks it, or migrate under less load.';
  }
  return error instanceof Error ? error.message : String(error);
}

/** Whether a lock was not to be had. The transaction may have wrapped the error of the server. */
function isLocked(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return [code, cause?.code].includes(LOCK_NOT_AVAILABLE);
}
