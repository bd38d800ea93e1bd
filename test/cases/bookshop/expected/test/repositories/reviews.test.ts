/** The repository of reviews: transactions, and concurrent changes. */
import {
  createReview,
  deleteReview,
  findReview,
  updateReview,
} from '../../src/collections/reviews/repository.ts';
import { ReviewComputed } from '../../src/collections/reviews/schema.ts';
import { NO_ID } from '../support/expected.ts';
import { testReviews } from '../support/items/reviews.ts';
import { repositoryOwnerTests } from '../support/repository-owner-tests.ts';
import { repositoryTests } from '../support/repository-tests.ts';
import { sharedService } from '../support/service.ts';

const service = await sharedService();

const repository = {
  create: createReview,
  find: findReview,
  update: updateReview,
  remove: deleteReview,
};

const tested = repositoryTests(service, testReviews, repository, {
  table: '"reviews"',
  computed: ReviewComputed,
  references: { book_id: NO_ID },
});
repositoryOwnerTests(tested);
