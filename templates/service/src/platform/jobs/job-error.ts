/** The error that `process` in hooks.ts throws to fail a job with a message for the client. */

/**
 * The message becomes the `error` of the job. The job is not retried, unless `retry` is true; then the
 * message is shown when the last attempt has failed.
 *
 *     throw new JobError('The scan holds no text.');
 *     throw new JobError('The archive did not answer.', { retry: true, cause: error });
 */
export class JobError extends Error {
  override readonly name = 'JobError';
  readonly retry: boolean;

  constructor(
    message: string,
    { retry = false, cause }: { readonly retry?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.retry = retry;
  }
}
