/** What an error of the database means: that it is away or too busy, or that another try may help. */

/** Why the database could not do its work, through no fault of the request. */
export type Reason = 'away' | 'busy';

/** The database cannot do this now, and nothing is wrong with the request. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** `busy`: it is there, and others were first. */
  readonly reason: Reason;

  constructor(reason: Reason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Waits for a result. @throws `DatabaseUnavailable` if it takes longer than this. */
export const inTime = <Result>(
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

/** Classes of SQLSTATE: connection exceptions, too little of something, and an operator's hand. */
const AWAY_CLASSES = new Set(['08', '53', '57']);
/** Sessions that the server ended (25P03, 25P04), and a server that takes no changes any more. */
const AWAY = new Set(['25P03', '25P04', '25006']);
/** A statement that took too long, or waited too long for a lock. */
const TIMED_OUT = new Set(['57014', '55P03']);
/** Those, and no connection left: others are in the way. */
const BUSY = new Set([...TIMED_OUT, '53300']);
/** Serialization failures and deadlocks. */
const TRY_AGAIN = new Set(['40001', '40P01']);
/** A prepared statement that is not there, or is there already. */
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
/** What the `pg` package says without a code. */
const MESSAGES = [
  'Connection terminated',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
];
/** What it says where all connections of the pool stayed in use. */
const NO_CONNECTION = 'timeout exceeded when trying to connect';

const codeOf = (error: unknown): string => (error as { code?: string } | undefined)?.code ?? '';

/** The SQLSTATE of an error that the server reported: five letters or digits, as `EPIPE` has too. */
function sqlStateOf(error: unknown): string | undefined {
  const code = codeOf(error);
  return /^[0-9A-Z]{5}$/.test(code) && !SYSTEM_CODES.has(code) ? code : undefined;
}

/** Why the database could not be reached, or could not go on; undefined for any other error. */
export function reasonOf(error: unknown): Reason | undefined {
  if (error instanceof DatabaseUnavailable) return error.reason;
  if (error instanceof AggregateError) return error.errors.map(reasonOf).find(Boolean);
  const state = sqlStateOf(error);
  if (state !== undefined) {
    if (BUSY.has(state)) return 'busy';
    return AWAY.has(state) || AWAY_CLASSES.has(state.slice(0, 2)) ? 'away' : undefined;
  }
  if (SYSTEM_CODES.has(codeOf(error))) return 'away';
  if (!(error instanceof Error)) return undefined;
  if (error.message.startsWith(NO_CONNECTION)) return 'busy';
  return MESSAGES.some((start) => error.message.startsWith(start)) ? 'away' : undefined;
}

/** Whether the server cancelled a statement that took, or waited for a lock, too long. */
export const isTimedOut = (error: unknown): boolean => TIMED_OUT.has(codeOf(error));

/** Whether the database could not be reached, or could not go on. */
export const isUnavailable = (error: unknown): boolean => reasonOf(error) !== undefined;

/**
 * Whether a prepared statement does not fit the session any more: it was deallocated, or a migration
 * changed the type of a column that it returns. Prepared anew it works.
 */
export const isOutdated = (error: unknown): boolean =>
  STATEMENT_NAME.has(codeOf(error)) ||
  (codeOf(error) === NOT_SUPPORTED &&
    (error as { routine?: string }).routine === 'RevalidateCachedQuery');

/** Whether the same statement may well succeed when it comes again. */
export const isTryAgain = (error: unknown): boolean =>
  TRY_AGAIN.has(codeOf(error)) || isOutdated(error);

/** Whether a connection can be used after an error: the server refused a statement, and no more. */
export const isSessionFine = (error: unknown): boolean =>
  sqlStateOf(error) !== undefined && reasonOf(error) !== 'away';
