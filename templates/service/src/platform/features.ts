/** What the features of this service add to the settings and to the database. */
import type { DatabaseFeature } from './database/feature.ts';
import { FILLED_WORDS } from './database/fill-words.ts';
import type { ReadSettings } from './settings.ts';

/** What reads the settings of features, in this order. */
export const SETTINGS: readonly ReadSettings[] = [];

/** The features that add something when the database is opened and migrated, in this order. */
export const DATABASE_FEATURES: readonly DatabaseFeature[] = [FILLED_WORDS];

/** The type of columns with ids of items of several collections: `text` if some ids are no UUIDs. */
export const ITEM_ID_TYPE: 'uuid' | 'text' = 'uuid';
