/** What the permissions of a service ask of its callers. */
import { beginsWithLink } from '../definition/owner-step.ts';
import type {
  CollectionDefinition,
  Permission,
  Permissions,
  ServiceDefinition,
} from '../definition/types.ts';
import { collectionNamed } from './lookup.ts';
import type { Model } from './types.ts';

/** Users are read by themselves, by administrators, and by the roles that the service names. */
export const usersRead = ({ usersRead: roles = [] }: ServiceDefinition): Permission => ({
  kind: 'some',
  roles,
  owner: true,
});

/** Whether a permission lets owners act. */
export const allowsOwners = (permission: Permission): boolean =>
  permission.kind === 'some' && permission.owner;

/** Whether items have owners: a permission lets these act. */
export const hasOwners = ({ permissions }: CollectionDefinition): boolean =>
  Object.values(permissions).some(allowsOwners);

/**
 * Who may create items that belong to others, and items that belong to nobody: roles that may read all items, or
 * change all where everybody may read them.
 */
export const createsForOthers = ({ read, update }: Permissions): Permission =>
  withoutOwner(read.kind === 'some' ? read : update);

/** How a new item with an owner path is checked. */
export interface OwnCreation {
  /** The first reference of the path; undefined if it begins with a linking collection: no new item has an owner. */
  readonly member: string | undefined;
  /** The permission of those who may create items of others; its owners may not. */
  readonly others: 'read' | 'update';
  /** Whether the reference is to the owner. */
  readonly isDirect: boolean;
}

/**
 * The check that a new item belongs to the caller; undefined if it has no owner path, if all who may create
 * items may create those of others, or if only the service sets the reference.
 */
export function ownCreationOf({
  owner,
  fields,
  permissions,
}: CollectionDefinition): OwnCreation | undefined {
  if (owner === undefined) return undefined;
  const first = beginsWithLink(owner) ? undefined : owner[0]?.field;
  const field = fields.find(({ name }) => name === first);
  if (first !== undefined && (field === undefined || field.readOnly)) return undefined;
  if (permissionImplies(permissions.create, createsForOthers(permissions))) return undefined;
  return {
    member: first,
    others: permissions.read.kind === 'some' ? 'read' : 'update',
    isDirect: owner.length === 1,
  };
}

/** Who has a permission for all items. */
export const withoutOwner = (permission: Permission): Permission =>
  permission.kind === 'some' ? { ...permission, owner: false } : permission;

/** Who may read a collection of a model, or `users`. */
export const readOf = (collection: string, model: Model): Permission =>
  collection === 'users'
    ? usersRead(model.service)
    : (collectionNamed(model, collection)?.definition.permissions.read ?? { kind: 'public' });

/** Whether some callers may update only items of their own, or delete only those. */
export const ownsChanges = (permissions: Permissions): boolean =>
  [...neededToChange(permissions), 'delete' as const].some((action) =>
    allowsOwners(permissions[action]),
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
  const needsRead = !permissionImplies(update, read);
  return [
    ...(update.kind === 'public' ? [] : (['update'] as const)),
    ...(needsRead ? (['read'] as const) : []),
  ];
}

/** Whether every caller whom one permission lets act on an item may act by the other, too. */
export function permissionImplies(one: Permission, other: Permission): boolean {
  if (other.kind === 'public') return true;
  if (one.kind === 'public') return false;
  if (other.kind === 'authenticated') return true;
  if (one.kind === 'authenticated') return false;
  const roles = ['admin', ...other.roles];
  return one.roles.every((role) => roles.includes(role)) && (other.owner || !one.owner);
}
