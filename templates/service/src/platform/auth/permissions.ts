/** Permissions of the definitions, and the route hooks that enforce them. */
import { forbidden } from '../http/errors.ts';
import { unauthorized } from './authenticate.ts';
import { isAdmin } from './principal.ts';
import type { Principal } from './principal.ts';
import { rightsHook } from './rights.ts';
import type { Hook } from './rights.ts';

/** Who may do an action: everybody, every authenticated user, or users with these roles. */
export type Permission = 'public' | 'authenticated' | readonly string[];

/** The permissions of a collection. */
export interface Permissions {
  readonly read: Permission;
  readonly create: Permission;
  readonly update: Permission;
  readonly delete: Permission;
}

/** The entry in a list of roles that means the owner of the item. */
const OWNER = 'owner';

/** A hook that checks permissions, which the OpenAPI document names. */
export const guard = (
  permissions: readonly Permission[],
  hook: Hook,
): Hook & { readonly permissions: readonly Permission[] } =>
  Object.assign(rightsHook(hook), { permissions });

/**
 * An `onRequest` hook: 401 without a credential, 403 without the permission. The caller needs all of
 * the given permissions.
 */
export const allow = (...permissions: readonly Permission[]): Hook =>
  guard(permissions, async ({ principal }) => {
    if (permissions.every((permission) => mayAct(principal, permission))) return;
    if (principal === undefined)
      throw unauthorized('Authentication is required: send an Authorization header.');
    throw forbidden('You do not have permission to do this.');
  });

/** An `onRequest` hook that refuses access tokens, so that a stolen token cannot create others. */
export const requirePassword = rightsHook(async ({ principal }) => {
  if (principal?.passwordHash !== undefined) return;
  throw forbidden('A username and password are required: an access token is not enough.');
});

/** Whether a caller has the permission, at least for items that they own. */
export const mayAct = (principal: Principal | undefined, permission: Permission): boolean =>
  mayActOnAll(principal, permission) ||
  (principal !== undefined && permission !== 'public' && permission.includes(OWNER));

/** Whether a caller has the permission for all items. */
export function mayActOnAll(principal: Principal | undefined, permission: Permission): boolean {
  if (permission === 'public') return true;
  if (principal === undefined) return false;
  if (permission === 'authenticated' || isAdmin(principal)) return true;
  return permission.some((role) => role !== OWNER && principal.roles.has(role));
}
