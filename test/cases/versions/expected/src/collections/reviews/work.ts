/** How reviews are made in the background: the slow work of hooks.ts, then the item. */
import { anyWork } from '../../jobs/work.ts';
import { reviewHooks } from './hooks.ts';
import { createReview } from './repository.ts';
import type { ReviewValues } from './schema.ts';
import { reviewViews } from './views.ts';

export const reviewWork = anyWork<ReviewValues>({
  path: 'reviews',
  process: (values, context) => reviewHooks.process?.(values, context) ?? values,
  // What it runs into is told in the names of the version that it was asked for in.
  create: (database, item, finish) =>
    createReview(database, item, finish, reviewViews[item.version]?.kind),
});
