/**
 * Applies migrations: each once, in one process at a time, and in a transaction of its own. A file with the
 * line `-- no transaction` is applied a statement at a time instead, for what no transaction may contain.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { Database, MigratedDatabase } from './database.ts';
import type { Migration } from './migrations.ts';

/** The key of the advisory lock under which processes migrate one after the other. */
const LOCK = 7_305_011;
/** Milliseconds until a process asks again whether another one still migrates. */
const TURN_PAUSE = 100;
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

/** The line of a migration whose statements are applied one by one. */
const NO_TRANSACTION = /^-- no transaction$/m;
/** A statement that builds an index without locking its table, with the name of the index. */
const CONCURRENT_INDEX =
  /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("(?:[^"]|"")+"|\w+)/i;

/** A connection, in a transaction or not. */
type Session = Pick<Database, 'query'>;

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
 * @throws if an applied file is missing or was changed, and if a migration fails, which is rolled back
 * unless it has the line `-- no transaction`.
 */
export async function applyMigrations(
  database: MigratedDatabase,
  migrations: readonly Migration[],
  onWait: (line: string) => void,
  fillWords?: FillWords,
): Promise<string[]> {
  await database.transaction((transaction) => prepare(transaction, migrations), PATIENCE);
  const applied: string[] = [];
  for (const migration of migrations) {
    const inTransaction = !NO_TRANSACTION.test(migration.text);
    try {
      const wasMissing = await untilUnlocked(migration, onWait, () =>
        inTransaction
          ? database.transaction(
              (transaction) => apply(transaction, migration, fillWords),
              PATIENCE,
            )
          : applyStatements(database, migration),
      );
      if (wasMissing) applied.push(migration.name);
    } catch (error) {
      const outcome = inTransaction
        ? 'and was rolled back'
        : 'and begins anew when it is applied again';
      throw new Error(`The migration ${migration.name} failed ${outcome}: ${reasonOf(error)}`, {
        cause: error,
      });
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
  if (await isApplied(transaction, name)) return false;
  await transaction.query({ text: `set local lock_timeout = ${LOCK_TIMEOUT}` });
  const [sql = '', ...steps] = text.split(FILL_WORDS);
  await run(transaction, text, sql);
  for (let at = 0; at < steps.length; at += 4) {
    const [table = '', column = '"_words"', texts = '', next = ''] = steps.slice(at, at + 4);
    await fillWords?.(transaction, { name: table, words: [{ column, texts: texts.split(', ') }] });
    await run(transaction, text, next);
  }
  await transaction.query(RECORD, [name, hash]);
  return true;
}

/**
 * Applies a migration a statement at a time. What fails or is killed begins anew with the first statement,
 * so each has to do nothing where it is done already; an index that was not finished is built again.
 */
const applyStatements = (
  database: MigratedDatabase,
  { name, text, hash }: Migration,
): Promise<boolean> =>
  database.session(async (session) => {
    await session.query({ text: 'set statement_timeout = 0' });
    await waitForTurn(session, 'pg_try_advisory_lock');
    try {
      if (await isApplied(session, name)) return false;
      for (const statement of text.split(/;[ \t]*(?:--.*)?$/m)) {
        const code = statement.replaceAll(/^[ \t]*--.*$/gm, '').trim();
        if (code === '') continue;
        const [, index] = CONCURRENT_INDEX.exec(code) ?? [];
        // A concurrent build waits for other transactions without blocking them.
        await session.query({
          text: `set lock_timeout = ${index === undefined ? LOCK_TIMEOUT : 0}`,
        });
        if (index !== undefined) await dropUnfinished(session, index);
        await run(session, text, statement);
      }
      await session.query(RECORD, [name, hash]);
      return true;
    } finally {
      // If the connection is lost, the server has released the lock.
      await session.query({ text: 'select pg_advisory_unlock($1)' }, [LOCK]).catch(() => {});
    }
  });

/** Drops an index that a statement before this one has left unfinished. @param index as SQL has it. */
async function dropUnfinished(session: Session, index: string): Promise<void> {
  const unfinished = await session.query(
    { text: 'select from pg_index where indexrelid = to_regclass($1) and not indisvalid' },
    [index],
  );
  if (unfinished.length > 0)
    await session.query({ text: `drop index concurrently ${index}`, timeout: PATIENCE });
}

const RECORD = { text: 'insert into "_migrations" ("name", "hash") values ($1, $2)' };

async function isApplied(session: Session, name: string): Promise<boolean> {
  const rows = await session.query({ text: 'select from "_migrations" where "name" = $1' }, [name]);
  return rows.length > 0;
}

/** Runs SQL of a migration. @throws an error that names the line, if the server reports a position. */
async function run(session: Session, file: string, sql: string): Promise<void> {
  try {
    await session.query({ text: sql, timeout: PATIENCE });
  } catch (error) {
    const { message, position } = error as { message: string; position?: string };
    if (position === undefined) throw error;
    const before = file.slice(0, file.indexOf(sql) + Number(position));
    throw new Error(`${message} (line ${before.split('\n').length})`, { cause: error });
  }
}

/** Waits until no other process migrates, and removes the timeouts of this transaction. */
async function lock(transaction: Database): Promise<void> {
  await transaction.query({ text: 'set local statement_timeout = 0' });
  await waitForTurn(transaction, 'pg_try_advisory_xact_lock');
}

/**
 * Polls until no other process migrates. A statement that waits for the lock would hold a snapshot, and a
 * concurrent build of an index in the other process waits for older snapshots: a deadlock.
 */
async function waitForTurn(session: Session, lockFunction: string): Promise<void> {
  for (;;) {
    const [row] = await session.query<{ isOurs: boolean }>(
      { text: `select ${lockFunction}($1) as "isOurs"` },
      [LOCK],
    );
    if (row?.isOurs === true) return;
    await sleep(TURN_PAUSE);
  }
}

/** Why a migration failed, as a sentence. */
function reasonOf(error: unknown): string {
  if (isLocked(error)) {
    return 'a table that it changes stayed locked. End what locks it, or migrate under less load.';
  }
  return error instanceof Error ? error.message : String(error);
}

/** Whether the error is a lock timeout of the server, also if the transaction has wrapped it. */
function isLocked(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return [code, cause?.code].includes(LOCK_NOT_AVAILABLE);
}
