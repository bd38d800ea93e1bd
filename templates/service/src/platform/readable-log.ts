/** Readable log lines: `12:04:31 info request method=GET path=/docs status=200 ms=1.2`. */
import type { DestinationStream } from 'pino';

/** A JSON line, as pino writes it. */
interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly msg?: string;
  readonly err?: { readonly message: string; readonly stack?: string };
}

/** A destination for pino that writes each JSON line to `output` as readable text. */
export const readableLines = (output: { write(text: string): unknown }): DestinationStream => ({
  write: (line) => output.write(`${formatLine(JSON.parse(line) as LogLine)}\n`),
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
