/** How jobs create reviews: `process` of hooks.ts, then the insert. */
import { anyWork } from '../../platform/jobs/work.ts';
import type { BackgroundHooks } from '../../platform/jobs/work.ts';
import { reviewHooks } from './hooks.ts';
import { createReview } from './repository.ts';
import type { Review, ReviewValues } from './schema.ts';
import { reviewViews } from './views.ts';

// A hooks.ts from before `background` has no `process`: then the values are stored as they were sent.
const hooks: BackgroundHooks<Review, ReviewValues> = reviewHooks;

export const reviewWork = anyWork<ReviewValues>({
  paths: { 2: 'opinions', 3: 'reviews' },
  timeout: 300,
  process: (values, context) => hooks.process?.(values, context) ?? values,
  // Errors use the names of the version of the POST.
  create: (database, { id, values, principal, version }, finish) =>
    createReview(database, values, {
      id,
      principal,
      finish,
      resource: reviewViews[version]?.resource,
    }),
});
