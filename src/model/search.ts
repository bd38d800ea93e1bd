/** Which collections are searched. */
import type { Collection, Model } from './types.ts';

/** Whether a version of the collection is searched. */
export const isSearched = ({ table }: Collection): boolean => table.words.length > 0;

/** Whether some collection of the service is searched. */
export const hasSearch = ({ collections }: Model): boolean => collections.some(isSearched);
