/**
 * Stores the answers to requests with an `Idempotency-Key`. An answer is stored in the transaction
 * that creates the item, so that after a crash there are both or neither.
 */
import { conflict } from '../http/errors.ts';
import { isTaken } from './constraints.ts';
import type { Database } from './database.ts';

/** What a creation is answered. */
export interface Answer {
  /** 201, or 202 where the item is made later. */
  readonly status: number;
  /** Where to look from now on, below the path of the API: `books/0190…`. */
  readonly location: string;
  /** The tag of the item, where it has one. */
  readonly etag: string | null;
  /** JSON, to the byte. */
  readonly body: string;
}

/** A request to create that may come again. */
export interface Repeatable {
  /** A digest of who sends it, where to, and with which key. */
  readonly id: string;
  /** A digest of what it says. */
  readonly content: string;
}

/** An answer that is kept, with the digest of what was asked. */
export interface KeptAnswer extends Answer {
  readonly content: string;
}

/** An answer as it is found, also where its time is over. */
interface Found extends KeptAnswer {
  readonly isOver: boolean;
}

/** How long an answer is kept. */
const LIFETIME = `interval '24 hours'`;
/** Rows that one statement removes. */
const BATCH = 1_000;
/** Any number that is the same in every process: one of them removes at a time. */
const SWEEP_LOCK = 7_305_013;

const FIND = {
  prepared: true,
  pipelined: true,
  text: `select "content", "status", "location", "etag", "body",
    "created_at" <= now() - ${LIFETIME} as "isOver"
    from "_answers" where "id" = $1`,
};
// With the connection of a process that crashes its lock goes. Where its machine is gone without a
// word, the server ends the connection: 50 seconds after the last statement, which takes ten at most.
const LOCK = {
  prepared: true,
  text: `select pg_try_advisory_xact_lock($1) as "free",
    set_config('idle_in_transaction_session_timeout', '50s', true)`,
};
const FORGET_ONE = {
  prepared: true,
  text: 'delete from "_answers" where "id" = $1',
};
const KEEP = {
  prepared: true,
  text: `insert into "_answers" ("id", "content", "status", "location", "etag", "body")
    values ($1, $2, $3, $4, $5, $6)`,
};
const FORGET = {
  text: `delete from "_answers" where "id" in (
    select "id" from "_answers" where "created_at" <= now() - ${LIFETIME} limit ${BATCH})
    returning "id"`,
};

/** The answer that such a request was given, not longer ago than answers are kept. */
export async function findAnswer(
  database: Database,
  { id }: Repeatable,
): Promise<KeptAnswer | undefined> {
  const [found] = await database.query<Found>(FIND, [id]);
  return found?.isOver === false ? found : undefined;
}

/**
 * Creates and keeps the answer, unless somebody has done so since.
 * @param create works with the database that it is given, and with no other.
 * @throws 409 while the same is under way elsewhere.
 */
export async function createAndKeep(
  database: Database,
  repeatable: Repeatable,
  create: (transaction: Database) => Promise<Answer>,
): Promise<{ readonly kept: KeptAnswer; readonly isNew: boolean }> {
  const { id, content } = repeatable;
  const work = async (transaction: Database) => {
    const [lock] = await transaction.query<{ free: boolean }>(LOCK, [lockOf(repeatable)]);
    if (lock?.free !== true) throw underWay();
    // Not before the lock: another process may have stored the answer since `findAnswer`.
    const [found] = await transaction.query<Found>(FIND, [id]);
    if (found?.isOver === false) return { kept: found, isNew: false };
    if (found !== undefined) await transaction.query(FORGET_ONE, [id]);
    const answer = await create(transaction);
    const { status, location, etag, body } = answer;
    await transaction.query(KEEP, [id, content, status, location, etag, body]);
    return { kept: { ...answer, content }, isNew: true };
  };
  try {
    return await database.transaction(work);
  } catch (error) {
    // The lock is there to say so at once; that there is one answer for each is what holds anywhere.
    throw isTaken(error, '_answers_pkey') ? underWay() : error;
  }
}

/** Removes answers whose time is over, a batch at a time, and in one process at a time. */
export async function forgetAnswers(database: Database): Promise<void> {
  let removed: number;
  do {
    removed = await database.transaction(async (transaction) => {
      const [lock] = await transaction.query<{ free: boolean }>(
        { text: 'select pg_try_advisory_xact_lock($1) as "free"' },
        [SWEEP_LOCK],
      );
      return lock?.free === true ? (await transaction.query(FORGET)).length : 0;
    });
  } while (removed === BATCH);
}

/** The number of the lock of a request: 64 bits of its digest. */
const lockOf = ({ id }: Repeatable): bigint => Buffer.from(id, 'hex').readBigInt64BE();

const underWay = (): Error =>
  conflict('A request with this Idempotency-Key is under way: send it again in a moment.');
