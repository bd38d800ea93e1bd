/**
 * Stores the answers to requests with an `Idempotency-Key`. An answer is stored in the transaction
 * that creates the item, so that after a crash there are both or neither.
 */
import { conflict } from '../http/errors.ts';
import type { Database } from './database.ts';

/** The response to a creation. */
export interface Answer {
  /** 201, or 202 for a job. */
  readonly status: number;
  /** The path of the item or job below the base path: `books/0190…`. */
  readonly location: string;
  /** The entity tag of the item; null for a job. */
  readonly etag: string | null;
  /** JSON text, which is replayed byte for byte. */
  readonly body: string;
}

/** A request with an `Idempotency-Key`. */
export interface IdempotentRequest {
  /** A digest of the sender, the path and the key. */
  readonly id: string;
  /** A digest of the body. */
  readonly content: string;
}

/** A stored answer, with the digest of the request's body. */
export interface StoredAnswer extends Answer {
  readonly content: string;
}

/** How long an answer is stored. */
const LIFETIME = `interval '24 hours'`;
/** The maximum number of rows that one statement deletes. */
const BATCH = 1_000;

const FIND = {
  prepared: true,
  pipelined: true,
  text: `select "content", "status", "location", "etag", "body"
    from "_answers" where "id" = $1 and "created_at" > now() - ${LIFETIME}`,
};
/** SQL for a timeout of the session, in seconds. */
const secondsOf = (setting: string): string =>
  `extract(epoch from current_setting('${setting}')::interval)`;
// The lock ends with its connection, also when the process crashes. If its machine vanishes, the server
// ends the connection after the running statement and the idle time of the transaction: together at most
// 60 seconds, within which the key must be free again.
const LOCK = {
  prepared: true,
  text: `select pg_try_advisory_xact_lock($1) as "free",
      set_config('statement_timeout', "statement" || 's', true),
      set_config('idle_in_transaction_session_timeout', least("idle", 60 - "statement") || 's', true)
    from (select least(${secondsOf('statement_timeout')}, 30) as "statement",
      ${secondsOf('idle_in_transaction_session_timeout')} as "idle") as "timeouts"`,
};
// An expired answer is replaced.
const STORE = {
  prepared: true,
  text: `insert into "_answers" ("id", "content", "status", "location", "etag", "body")
    values ($1, $2, $3, $4, $5, $6)
    on conflict ("id") do update set "content" = excluded."content", "status" = excluded."status",
      "location" = excluded."location", "etag" = excluded."etag", "body" = excluded."body",
      "created_at" = excluded."created_at"
    where "_answers"."created_at" <= now() - ${LIFETIME}
    returning 1`,
};
// Rows that another process deletes are skipped.
const DELETE_EXPIRED = {
  text: `delete from "_answers" where "id" in (
    select "id" from "_answers" where "created_at" <= now() - ${LIFETIME}
    limit ${BATCH} for update skip locked)
    returning "id"`,
};

/**
 * Finds the stored answer to a request, or creates an item and stores the answer in one transaction.
 * @param create must use the given transaction only.
 * @throws 409 while another request with the same key is under way.
 */
export async function findOrCreate(
  database: Database,
  { id, content }: IdempotentRequest,
  create: (transaction: Database) => Promise<Answer>,
): Promise<{ readonly answer: StoredAnswer; readonly isNew: boolean }> {
  const [earlier] = await database.query<StoredAnswer>(FIND, [id]);
  if (earlier !== undefined) return { answer: earlier, isNew: false };
  // 64 bits of the digest.
  const key = Buffer.from(id, 'hex').readBigInt64BE();
  return database.transaction(async (transaction) => {
    const [lock] = await transaction.query<{ free: boolean }>(LOCK, [key]);
    if (lock?.free !== true) throw underWay();
    // Another process may have stored the answer before the lock.
    const [stored] = await transaction.query<StoredAnswer>(FIND, [id]);
    if (stored !== undefined) return { answer: stored, isNew: false };
    const answer = await create(transaction);
    const { status, location, etag, body } = answer;
    const rows = await transaction.query(STORE, [id, content, status, location, etag, body]);
    // The lock only refuses sooner: the primary key guarantees that there is one answer.
    if (rows.length === 0) throw underWay();
    return { answer: { ...answer, content }, isNew: true };
  });
}

/** Deletes expired answers in batches. */
export async function deleteExpiredAnswers(database: Database): Promise<void> {
  while ((await database.query(DELETE_EXPIRED)).length === BATCH);
}

const underWay = (): Error =>
  conflict('A request with this Idempotency-Key is under way: send it again in a moment.');
