/** Which items are made in the background, as jobs. */
import type { Collection, Model } from './types.ts';

/** Whether a POST is answered 202 and a job, before the item is made. */
export const isBackground = ({ definition }: Collection): boolean =>
  definition.create === 'background';

/** Whether a service has jobs at all. */
export const hasJobs = ({ collections }: Model): boolean => collections.some(isBackground);
