/** Classifies errors of the database: unreachable, busy, or worth a retry of the statement. */

/** Why a statement failed through no fault of the request. */
export type Reason = 'unreachable' | 'busy';

/** The database is unreachable or busy; the request itself may be fine. It is answered 503. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** `busy`: it answers, but is occupied by other requests. */
  readonly reason: Reason;

  constructor(reason: Reason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** The database is behind a connection pooler in transaction mode. Unlike other reasons, this one does not pass. */
export class TransactionPooling extends DatabaseUnavailable {
  constructor(cause?: unknown) {
    super(
      'busy',
      'DATABASE_URL leads to a connection pooler in transaction mode, in which settings, locks and prepared ' +
        'statements do not stay with their connection: use session mode, or a direct URL of the database',
      cause,
    );
  }
}

/** Waits for a result. @throws `DatabaseUnavailable` if it takes longer than this. */
export const withTimeout = <Result>(
  result: Promise<Result>,
  timeout: number,
  reason: Reason,
  message: string,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const late = (): void => reject(new DatabaseUnavailable(reason, message));
    const timer = setTimeout(late, timeout).unref();
    void result.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** SQLSTATE classes: connection exceptions, insufficient resources, and operator intervention. */
const UNREACHABLE_CLASSES = new Set(['08', '53', '57']);
/** Sessions that the server ended (25P03, 25P04), and a server that became read-only. */
const UNREACHABLE = new Set(['25P03', '25P04', '25006']);
/** `statement_timeout` and `lock_timeout`. */
const TIMED_OUT = new Set(['57014', '55P03']);
/** Those, and too many connections. */
const BUSY = new Set([...TIMED_OUT, '53300']);
/** Serialization failures and deadlocks. */
const TRY_AGAIN = new Set(['40001', '40P01']);
/** A prepared statement that does not exist, or exists already. */
const STATEMENT_NAME = new Set(['26000', '42P05']);
const NOT_SUPPORTED = '0A000';
const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Messages of the `pg` package, whose errors have no code. */
const MESSAGES = [
  'Connection terminated',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
];
/** Its message if all connections of the pool stayed in use. */
const NO_CONNECTION = 'timeout exceeded when trying to connect';

const codeOf = (error: unknown): string => (error as { code?: string } | undefined)?.code ?? '';

/** The SQLSTATE of an error of the server: five letters or digits. `EPIPE` has that form too. */
function sqlStateOf(error: unknown): string | undefined {
  const code = codeOf(error);
  return /^[0-9A-Z]{5}$/.test(code) && !SYSTEM_CODES.has(code) ? code : undefined;
}

/** Why the database is unavailable; undefined for any other error. */
export function reasonOf(error: unknown): Reason | undefined {
  if (error instanceof DatabaseUnavailable) return error.reason;
  if (error instanceof AggregateError) return error.errors.map(reasonOf).find(Boolean);
  const state = sqlStateOf(error);
  if (state !== undefined) {
    if (BUSY.has(state)) return 'busy';
    return UNREACHABLE.has(state) || UNREACHABLE_CLASSES.has(state.slice(0, 2))
      ? 'unreachable'
      : undefined;
  }
  if (SYSTEM_CODES.has(codeOf(error))) return 'unreachable';
  if (!(error instanceof Error)) return undefined;
  if (error.message.startsWith(NO_CONNECTION)) return 'busy';
  return MESSAGES.some((start) => error.message.startsWith(start)) ? 'unreachable' : undefined;
}

/** Whether the server cancelled a statement because of a timeout. */
export const isTimedOut = (error: unknown): boolean => TIMED_OUT.has(codeOf(error));

/** Whether an error means that the database is unreachable or busy. */
export const isUnavailable = (error: unknown): boolean => reasonOf(error) !== undefined;

/**
 * Whether a connection lacks a statement that was prepared on it, or has one of another client. Where a retry under
 * another name fails in the same way, the connection is that of a pooler in transaction mode.
 */
export const isStatementLost = (error: unknown): boolean => STATEMENT_NAME.has(codeOf(error));

/**
 * Whether a prepared statement is outdated: it was deallocated, or a migration changed the type of a
 * column that it returns. It must be prepared again.
 */
export const isOutdated = (error: unknown): boolean =>
  isStatementLost(error) ||
  (codeOf(error) === NOT_SUPPORTED &&
    (error as { routine?: string }).routine === 'RevalidateCachedQuery');

/** Whether the same statement may succeed if it is retried. */
export const isTryAgain = (error: unknown): boolean =>
  TRY_AGAIN.has(codeOf(error)) || isOutdated(error);

/** Whether the connection can still be used: the server only refused a statement. */
export const isSessionFine = (error: unknown): boolean =>
  sqlStateOf(error) !== undefined && reasonOf(error) !== 'unreachable';
