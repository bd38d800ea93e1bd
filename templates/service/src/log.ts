/** The log: one JSON object a line, on standard output. */
import { pino, stdTimeFunctions } from 'pino';
import type { DestinationStream, Logger } from 'pino';

import type { Config } from './config.ts';
import { failureText } from './failure.ts';

/** An error as the log has it. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  /** Where it was thrown, without the message. */
  readonly stack: string | undefined;
  /** Of the system or the database; with it, what of the schema it is about. */
  readonly code: string | undefined;
  readonly table: string | undefined;
  readonly constraint: string | undefined;
  readonly cause: LoggedError | undefined;
}

/** Bytes of lines that are written together. */
const TOGETHER = 4_096;
/** Milliseconds that a line waits for others at most. */
const PATIENCE = 100;

/** Makes the log of this process. What it is given under `err` is described by `describeError`. */
export function makeLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  destination: DestinationStream = standardOutput(),
): Logger {
  const options = {
    level: logLevel,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return pino(options, destination);
}

/**
 * Standard output, to which several lines go at once: a write for each would be a tenth of the time
 * of a quick request. What waits is written before the process ends, also where an error ends it;
 * only one that is killed takes the lines of its last tenth of a second along.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ sync: true, minLength: TOGETHER, periodicFlush: PATIENCE });
  process.on('exit', () => output.flushSync());
  return output;
}

/**
 * What the log says of an error, and no more: PostgreSQL tells the values of the row along with it
 * (`detail`, `where`), and those belong to whoever sent them.
 */
export function describeError(error: unknown): LoggedError {
  const { name, stack, code, table, constraint, cause } = (
    error instanceof Error ? error : new Error(String(error))
  ) as Error & { code?: string; table?: string; constraint?: string };
  return {
    type: name,
    message: isAboutValue(code) ? 'the database refused a value' : failureText(error),
    stack: stack?.slice(Math.max(0, stack.search(/^ {4}at /m))),
    code,
    table,
    constraint,
    cause: cause === undefined ? undefined : describeError(cause),
  };
}

/** SQLSTATE, class 22: the message quotes the value. */
const isAboutValue = (code: unknown): boolean =>
  typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code);
