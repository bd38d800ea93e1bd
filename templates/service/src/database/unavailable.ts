/** What an error of the database means: that it is away, or that another try may help. */

/** The database is away for the moment: nothing is wrong with the request. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  constructor(cause: unknown) {
    super('the database is away', { cause });
  }
}

/** Classes of SQLSTATE: connection exceptions, too little of something, and an operator's hand. */
const AWAY = new Set(['08', '53', '57']);
/** Serialization failures, deadlocks, and locks that were not to be had. */
const TRY_AGAIN = new Set(['40001', '40P01', '55P03']);
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
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
];

const codeOf = (error: unknown): string => (error as { code?: string } | undefined)?.code ?? '';

/** The five letters and digits of an error that the server itself reported. */
const sqlStateOf = (error: unknown): string | undefined => /^[0-9A-Z]{5}$/.exec(codeOf(error))?.[0];

/** Whether the database could not be reached, or could not go on. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  const state = sqlStateOf(error);
  if (state !== undefined) return AWAY.has(state.slice(0, 2));
  if (SYSTEM_CODES.has(codeOf(error))) return true;
  return error instanceof Error && MESSAGES.some((start) => error.message.startsWith(start));
}

/** Whether the same statement may well succeed when it comes again. */
export const isTryAgain = (error: unknown): boolean => TRY_AGAIN.has(codeOf(error));

/** Whether a connection can be used after an error: the server refused a statement, and no more. */
export const isSessionFine = (error: unknown): boolean =>
  sqlStateOf(error) !== undefined && !isUnavailable(error);
