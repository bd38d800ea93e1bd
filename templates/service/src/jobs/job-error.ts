/** What the slow work throws to tell the client why it failed. */

/**
 * The sentence is the `error` of the job, for the client to read. The job is not tried again, unless
 * `retry` says that another try may help; then the sentence stands once the last has failed too.
 *
 *     throw new JobError('The scan holds no text.');
 *     throw new JobError('The archive did not answer.', { retry: true, cause: error });
 */
export class JobError extends Error {
  override readonly name = 'JobError';
  readonly retry: boolean;

  constructor(
    sentence: string,
    { retry = false, cause }: { readonly retry?: boolean; readonly cause?: unknown } = {},
  ) {
    super(sentence, { cause });
    this.retry = retry;
  }
}
