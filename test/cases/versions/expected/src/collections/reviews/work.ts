/** How reviews are made in the background: the slow work of hooks.ts, then the item. */
import { anyWork } from '../../jobs/work.ts';
import { reviewHooks } from './hooks.ts';
import { createReview } from './repository.ts';
import type { ReviewValues } from './schema.ts';

export const reviewWork = anyWork<ReviewValues>({
  path: 'reviews',
  process: (values, context) => reviewHooks.process?.(values, context) ?? values,
  create: createReview,
});
