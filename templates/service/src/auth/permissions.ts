/** Who may do what, as the definitions say it. */
import type { FastifyRequest } from 'fastify';

import { forbidden } from '../http/errors.ts';
import { unauthorized } from './authenticate.ts';
import { isAdmin } from './principal.ts';
import type { Principal } from './principal.ts';

/** Who may do one action: everybody, every known caller, or these roles and perhaps the owner. */
export type Permission = 'public' | 'authenticated' | readonly string[];

/** Who may do each action on the items of a collection. */
export interface Permissions {
  readonly read: Permission;
  readonly create: Permission;
  readonly update: Permission;
  readonly delete: Permission;
}

/** The word that stands among roles for the owner of an item. */
const OWNER = 'owner';

/**
 * A hook for routes: 401 without a credential where one is needed, 403 without the role. Of several
 * permissions a caller needs each.
 */
export const allow =
  (...permissions: readonly Permission[]) =>
  async (request: FastifyRequest): Promise<void> => {
    const { principal } = request;
    if (permissions.every((permission) => mayAct(principal, permission))) return;
    if (principal === undefined) throw unauthorized('This needs a credential in Authorization.');
    throw forbidden('You may not do this.');
  };

/** Whether a caller may act at all, be it only on what is theirs. */
export const mayAct = (principal: Principal | undefined, permission: Permission): boolean =>
  mayActOnAll(principal, permission) ||
  (principal !== undefined && permission !== 'public' && permission.includes(OWNER));

/** Whether a caller may act on every item, whoever owns it. */
export function mayActOnAll(principal: Principal | undefined, permission: Permission): boolean {
  if (permission === 'public') return true;
  if (principal === undefined) return false;
  if (permission === 'authenticated' || isAdmin(principal)) return true;
  return permission.some((role) => role !== OWNER && principal.roles.has(role));
}
