/** How the items of collections are made that are made in the background, by name. */
import { reviewWork } from './reviews/work.ts';
import type { AnyWork } from '../platform/jobs/work.ts';

/** The paths of these collections, by version. */
export const workPaths: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  reviews: { 2: 'opinions', 3: 'reviews' },
};

export const works: Readonly<Record<string, AnyWork>> = {
  reviews: reviewWork,
};
