/** The keys of collections. */
import { numericKey } from '../types/key.ts';
import type { KeyType } from '../types/key.ts';
import type { Collection, Model } from './types.ts';

type Keyed = Pick<Collection, 'definition'>;

/** Whether ids are numbers. */
export const hasNumericKey = ({ definition }: Keyed): boolean =>
  numericKey(definition.key) !== undefined;

/** Whether ids are texts. */
export const hasTextKey = ({ definition }: Keyed): boolean => definition.key === 'string';

/** Whether ids consist of the values of fields. */
export const hasFieldKey = ({ definition }: Keyed): boolean => definition.keySource === 'fields';

/** Whether they consist of the values of several. */
export const hasCompositeKey = ({ definition }: Keyed): boolean => definition.key === 'composite';

/** Whether clients choose ids. */
export const hasClientKey = ({ definition }: Keyed): boolean => definition.keySource === 'client';

/** Whether the database numbers the items. */
export const isNumbered = ({ definition }: Keyed): boolean => definition.keySource === 'database';

/** Whether a service has numeric keys at all. */
export const hasNumericKeys = ({ collections }: Model): boolean => collections.some(hasNumericKey);

/** The types of ids in tables of tombstones. */
export type IdType = 'bigint' | 'text' | 'uuid';

export const idType = (key: KeyType): IdType =>
  key === 'uuid' ? key : numericKey(key) === undefined ? 'text' : 'bigint';

/** The type of columns with ids of items of several collections: text, if some ids are no UUIDs. */
export type ItemIdType = 'uuid' | 'text';

export const itemIdType = ({ collections }: Model): ItemIdType =>
  collections.some(({ definition }) => definition.key !== 'uuid') ? 'text' : 'uuid';
