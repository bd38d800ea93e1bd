/** The pino logger: JSON lines on standard output. The script `dev` pipes them through pino-pretty. */
import { pino, stdTimeFunctions } from 'pino';
import type { DestinationStream, Logger } from 'pino';

import { DatabaseUnavailable } from './database/unavailable.ts';

/** Bytes that are buffered before they are written. */
const BUFFER_SIZE = 4_096;
/** The longest time that a line stays in the buffer, in milliseconds. */
const FLUSH_INTERVAL = 100;

/** Makes a logger. Errors under `err` are serialized by `describeError`. */
export function makeLog(
  { logLevel }: { readonly logLevel: string },
  destination: DestinationStream = (output ??= standardOutput()),
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

/**
 * Buffered standard output: one write for each line takes about a tenth of the time of a quick
 * request. The buffer is flushed when the process exits, also after an error. Only SIGKILL loses the
 * lines of the last 100 ms.
 */
function standardOutput(): DestinationStream {
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
export function describeError(error: unknown): object {
  const { name, stack, code, table, constraint, cause } = (
    error instanceof Error ? error : new Error(String(error))
  ) as Error & { code?: string; table?: string; constraint?: string };
  return {
    type: name,
    message: quotesValue(code) ? 'the database refused a value' : errorText(error),
    // The frames, without the message.
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

/**
 * The message of an error, or of any other thrown value, without line breaks: for the log, and for
 * commands that end with an error.
 */
export function errorText(error: unknown): string {
  // Node reports a refused connection as an AggregateError whose own message is empty.
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(errorText).join('; ');
  }
  if (!(error instanceof Error)) return String(error);
  const text =
    error instanceof DatabaseUnavailable && error.cause !== undefined
      ? `${error.message}: ${errorText(error.cause)}`
      : error.message;
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}
