/** Who may do what: a table of caller by action for each collection. */
import { ACTIONS } from '../../definition/permissions.ts';
import type { Access, Reach } from '../../model/access.ts';
import { ownerPathText } from '../../model/owner-paths.ts';
import { hasOwners } from '../../model/permissions.ts';
import type { Model } from '../../model/types.ts';
import { alignedRows } from './aligned-rows.ts';

const MARKS: Readonly<Record<Reach, string>> = { all: 'yes', own: 'own', none: '-' };

/** The rows as a table for people. */
export function accessTable(rows: readonly Access[]): string {
  const cells = [
    ['COLLECTION', 'CALLER', ...ACTIONS.map((action) => action.toUpperCase())],
    ...rows.map(({ collection, caller, actions }, at) => [
      collection === rows[at - 1]?.collection ? '' : collection,
      caller,
      ...ACTIONS.map((action) => MARKS[actions[action]]),
    ]),
  ];
  return alignedRows(cells).join('\n');
}

/** Who owns the items of a collection. */
export interface ItemOwner {
  readonly collection: string;
  /** The path of references to the owner; absent: the user who created the item. */
  readonly path?: string;
}

/** Who owns the items of each collection whose permissions name owners. */
export const ownersOf = ({ collections }: Model): ItemOwner[] =>
  collections
    .filter(({ definition }) => hasOwners(definition))
    .map(({ definition }) => {
      const path = ownerPathText(definition);
      return { collection: definition.name, ...(path !== undefined && { path }) };
    });

/** Lines for people, that say what `own` means in the table; none if no collection has owners. */
export const ownerLines = (owners: readonly ItemOwner[]): string[] =>
  owners.length === 0
    ? []
    : [
        '',
        '"own": only the items that belong to the caller. The owner of an item is',
        ...owners.map(({ collection, path }) =>
          path === undefined
            ? `  ${collection}: the user who created it`
            : `  ${collection}: the user at ${path}`,
        ),
      ];
