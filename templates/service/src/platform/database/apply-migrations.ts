/**
 * Applies migrations: each once, in one process at a time. The lines of a file say how: in a transaction, a
 * statement at a time (`-- no transaction`), or by ranges of the rows of a table (`-- batch: "<table>"`).
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { MigratedDatabase, Session } from './database.ts';
import {
  beginContract,
  CREATE_TABLES,
  readApplied,
  readMissing,
  record,
  takeBack,
} from './migration-records.ts';
import type { Migration } from './migrations.ts';
import { countProcesses } from './processes.ts';
import type { Heartbeat } from './processes.ts';
import { describeTables, isQuick, measureTables } from './table-sizes.ts';

/** The key of the advisory lock under which processes migrate one after the other. */
export const LOCK = 7_305_011;
/** Milliseconds until a process asks again whether another one still migrates. */
const TURN_PAUSE = 100;
/** After how many attempts it says so. */
const LONG_WAIT = 50;
/** The timeout of a statement, in milliseconds: on a large table it takes long. */
const STATEMENT_TIMEOUT = 24 * 60 * 60 * 1000;
/** SQLSTATEs: a table was locked for longer than `lock_timeout`, a deadlock, and a serialization failure. */
const LOCKED = new Set(['55P03', '40P01', '40001']);
/** SQLSTATE: something else depends on what is to be dropped. */
const DEPENDED_ON = '2BP01';
/** SQLSTATE: only superusers, and roles that were granted it, set a parameter. */
const NOT_PERMITTED = '42501';
/**
 * Milliseconds that a statement waits for a lock. All later requests for the table wait behind it, so a
 * migration gives up soon, and is repeated: it holds nothing meanwhile.
 */
const LOCK_TIMEOUT = 500;
/** Milliseconds after which PostgreSQL ends an autovacuum that has the lock. */
const DEADLOCK_TIMEOUT = 200;
/** Only some roles may set these, which are 1,000 otherwise: each so many attempts a migration waits for longer. */
const LONG_ATTEMPT = 5;
const LONG_LOCK_TIMEOUT = 1_500;
/** Milliseconds until a migration is repeated, and for how long it is; in a start, a contract file. */
const LOCK_PAUSE = 1_000;
const LOCK_PATIENCE = 5 * 60 * 1000;
const CONTRACT_PATIENCE = 5_000;
/**
 * A line of a migration that fills a column with the words of texts, which SQL cannot do. It names the
 * table, the column if it is not the usual one, and the columns with the texts.
 */
const FILL_WORDS = /^-- fill words: ("\w+")(?:\.("\w+"))? \((.+)\)$/m;
/** The rows of a range of a batch. */
const RANGE = 1_000;
/** For each type of ids, one before all others. */
const LOWEST_IDS: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-0000-0000-000000000000',
  integer: String(-(2 ** 31)),
  bigint: String(-(2n ** 63n)),
};
/** A statement that builds an index without locking its table, with the name of the index. */
const CONCURRENT_INDEX =
  /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("(?:[^"]|"")+"|\w+)/i;

/** Other statements that take no lock against reads and writes. */
const SHARED = /^(?:drop\s+index\s+concurrently\s|alter\s+table\s+\S+\s+validate\s)/i;

/** A table that `q` searches; all names are quoted. */
export interface SearchedTable {
  readonly name: string;
  /** The columns with words, and the columns with the texts that they are taken from. */
  readonly words: readonly { readonly column: string; readonly texts: readonly string[] }[];
}

/** Fills the columns of words of a table (`fill-words.ts`). */
type FillWords = (session: Session, table: SearchedTable, condition?: string) => Promise<unknown>;

export interface MigrationOptions {
  /** Receives a line for the log when a migration has to wait. */
  readonly onWait?: (line: string) => void;
  /** Receives the progress of a batch. @param total an estimate; null if the server has none. */
  readonly onProgress?: (name: string, rows: number, total: number | null) => void;
  /** Writes the row of a process that starts (`processes.ts`). Without it, nothing starts: a command migrates. */
  readonly beat?: Heartbeat['beat'];
  /** Absent in a service without search: later migrations drop the columns that it would fill. */
  readonly fillWords?: FillWords | undefined;
  /** Recreates views of existing tables in the transaction of a migration. @param isLast whether no later one does. */
  readonly recreateViews?: ((session: Session, isLast: boolean) => Promise<void>) | undefined;
  /** Applies nothing if a migration may take long, because a table has `largeTable` bytes or more. */
  readonly onlyQuick?: boolean;
  readonly largeTable?: number;
  /** Applies files with `-- contract` although processes of older versions run. */
  readonly forceContract?: boolean;
  /** Stops the run before the next statement or range. */
  readonly signal?: AbortSignal;
}

/** The names of the migrations that were applied, and of those that are left for a later run. */
export interface MigrationResult {
  readonly applied: readonly string[];
  readonly waiting: readonly string[];
}

/**
 * Applies the migrations that are missing, in the given order. Those at the end that only remove what older
 * versions need (`-- contract`) are left for a later run while processes of such versions run. A process that
 * starts and needs none does not wait for another one that migrates.
 * @throws if an applied file is missing or was changed, if a migration that others follow has to wait, if
 * one may take long (`onlyQuick`), and if one fails.
 */
export const applyMigrations = (
  database: MigratedDatabase,
  migrations: readonly Migration[],
  options: MigrationOptions = {},
): Promise<MigrationResult> =>
  database.session(async (session) => {
    await session.query({ text: 'set statement_timeout = 0' });
    if (!(await waitForTurn(session, migrations, options))) return { applied: [], waiting: [] };
    try {
      await session.query({ text: CREATE_TABLES });
      const applied = await readApplied(session, migrations);
      // Nobody else can use the other databases: nothing has to wait, and no table is large.
      const isUsed = database.isShared && applied.size > 0;
      const result = await applyPending(session, migrations, applied, { ...options, isUsed });
      await options.beat?.(session);
      return result;
    } finally {
      // If the connection is lost, the server has released the lock.
      await session.query({ text: 'select pg_advisory_unlock($1)' }, [LOCK]).catch(() => {});
    }
  });

async function applyPending(
  session: Session,
  migrations: readonly Migration[],
  done: ReadonlyMap<string, string>,
  options: MigrationOptions & { readonly isUsed: boolean },
): Promise<MigrationResult> {
  const pending = migrations.filter(({ name }) => !done.has(name));
  /** Whether the migration and all after it are left for later. @throws if they are required now. */
  const isDeferred = async (migration: Migration): Promise<boolean> => {
    const before = migrations.slice(0, migrations.indexOf(migration)).map(({ name }) => name);
    const [reason, advice] = await findObstacle(session, migration, before, options);
    if (reason === undefined) return false;
    const { name, isContract } = migration;
    if (pending.slice(pending.indexOf(migration)).every((next) => next.isContract)) {
      options.onWait?.(
        `the migration ${name} ${reason}; it is left for \`npm run migrate\`, or for a later start`,
      );
      return true;
    }
    const followed = isContract ? ', and other migrations follow it' : '';
    throw new Error(`The migration ${name} ${reason}${followed}. ${advice}`);
  };

  // Nothing is applied if a migration is refused.
  let next = pending;
  for (const [at, migration] of pending.entries()) {
    if (!(await isDeferred(migration))) continue;
    next = pending.slice(0, at);
    break;
  }
  const lastOfViews = next.findLast(({ changesViews }) => changesViews);
  const applied: string[] = [];
  for (const migration of next) {
    options.signal?.throwIfAborted();
    if (migration.isContract && !(await beginContract(session, migration, isDeferred))) break;
    try {
      await apply(session, migration, options, lastOfViews);
    } catch (error) {
      if (migration.kind === 'transaction') await takeBack(session, migration).catch(() => {});
      if (error === options.signal?.reason) throw error;
      const { name, kind } = migration;
      // A start does not need it.
      const reason = isLocked(error) ? 'a table stays locked' : reasonIfDependedOn(error);
      if (migration.isContract && options.onlyQuick === true && reason !== undefined) {
        options.onWait?.(`the migration ${name} is left for a later run: ${reason}`);
        break;
      }
      throw new Error(`The migration ${name} failed ${OUTCOMES[kind]}: ${reasonOf(error)}`, {
        cause: error,
      });
    }
    applied.push(migration.name);
  }
  return { applied, waiting: pending.slice(applied.length).map(({ name }) => name) };
}

const OUTCOMES: Readonly<Record<Migration['kind'], string>> = {
  transaction: 'and was rolled back',
  statements: 'and begins anew when it is applied again',
  batch: 'and goes on after the last complete range when it is applied again',
};

/**
 * Why a migration is not applied now, and what to do; empty if it can be applied.
 * @param before the names of the migrations before it.
 */
async function findObstacle(
  session: Session,
  migration: Migration,
  before: readonly string[],
  options: MigrationOptions & { readonly isUsed: boolean },
): Promise<[reason?: string, advice?: string]> {
  if (!options.isUsed) return [];
  if (migration.isContract && options.forceContract !== true) {
    const older = await countProcesses(session, before);
    if (older > 0) {
      return [
        `waits for the end of ${older === 1 ? '1 process' : `${older} processes`} of older versions`,
        'Stop these processes (one that was killed counts for 60 seconds), or run ' +
          '`npm run migrate -- --contract`, which does not wait.',
      ];
    }
  }
  if (options.onlyQuick !== true) return [];
  const tables = await measureTables(session, migration.tables);
  if (isQuick(migration, tables, options.largeTable)) return [];
  const what = tables.length === 0 ? 'it names no tables' : describeTables(tables);
  return [`may take long (${what})`, 'Run `npm run migrate`, or start with MIGRATE=all.'];
}

/** @param lastOfViews the last migration that changes views. */
async function apply(
  session: Session,
  migration: Migration,
  options: MigrationOptions,
  lastOfViews: Migration | undefined,
): Promise<void> {
  const { name, kind, tables } = migration;
  const steps = stepsOf(migration);
  const isOptional = migration.isContract && options.onlyQuick === true;
  const patience = isOptional ? CONTRACT_PATIENCE : LOCK_PATIENCE;
  const unlessLocked = <Result>(work: (lockTimeout: number) => Promise<Result>): Promise<Result> =>
    untilUnlocked(session, `the migration ${name}`, patience, options, work);
  if (kind === 'statements') {
    for (const step of steps) {
      options.signal?.throwIfAborted();
      await unlessLocked((lockTimeout) => runAlone(session, migration, step, lockTimeout, options));
    }
    await record(session, migration);
  } else if (kind === 'transaction') {
    await unlessLocked((lockTimeout) =>
      inTransaction(session, async () => {
        await session.query({ text: `set local lock_timeout = ${lockTimeout}` });
        for (const step of steps) await runStep(session, migration, step, options);
        if (migration.changesViews)
          await options.recreateViews?.(session, migration === lastOfViews);
        await record(session, migration);
      }),
    );
  } else {
    const [table] = await measureTables(session, tables.slice(0, 1));
    for (let isLast = false; !isLast;) {
      options.signal?.throwIfAborted();
      const range = await unlessLocked(() =>
        inTransaction(session, () => applyRange(session, migration, steps, options)),
      );
      options.onProgress?.(name, range.done, table?.rows ?? null);
      ({ isLast } = range);
    }
  }
}

/**
 * Applies a batch to the next range of rows, and stores how far it is.
 * @returns how many rows are done. The last range has fewer rows than the others: those that are inserted
 * later have what the migrations before this one give new rows.
 */
async function applyRange(
  session: Session,
  migration: Migration,
  steps: readonly Step[],
  options: MigrationOptions,
): Promise<{ done: number; isLast: boolean }> {
  const { name, tables } = migration;
  // The trigger of `updated_at` knows the setting: the migration is no change of an item.
  await session.query({
    text: `set local lock_timeout = ${LOCK_TIMEOUT}; set local "service.touch" = 'off'`,
  });
  const [progress] = await session.query<{ last_id: string; rows: number }>(
    { text: 'select "last_id", "rows" from "_migration_progress" where "name" = $1' },
    [name],
  );
  const from = progress?.last_id ?? (await lowestId(session, migration));
  const ids = await session.query<{ id: string }>(
    {
      text: `select "id"::text as "id" from ${tables[0]} as "batch"
        where "id" > $1 order by "batch"."id" limit ${RANGE}`,
    },
    [from],
  );
  const done = (progress?.rows ?? 0) + ids.length;
  const to = ids.at(-1)?.id;
  if (to !== undefined) {
    for (const step of steps) await runStep(session, migration, step, options, [from, to]);
  }
  const isLast = ids.length < RANGE;
  if (isLast) {
    await record(session, migration);
  } else {
    await session.query(
      {
        text: `insert into "_migration_progress" ("name", "last_id", "rows") values ($1, $2, $3)
          on conflict ("name") do update set "last_id" = $2, "rows" = $3`,
      },
      [name, to, done],
    );
  }
  return { done, isLast };
}

/** An id before those of all rows of a batch. */
async function lowestId(session: Session, { name, tables }: Migration): Promise<string> {
  const text = `select format_type(atttypid, null) as "type" from pg_attribute
    where attrelid = to_regclass($1) and attname = 'id'`;
  const [column] = await session.query<{ type: string }>({ text }, [tables[0]]);
  const lowest = LOWEST_IDS[column?.type ?? ''];
  if (lowest === undefined) {
    const types = Object.keys(LOWEST_IDS).join(', ');
    throw new Error(`${name} needs a table with an "id" of one of these types: ${types}.`);
  }
  return lowest;
}

/** SQL, or a table whose columns of words are filled. */
type Step = string | SearchedTable;

function stepsOf({ text, kind }: Migration): Step[] {
  const split = (sql: string): string[] =>
    (kind === 'transaction' ? [sql] : splitStatements(sql)).filter(
      (part) => withoutComments(part) !== '',
    );
  const [first = '', ...rest] = text.split(FILL_WORDS);
  const steps: Step[] = split(first);
  for (let at = 0; at < rest.length; at += 4) {
    const [name = '', column = '"_words"', texts = '', next = ''] = rest.slice(at, at + 4);
    steps.push({ name, words: [{ column, texts: texts.split(', ') }] }, ...split(next));
  }
  return steps;
}

/** What ends a comment. */
const CLOSE: Readonly<Record<string, string>> = { '--': '\n', '/*': '*/' };

/** Splits SQL into its statements. Nested comments, and quotes after a backslash in E strings, are not supported. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  // The start of a text, a name or a comment, each of which may contain semicolons; or the end of a statement.
  const tokens = /'|"|--|\/\*|\$\w*\$|;/g;
  let start = 0;
  for (let match = tokens.exec(sql); match !== null; match = tokens.exec(sql)) {
    const [token] = match;
    if (token === ';') {
      statements.push(sql.slice(start, match.index));
      start = tokens.lastIndex;
      continue;
    }
    const close = CLOSE[token] ?? token;
    const end = sql.indexOf(close, tokens.lastIndex);
    if (end < 0) break;
    tokens.lastIndex = end + close.length;
  }
  return [...statements, sql.slice(start)];
}

export const withoutComments = (sql: string): string => sql.replaceAll(/^[ \t]*--.*$/gm, '').trim();

/** @param range the ids before the first row and of the last row of a batch. */
async function runStep(
  session: Session,
  { text }: Migration,
  step: Step,
  { fillWords }: MigrationOptions,
  range?: readonly [string, string],
): Promise<void> {
  if (typeof step !== 'string') {
    await fillWords?.(session, step, range && `"id" > '${range[0]}' and "id" <= '${range[1]}'`);
    return;
  }
  try {
    const hasRange = /\$[12]\b/.test(withoutComments(step));
    await session.query({ text: step, timeout: STATEMENT_TIMEOUT }, hasRange ? range : undefined);
  } catch (error) {
    const { message, position } = error as { message: string; position?: string };
    if (position === undefined) throw error;
    const before = text.slice(0, text.indexOf(step) + Number(position));
    throw new Error(`${message} (line ${before.split('\n').length})`, { cause: error });
  }
}

/**
 * Runs a statement outside of a transaction. A migration that fails or is killed begins anew with its first
 * one, so each has to do nothing where it is done already; an index that was not finished is built again.
 */
async function runAlone(
  session: Session,
  migration: Migration,
  step: Step,
  lockTimeout: number,
  options: MigrationOptions,
): Promise<void> {
  const statement = typeof step === 'string' ? withoutComments(step) : '';
  const [, index] = CONCURRENT_INDEX.exec(statement) ?? [];
  // What waits for this lock blocks no reads and no writes.
  const isHarmless = index !== undefined || SHARED.test(statement);
  await session.query({ text: `set lock_timeout = ${isHarmless ? 0 : lockTimeout}` });
  if (index !== undefined) await dropUnfinished(session, index);
  await runStep(session, migration, step, options);
}

/** Drops an index that a statement before this one has left unfinished. @param index as SQL has it. */
async function dropUnfinished(session: Session, index: string): Promise<void> {
  const unfinished = await session.query(
    { text: 'select from pg_index where indexrelid = to_regclass($1) and not indisvalid' },
    [index],
  );
  if (unfinished.length > 0)
    await session.query({ text: `drop index concurrently ${index}`, timeout: STATEMENT_TIMEOUT });
}

export async function inTransaction<Result>(
  session: Session,
  work: () => Promise<Result>,
): Promise<Result> {
  await session.query({ text: 'begin' });
  try {
    const result = await work();
    await session.query({ text: 'commit' });
    return result;
  } catch (error) {
    await session.query({ text: 'rollback' }).catch(() => {});
    throw error;
  }
}

/** Has PostgreSQL end an autovacuum that is in the way within `LOCK_TIMEOUT`, if the role may set that. */
async function endAutovacuumSooner(session: Session): Promise<void> {
  try {
    await session.query({ text: `set deadlock_timeout = ${DEADLOCK_TIMEOUT}` });
  } catch (error) {
    if ((error as { code?: string }).code !== NOT_PERMITTED) throw error;
  }
}

/**
 * Repeats work while a table that it changes is locked.
 * @param what the work, for the log.
 * @param patience for how long, in milliseconds.
 */
export async function untilUnlocked<Result>(
  session: Session,
  what: string,
  patience: number,
  { onWait, signal }: MigrationOptions,
  work: (lockTimeout: number) => Promise<Result>,
): Promise<Result> {
  let end: number | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt % LONG_ATTEMPT === 0 ? LONG_LOCK_TIMEOUT : LOCK_TIMEOUT);
    } catch (error) {
      end ??= performance.now() + patience;
      if (!isLocked(error) || performance.now() > end) throw error;
      if (attempt === 1) {
        onWait?.(`${what} waits for a table that others have locked`);
        await endAutovacuumSooner(session);
      }
      await sleep(LOCK_PAUSE);
      signal?.throwIfAborted();
    }
  }
}

/**
 * Polls until no other process migrates. A statement that waits for the lock would hold a snapshot, and a
 * concurrent build of an index in the other process waits for older snapshots: a deadlock.
 * @returns false if this process does not need the lock, because it starts and has nothing to apply.
 */
async function waitForTurn(
  session: Session,
  migrations: readonly Migration[],
  { beat, onWait, signal }: MigrationOptions,
): Promise<boolean> {
  const isUpToDate = async (): Promise<boolean> =>
    (await readMissing(session, migrations)).length === 0;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const [row] = await session.query<{ isOurs: boolean }>(
      { text: 'select pg_try_advisory_lock($1) as "isOurs"' },
      [LOCK],
    );
    if (row?.isOurs === true) return true;
    // The second check is behind the row (`beginContract`). The first one: a process that waits, or is refused, leaves no row.
    if (beat && (await isUpToDate()) && (await beat(session)) && (await isUpToDate())) return false;
    if (attempt === LONG_WAIT) onWait?.('waiting for another process that migrates the database');
    await sleep(TURN_PAUSE);
  }
}

/** Why a migration failed, as a sentence. */
function reasonOf(error: unknown): string {
  if (isLocked(error)) {
    return 'a table that it changes stayed locked. End what locks it, or migrate under less load.';
  }
  const message = error instanceof Error ? error.message : String(error);
  if (reasonIfDependedOn(error) !== undefined) {
    // `views.ts` says what to do.
    return message.endsWith('.')
      ? message
      : `${message}. Drop what depends on it, and migrate again.`;
  }
  return `${message.replace(/\.?$/, '.')} Correct the data, and migrate again.`;
}

/** Why something cannot be dropped: a view of others, for example, depends on it. */
function reasonIfDependedOn(error: unknown): string | undefined {
  const { code, message, cause } = error as {
    code?: string;
    message: string;
    cause?: { code?: string };
  };
  return (cause?.code ?? code) === DEPENDED_ON ? message : undefined;
}

/** Whether the work may succeed when it is repeated; `runStep` may have wrapped the error. */
function isLocked(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return LOCKED.has(cause?.code ?? code ?? '');
}
