/** Who may do what: for each collection and kind of caller how far each action reaches. */
import type { CollectionDefinition, Permission, Permissions } from '../definition/types.ts';
import { createsForOthers, ownCreationOf } from './permissions.ts';
import type { Model } from './types.ts';

/** What a caller may do to the items of a collection: to all, to their own, or to none. */
export type Reach = 'all' | 'own' | 'none';

/** One kind of caller of one collection. */
export interface Access {
  readonly collection: string;
  /** `stranger` for nobody that is known, `user` for a known caller without roles, or a role. */
  readonly caller: string;
  readonly actions: Readonly<Record<keyof Permissions, Reach>>;
}

/** A kind of caller. A role may be called `stranger` or `user`. */
interface Caller {
  readonly name: string;
  readonly isKnown: boolean;
  readonly role?: string;
}

const withRole = (role: string): Caller => ({ name: role, isKnown: true, role });

/** For each collection a row for each kind of caller, from who may least to who may all. */
export function accessOf({ service, collections }: Model): Access[] {
  const callers: readonly Caller[] = [
    { name: 'stranger', isKnown: false },
    { name: 'user', isKnown: true },
    ...[...service.roles, 'admin'].map(withRole),
  ];
  return collections.flatMap(({ definition, definition: { name, permissions } }) =>
    callers.map((caller) => ({
      collection: name,
      caller: caller.name,
      actions: {
        read: reachOf(permissions.read, caller),
        create: lesser(reachOf(permissions.create, caller), createReach(definition, caller)),
        // A change answers the item: it reaches no further than reading.
        update: lesser(reachOf(permissions.update, caller), reachOf(permissions.read, caller)),
        delete: reachOf(permissions.delete, caller),
      },
    })),
  );
}

function reachOf(permission: Permission, { isKnown, role }: Caller): Reach {
  if (permission.kind === 'public' || role === 'admin') return 'all';
  if (!isKnown) return 'none';
  if (permission.kind === 'authenticated') return 'all';
  if (role !== undefined && permission.roles.includes(role)) return 'all';
  return permission.owner ? 'own' : 'none';
}

/** Whose items a caller may create. */
function createReach(definition: CollectionDefinition, caller: Caller): Reach {
  const creation = ownCreationOf(definition);
  if (creation === undefined) return 'all';
  // A new item belongs to nobody, and only callers without a credential may create such items.
  if (creation.member === undefined && !caller.isKnown) return 'all';
  const own = creation.member === undefined ? 'none' : 'own';
  return reachOf(createsForOthers(definition.permissions), caller) === 'all' ? 'all' : own;
}

/** From the least to the most. */
const REACHES: readonly Reach[] = ['none', 'own', 'all'];

/** Whether the first reaches further. */
export const isWider = (one: Reach, other: Reach): boolean =>
  REACHES.indexOf(one) > REACHES.indexOf(other);

const lesser = (one: Reach, other: Reach): Reach => (isWider(one, other) ? other : one);
