/**
 * Your own rules for reviews: checks and side effects of changes. See
 * `Hooks` for the available hooks. `generate` never changes this file.
 */
import type { Hooks } from '../../platform/database/hooks.ts';
import type { Review, ReviewValues } from './schema.ts';

export const reviewHooks: Hooks<Review, ReviewValues> = {};
