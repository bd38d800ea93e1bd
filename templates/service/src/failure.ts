/** What a failed start says: one line, for a person. */
import { DatabaseUnavailable } from './database/unavailable.ts';

/** The message of any error, in one line. */
export function failureText(error: unknown): string {
  // Node reports a refused connection as several errors without a message of their own.
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(failureText).join('; ');
  }
  if (!(error instanceof Error)) return String(error);
  const text =
    error instanceof DatabaseUnavailable && error.cause !== undefined
      ? `${error.message}: ${failureText(error.cause)}`
      : error.message;
  return text.replaceAll(/\s*[\r\n]+\s*/g, ' ').trim();
}
