/**
 * The team's own rules for reviews: what is checked, and what is done, around a change.
 * This file is yours; `Hooks` says which hooks there are.
 */
import type { Hooks } from '../../database/hooks.ts';
import type { Review, ReviewValues } from './schema.ts';

export const reviewHooks: Hooks<Review, ReviewValues> = {};
