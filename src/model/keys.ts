/** The keys of collections. */
import { numericKey } from '../types/key.ts';
import type { Collection, Model } from './types.ts';

/** Whether the database numbers the items. */
export const hasNumericKey = ({ definition }: Pick<Collection, 'definition'>): boolean =>
  numericKey(definition.key) !== undefined;

/** Whether a service has numeric keys at all. */
export const hasNumericKeys = ({ collections }: Model): boolean => collections.some(hasNumericKey);

/** The type of columns with ids of items of several collections: text, if some ids are numbers. */
export type ItemIdType = 'uuid' | 'text';

export const itemIdType = (model: Model): ItemIdType => (hasNumericKeys(model) ? 'text' : 'uuid');
