/** Which changes are recorded as events. */
import type { CollectionDefinition } from '../definition/types.ts';
import type { Collection, Model } from './types.ts';

/** Whether changes of the items of a collection write events. */
export const writesEvents = ({ definition }: Collection): boolean => definition.events;

/** Whether a service has events at all. */
export const hasEvents = ({ collections }: Model): boolean => collections.some(writesEvents);

/** The changes of an item, as the types of events name them. */
const CHANGES = ['created', 'updated', 'deleted'] as const;

/** The types of the events of a collection: `book.created` and so on. */
export const eventTypesOf = ({ singular }: Pick<CollectionDefinition, 'singular'>): string[] =>
  CHANGES.map((change) => `${singular}.${change}`);
