/**
 * Your own rules for reviews: the slow work of a creation, and checks and side effects of changes. See
 * `BackgroundHooks` for the available hooks. `generate` never changes this file.
 */
import type { BackgroundHooks } from '../../platform/jobs/work.ts';
import type { Review, ReviewValues } from './schema.ts';

export const reviewHooks: BackgroundHooks<Review, ReviewValues> = {
  /**
   * Put the slow work here. The client has already got 202; the returned values are stored.
   *
   *     async process(values, { itemId, signal }) {
   *       const answer = await fetch(`https://scanner.example/${itemId}`, { method: 'PUT', signal });
   *       if (answer.status === 422) throw new JobError('The scan could not be read.');
   *       if (!answer.ok) throw new Error(`the scanner answered ${answer.status}`); // retried
   *       return { ...values, text: await answer.text() };
   *     },
   */
  process(values) {
    return values;
  },
};
