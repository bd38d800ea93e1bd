/** What the permissions of a service ask of its callers. */
import type { Permission, Permissions } from '../definition/types.ts';
import { collectionNamed } from './lookup.ts';
import type { Model } from './types.ts';

/** Users are read by themselves and by administrators. */
export const USERS_READ: Permission = { kind: 'some', roles: [], owner: true };

/** Whether a permission lets owners act. */
export const isOwned = (permission: Permission): boolean =>
  permission.kind === 'some' && permission.owner;

/** Who may read a collection of a model, or `users`. */
export const readOf = (collection: string, model: Model): Permission =>
  collection === 'users'
    ? USERS_READ
    : (collectionNamed(model, collection)?.definition.permissions.read ?? { kind: 'public' });

/** Whether a service has items that are somebody's, or references that not everybody may follow. */
export const hasLimitedItems = (model: Model): boolean =>
  model.collections.some(
    (collection) =>
      collection.table.hasOwner ||
      collection.relations.some(({ target }) => readOf(target.collection, model).kind !== 'public'),
  );

/**
 * What a caller needs who changes an item: `update`, and `read` too, for a change answers the whole
 * item. `read` is left out where whoever may update may read anyway; what everybody has is left out
 * as well, so that nothing is asked where both are public.
 */
export function neededToChange({
  read,
  update,
}: Permissions): readonly Extract<keyof Permissions, 'read' | 'update'>[] {
  const needsRead = !implies(update, read);
  return [
    ...(update.kind === 'public' ? [] : (['update'] as const)),
    ...(needsRead ? (['read'] as const) : []),
  ];
}

/** Whether every caller whom one permission lets act on an item may act by the other, too. */
export function implies(one: Permission, other: Permission): boolean {
  if (other.kind === 'public') return true;
  if (one.kind === 'public') return false;
  if (other.kind === 'authenticated') return true;
  if (one.kind === 'authenticated') return false;
  const roles = ['admin', ...other.roles];
  return one.roles.every((role) => roles.includes(role)) && (other.owner || !one.owner);
}
