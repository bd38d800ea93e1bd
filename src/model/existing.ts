/** The existing tables of a service, which other programs made. */
import type {
  CollectionDefinition,
  ExistingTable,
  ServiceDefinition,
} from '../definition/types.ts';
import { ownMember } from '../shared/json.ts';
import { quoted } from '../shared/sql.ts';
import { idType, isNumbered } from './keys.ts';
import type { IdType } from './keys.ts';
import type { Collection, Model } from './types.ts';

/** The column of a member of an existing table. */
export const columnOfMember = (
  { fields, existing }: Pick<CollectionDefinition, 'fields' | 'existing'>,
  member: string,
): string =>
  fields.find(({ name }) => name === member)?.column ??
  (existing && ownMember(existing.times, member)) ??
  member;

/** The existing table of what has one. */
export const existingOf = ({ existing }: { readonly existing?: ExistingTable }): ExistingTable => {
  if (existing === undefined) throw new Error('the table is not an existing one');
  return existing;
};

/** Whether the items of a collection are in an existing table. */
export const isExisting = ({ table }: Collection): boolean => table.existing !== undefined;

/** Whether some collection of a service has an existing table. */
export const usesExistingTables = ({
  collections,
}: Pick<ServiceDefinition, 'collections'>): boolean =>
  collections.some(({ existing }) => existing !== undefined);

/** Whether a removal keeps the row, and marks it as removed. Tables of the service have no such column. */
export const hasSoftDelete = ({ existing }: Pick<CollectionDefinition, 'existing'>): boolean =>
  existing?.softDelete !== undefined;

/** The existing tables of a service. */
export const existingTables = ({ collections }: Model): ExistingTable[] =>
  collections.flatMap(({ table }) => table.existing ?? []);

/** Whether the database numbers the rows of some existing table. */
export const hasExistingNumbers = ({ collections }: Model): boolean =>
  collections.some((collection) => isExisting(collection) && isNumbered(collection));

/** The types that tombstones have of the ids in existing tables that the service does not generate; sorted. */
export const existingIdTypes = ({ collections }: Model): IdType[] =>
  idTypesOf(collections.filter(({ definition }) => definition.keySource !== 'service'));

/** The same of ids that no other item has after a removal; those that consist of values of fields are used again. */
export const permanentIdTypes = ({ collections }: Model): IdType[] =>
  idTypesOf(
    collections.filter(
      ({ definition: { keySource } }) => keySource !== 'service' && keySource !== 'fields',
    ),
  );

const idTypesOf = (collections: readonly Collection[]): IdType[] =>
  [
    ...new Set(collections.filter(isExisting).map(({ definition }) => idType(definition.key))),
  ].toSorted();

/** The name of an existing table in SQL. */
export const existingName = ({ schema, table }: ExistingTable): string =>
  `${quoted(schema)}.${quoted(table)}`;

/** Whether some ids of existing tables have tombstones that are texts. */
export const hasTextTombstones = (model: Model): boolean => existingIdTypes(model).includes('text');
