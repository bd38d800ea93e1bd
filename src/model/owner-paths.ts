/** Owner paths of a service: the references that lead from an item to the user who owns it. */
import type { CollectionDefinition, OwnerStep } from '../definition/types.ts';
import { ownCreationOf } from './permissions.ts';
import type { Collection, Model, View } from './types.ts';
/** Whether some owner path goes over a linking collection. */
export const hasOwnerLinks = ({ collections }: Model): boolean =>
  collections.some(({ definition: { owner = [] } }) =>
    owner.some(({ link }) => link !== undefined),
  );

/** Whether the owner of a new item is the caller somewhere, if a body names none. */
export const setsOwners = ({ collections }: Model): boolean =>
  collections.some(({ definition }) => ownCreationOf(definition)?.isDirect === true);

/**
 * The reference to the owner, where a version does not have it and the service sets it to the caller.
 * @returns its stored name.
 */
export function hiddenOwner({ definition }: Collection, { absent }: View): string | undefined {
  const creation = ownCreationOf(definition);
  if (creation?.isDirect !== true) return undefined;
  return absent.some(({ name }) => name === creation.member) ? creation.member : undefined;
}

/** Whether two owner paths under the same names are one; undefined is the creator. */
export const isSameOwner = (
  one: readonly OwnerStep[] | undefined,
  other: readonly OwnerStep[] | undefined,
): boolean =>
  one?.length === other?.length &&
  (one ?? []).every(
    ({ collection, field, link }, at) =>
      collection === other?.[at]?.collection &&
      field === other[at]?.field &&
      link === other[at]?.link,
  );

/** An owner path as it is written; undefined without one, or in a version that does not have all of it. */
export const ownerPathText = ({
  owner = [],
}: Pick<CollectionDefinition, 'owner'>): string | undefined =>
  owner.length === 0
    ? undefined
    : owner
        .flatMap(({ collection, field, link }) => [
          ...(link === undefined ? [] : [collection]),
          ...(field === 'id' ? [] : [field]),
        ])
        .join('.');
