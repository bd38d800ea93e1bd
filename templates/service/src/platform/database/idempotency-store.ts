/**
 * Stores the answers to requests with an `Idempotency-Key`. An answer is stored in the transaction
 * that creates the item, so that after a crash there are both or neither.
 */
import { conflict } from '../http/errors.ts';
import { isTaken } from './constraints.ts';
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

/** A stored answer that may have expired. */
interface AnswerRow extends StoredAnswer {
  readonly isExpired: boolean;
}

/** How long an answer is stored. */
const LIFETIME = `interval '24 hours'`;
/** The maximum number of rows that one statement deletes. */
const BATCH = 1_000;
/** The key of the advisory lock under which one process at a time deletes expired answers. */
const SWEEP_LOCK = 7_305_013;

const FIND = {
  prepared: true,
  pipelined: true,
  text: `select "content", "status", "location", "etag", "body",
    "created_at" <= now() - ${LIFETIME} as "isExpired"
    from "_answers" where "id" = $1`,
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
const DELETE = {
  prepared: true,
  text: 'delete from "_answers" where "id" = $1',
};
const INSERT = {
  prepared: true,
  text: `insert into "_answers" ("id", "content", "status", "location", "etag", "body")
    values ($1, $2, $3, $4, $5, $6)`,
};
const DELETE_EXPIRED = {
  text: `delete from "_answers" where "id" in (
    select "id" from "_answers" where "created_at" <= now() - ${LIFETIME} limit ${BATCH})
    returning "id"`,
};

/** The stored answer to a request, unless it has expired. */
export async function findAnswer(
  database: Database,
  { id }: IdempotentRequest,
): Promise<StoredAnswer | undefined> {
  const [row] = await database.query<AnswerRow>(FIND, [id]);
  return row?.isExpired === false ? row : undefined;
}

/**
 * Creates an item and stores the answer in one transaction, unless an answer is stored already.
 * @param create must use the given transaction only.
 * @throws 409 while another request with the same key is under way.
 */
export async function createAndStore(
  database: Database,
  request: IdempotentRequest,
  create: (transaction: Database) => Promise<Answer>,
): Promise<{ readonly stored: StoredAnswer; readonly isNew: boolean }> {
  const { id, content } = request;
  const work = async (transaction: Database) => {
    const [lock] = await transaction.query<{ free: boolean }>(LOCK, [lockOf(request)]);
    if (lock?.free !== true) throw underWay();
    // Not before the lock: another process may have stored the answer since `findAnswer`.
    const [row] = await transaction.query<AnswerRow>(FIND, [id]);
    if (row?.isExpired === false) return { stored: row, isNew: false };
    if (row !== undefined) await transaction.query(DELETE, [id]);
    const answer = await create(transaction);
    const { status, location, etag, body } = answer;
    await transaction.query(INSERT, [id, content, status, location, etag, body]);
    return { stored: { ...answer, content }, isNew: true };
  };
  try {
    return await database.transaction(work);
  } catch (error) {
    // The lock only refuses sooner: the primary key guarantees that there is one answer.
    throw isTaken(error, '_answers_pkey') ? underWay() : error;
  }
}

/** Deletes expired answers in batches, in one process at a time. */
export async function deleteExpiredAnswers(database: Database): Promise<void> {
  let removed: number;
  do {
    removed = await database.transaction(async (transaction) => {
      const [lock] = await transaction.query<{ free: boolean }>(
        { text: 'select pg_try_advisory_xact_lock($1) as "free"' },
        [SWEEP_LOCK],
      );
      return lock?.free === true ? (await transaction.query(DELETE_EXPIRED)).length : 0;
    });
  } while (removed === BATCH);
}

/** The key of the advisory lock of a request: 64 bits of its digest. */
const lockOf = ({ id }: IdempotentRequest): bigint => Buffer.from(id, 'hex').readBigInt64BE();

const underWay = (): Error =>
  conflict('A request with this Idempotency-Key is under way: send it again in a moment.');
