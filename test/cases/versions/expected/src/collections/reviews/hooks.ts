/**
 * The team's own rules for reviews: the slow work, and what is checked and done around a change.
 * This file is yours; `BackgroundHooks` says which hooks there are.
 */
import type { BackgroundHooks } from '../../jobs/work.ts';
import type { Review, ReviewValues } from './schema.ts';

export const reviewHooks: BackgroundHooks<Review, ReviewValues> = {
  /**
   * The slow work goes here. The client was answered 202 already; what this gives back is stored.
   *
   *     async process(values, { itemId, signal }) {
   *       const answer = await fetch(`https://scanner.example/${itemId}`, { method: 'PUT', signal });
   *       if (answer.status === 422) throw new JobError('The scan could not be read.');
   *       if (!answer.ok) throw new Error(`the scanner answered ${answer.status}`); // tried again
   *       return { ...values, text: await answer.text() };
   *     },
   */
  process(values) {
    return values;
  },
};
