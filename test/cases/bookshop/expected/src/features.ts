/** The features of this service that not every service has. */
import { searchedTables } from './collections/searched-tables.ts';
import { searchIndexing } from './platform/database/background-indexing.ts';
import type { Feature } from './platform/feature.ts';

/** What each adds to the service, in this order. */
export const FEATURES: readonly Feature[] = [searchIndexing(searchedTables)];
