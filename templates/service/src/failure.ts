/** What a failed start says: one line, for a person. */

/** The message of any error. Node reports a refused connection as several errors without one. */
export function failureText(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(failureText).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}
