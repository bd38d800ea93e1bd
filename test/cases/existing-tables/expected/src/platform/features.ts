/** What the features of this service add to the settings and to the database. */
import { existingTables } from './database/existing-tables.ts';
import type { DatabaseFeature } from './database/feature.ts';
import { ownSchema } from './database/search-path.ts';
import type { ReadSettings } from './settings.ts';

/** What reads the settings of features, in this order. */
export const SETTINGS: readonly ReadSettings[] = [];

/** The features that add something when the database is opened and migrated, in this order. */
export const DATABASE_FEATURES: readonly DatabaseFeature[] = [
  // The tables of definitions/, and columns of theirs that have to be unique.
  existingTables([
    { table: '"public"."film"', columns: ['film_id'] },
    { table: '"Words"."language"', columns: ['id'] },
  ]),
  ownSchema('service'),
];

/** The type of columns with ids of items of several collections: `text` if some ids are no UUIDs. */
export const ITEM_ID_TYPE: 'uuid' | 'text' = 'text';
