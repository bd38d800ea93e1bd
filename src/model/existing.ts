/** The existing tables of a service, which other programs made. */
import type { ExistingTable } from '../definition/types.ts';
import { hasNumericKey } from './keys.ts';
import type { Collection, Model } from './types.ts';

export const isExisting = ({ table }: Collection): boolean => table.existing !== undefined;

export const existingTables = ({ collections }: Model): ExistingTable[] =>
  collections.flatMap(({ table }) => table.existing ?? []);

/** Whether the database numbers the rows of some existing table. */
export const hasExistingNumbers = ({ collections }: Model): boolean =>
  collections.some((collection) => isExisting(collection) && hasNumericKey(collection));
