/** Reviews for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type { Review, ReviewBody, ReviewValues } from '../../../src/collections/reviews/schema.ts';
import { valid } from '../../fixtures/reviews.ts';
import type { TestService } from '../service.ts';
import { createBook } from './books.ts';

/** What a fixture of reviews returns: the members that clients send, without references. */
export type ReviewInput = Omit<Static<typeof ReviewBody>, 'book_id'>;

/** A body that creates a review. @param given the members that matter to the test. */
export async function reviewBody(service: TestService, given: Partial<ReviewValues> = {}) {
  return {
    ...valid(service.serial('reviews')),
    book_id: given.book_id ?? (await createBook(service)).id,
    ...given,
  };
}

/** Creates a review. @param given the members that matter to the test. */
export async function createReview(
  service: TestService,
  given: Partial<ReviewValues> = {},
): Promise<Review> {
  return service.create('/reviews', await reviewBody(service, given));
}
