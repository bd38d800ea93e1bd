/** The pino logger: JSON lines on standard output, readable lines on a terminal in development. */
import { pino, stdTimeFunctions } from 'pino';
import type { DestinationStream, Logger } from 'pino';

import { errorText } from './error-text.ts';
import { readableLines } from './readable-log.ts';

/** An error as it is logged. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  /** The stack frames, without the message. */
  readonly stack: string | undefined;
  /** A system error code, or an SQLSTATE; then `table` and `constraint` may be set too. */
  readonly code: string | undefined;
  readonly table: string | undefined;
  readonly constraint: string | undefined;
  readonly cause: LoggedError | undefined;
}

/** The settings of the logger. */
interface LogSettings {
  readonly logLevel: string;
  /** Off in development, where a terminal gets readable lines. */
  readonly production?: boolean;
}

/** Bytes that are buffered before they are written. */
const BUFFER_SIZE = 4_096;
/** The longest time that a line stays in the buffer, in milliseconds. */
const FLUSH_INTERVAL = 100;

/** Makes a logger. Errors under `err` are serialized by `describeError`. */
export function makeLog(
  { logLevel, production = true }: LogSettings,
  destination: DestinationStream = standardOutput(production),
): Logger {
  const options = {
    level: logLevel,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return pino(options, destination);
}

/** Shared by all loggers of this process. */
let output: DestinationStream | undefined;

function standardOutput(production: boolean): DestinationStream {
  output ??= process.stdout.isTTY && !production ? readableLines(process.stdout) : buffered();
  return output;
}

/**
 * Buffered standard output: one write for each line takes about a tenth of the time of a quick
 * request. The buffer is flushed when the process exits, also after an error. Only SIGKILL loses the
 * lines of the last 100 ms.
 */
function buffered(): DestinationStream {
  const destination = pino.destination({
    sync: true,
    minLength: BUFFER_SIZE,
    periodicFlush: FLUSH_INTERVAL,
  });
  process.on('exit', () => destination.flushSync());
  return destination;
}

/**
 * Serializes an error with a fixed list of properties. Others are left out because PostgreSQL puts
 * values of the row into `detail` and `where`, and the log must not contain data of clients.
 */
export function describeError(error: unknown): LoggedError {
  const { name, stack, code, table, constraint, cause } = (
    error instanceof Error ? error : new Error(String(error))
  ) as Error & { code?: string; table?: string; constraint?: string };
  return {
    type: name,
    message: quotesValue(code) ? 'the database refused a value' : errorText(error),
    stack: stack?.slice(Math.max(0, stack.search(/^ {4}at /m))),
    code,
    table,
    constraint,
    cause: cause === undefined ? undefined : describeError(cause),
  };
}

/** Whether the error is of SQLSTATE class 22 (data exception), whose messages quote the value. */
const quotesValue = (code: unknown): boolean =>
  typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code);
