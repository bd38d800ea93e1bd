/** Who may do what: a table of caller by action for each collection. */
import type { CollectionDefinition, Permission, Permissions } from '../../definition/types.ts';
import { ownerPathText } from '../../model/owner-paths.ts';
import { createsForOthers, hasOwners, ownCreationOf } from '../../model/permissions.ts';
import type { Model } from '../../model/types.ts';
import { alignedRows } from './aligned-rows.ts';

const ACTIONS = ['read', 'create', 'update', 'delete'] as const satisfies (keyof Permissions)[];

/** What a caller may do to the items of a collection: to all, to their own, or to none. */
export type Reach = 'all' | 'own' | 'none';

/** One kind of caller of one collection. */
export interface Access {
  readonly collection: string;
  /** `stranger` for nobody that is known, `user` for a known caller without roles, or a role. */
  readonly caller: string;
  readonly actions: Readonly<Record<keyof Permissions, Reach>>;
}

/** For each collection a row for each kind of caller, from who may least to who may all. */
export const accessOf = ({ service, collections }: Model): Access[] =>
  collections.flatMap(({ definition, definition: { name, permissions } }) =>
    ['stranger', 'user', ...service.roles, 'admin'].map((caller) => ({
      collection: name,
      caller,
      actions: {
        read: reachOf(permissions.read, caller),
        create: lesser(reachOf(permissions.create, caller), createReach(definition, caller)),
        // A change answers the item: it reaches no further than reading.
        update: lesser(reachOf(permissions.update, caller), reachOf(permissions.read, caller)),
        delete: reachOf(permissions.delete, caller),
      },
    })),
  );

function reachOf(permission: Permission, caller: string): Reach {
  if (permission.kind === 'public' || caller === 'admin') return 'all';
  if (caller === 'stranger') return 'none';
  if (permission.kind === 'authenticated' || permission.roles.includes(caller)) return 'all';
  return permission.owner ? 'own' : 'none';
}

/** Whose items a caller may create. */
function createReach(definition: CollectionDefinition, caller: string): Reach {
  const creation = ownCreationOf(definition);
  if (creation === undefined) return 'all';
  // A new item belongs to nobody, and only callers without a credential may create such items.
  if (creation.member === undefined && caller === 'stranger') return 'all';
  const own = creation.member === undefined ? 'none' : 'own';
  return reachOf(createsForOthers(definition.permissions), caller) === 'all' ? 'all' : own;
}

/** From the least to the most. */
const REACHES: readonly Reach[] = ['none', 'own', 'all'];

const lesser = (one: Reach, other: Reach): Reach =>
  REACHES.indexOf(one) < REACHES.indexOf(other) ? one : other;

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
