/** Errors as one line of text: for the log, and for commands that end with an error. */
import { DatabaseUnavailable } from './database/unavailable.ts';

/** The message of an error, or of any other thrown value, without line breaks. */
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
