/** Reviews for tests: the values of their fixture, and the items that they refer to. */
import type { Static } from 'typebox';

import type { Review, ReviewBody, ReviewValues } from '../../../src/collections/reviews/schema.ts';
import * as fixture from '../../fixtures/reviews.ts';
import type { TestService } from '../service.ts';
import type { TestItems } from '../test-items.ts';

/** What a fixture of reviews returns: the members that clients send, without references. */
export type ReviewInput = Omit<Static<typeof ReviewBody>, 'book_id'>;

/** A body that creates a review. @param given the members that matter to the test. */
export async function reviewBody(service: TestService, given: Partial<ReviewValues> = {}) {
  const make = fixture.references(service, given);
  return {
    ...fixture.valid(service.serial('reviews')),
    book_id: given.book_id ?? (await make.book_id(service)).id,
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

/** Reviews, as suites test them. */
export const testReviews: TestItems = {
  path: '/reviews',
  words: 'reviews',
  fixture,
  body: reviewBody,
  create: createReview,
};
