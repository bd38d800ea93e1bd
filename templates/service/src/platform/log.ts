/** The pino logger: JSON lines on standard output, readable lines on a terminal in development. */
import { pino, stdTimeFunctions } from 'pino';
import type { DestinationStream, Logger } from 'pino';

import { DatabaseUnavailable } from './database/unavailable.ts';

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

/** A JSON line, as pino writes it. */
interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly msg?: string;
  readonly err?: { readonly message: string; readonly stack?: string };
}

/**
 * A destination for pino that writes readable lines:
 * `12:04:31 info request method=GET path=/docs status=200 ms=1.2`.
 */
export const readableLines = (stream: { write(text: string): unknown }): DestinationStream => ({
  write: (line) => stream.write(`${formatLine(JSON.parse(line) as LogLine)}\n`),
});

function formatLine({ time, level, msg = '', err, ...members }: LogLine): string {
  const details = Object.entries(members)
    .filter(([name]) => !OMITTED.has(name))
    .map(([name, value]) => `${name}=${formatValue(value)}`);
  const head = [new Date(time).toTimeString().slice(0, 8), level, msg, ...details].join(' ');
  return err === undefined ? head : `${head}\n  ${err.message}\n${err.stack ?? ''}`.trimEnd();
}

/** Members that are the same in every line. */
const OMITTED = new Set(['pid', 'hostname']);

/** Quotes a value unless it is a plain word, so that values cannot contain control characters. */
const formatValue = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:-]+$/.test(value) ? value : JSON.stringify(value);
