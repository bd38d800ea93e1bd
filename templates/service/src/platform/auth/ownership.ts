/**
 * Access to items that are limited to their owner: the user at the end of the owner path of their collection, or the user
 * who created them.
 */
import type { FastifyRequest } from 'fastify';

import type { Resource } from '../database/constraints.ts';
import type { Database } from '../database/database.ts';
import { notFoundError, otherOwnerError, revisionQuery } from '../database/not-found.ts';
import { lookupColumn, ownerOfRow, ownerPathOf, valuesOwnedBy } from '../database/owner-path.ts';
import type { OwnerPath } from '../database/owner-path.ts';
import type { FixedFilter } from '../database/pages.ts';
import { readObject } from '../http/body.ts';
import { forbidden, unprocessable } from '../http/errors.ts';
import { idOf } from '../http/item.ts';
import { unauthorized } from './authenticate.ts';
import type { Principal } from './principal.ts';
import { mayAct, mayActOnAll } from './permissions.ts';
import type { Permission } from './permissions.ts';
import { rightsHook } from './rights.ts';

/** Limits a list to the items of the caller, unless they may read all. */
export const ownItemsFilter = (
  { principal }: FastifyRequest,
  resource: Resource,
  permission: Permission,
): FixedFilter[] =>
  principal === undefined || mayActOnAll(principal, permission)
    ? []
    : [ownerFilter(resource, principal.userId)];

/** The filter for the items of a user. */
function ownerFilter(resource: Resource, id: string): FixedFilter {
  const [{ table, column }, ...rest] = ownerPathOf(resource);
  return {
    column: `${table}.${column}`,
    id,
    values: (user) => valuesOwnedBy(user, rest),
  };
}

/**
 * The caller as the owner of a new item, if they may create only items of their own and the body names no owner.
 * Otherwise no member, so that the value or the default of the body applies.
 * @param member the reference to the owner.
 * @param shown its name in the body.
 * @param others who may create items that belong to others.
 */
export const ownByDefault = <Member extends string>(
  request: FastifyRequest,
  member: Member,
  shown: string,
  others: Permission,
): Record<Member, string> => {
  const { principal } = request;
  const isOwner =
    principal !== undefined &&
    !mayActOnAll(principal, others) &&
    !Object.hasOwn(readObject(request), shown);
  return (isOwner ? { [member]: principal.userId } : {}) as Record<Member, string>;
};

/**
 * Refuses a new item that would not belong to the caller, if they may create only their own. Without a
 * credential, an item must belong to nobody.
 * @param reference the first reference of the owner path.
 * @param others who may create items that belong to others.
 * @throws 401 and 403.
 */
export async function requireOwnCreation(
  database: Database,
  { principal }: FastifyRequest,
  resource: Resource,
  reference: string | null,
  others: Permission,
): Promise<void> {
  if (mayActOnAll(principal, others)) return;
  if (principal === undefined) {
    // Nothing is looked up, so that nothing is revealed.
    if (reference === null) return;
    throw unauthorized(
      `This ${resource.item} would belong to a user: send an Authorization header.`,
    );
  }
  const owner = await ownerByReference(database, ownerPathOf(resource), reference);
  if (owner === principal.userId) return;
  throw forbidden(
    `This ${resource.item} would not belong to you, and you may create only your own.`,
  );
}

/** The user to whom the first reference of a path leads; null if a reference on the path is null, undefined if its item does not exist. */
async function ownerByReference(
  database: Database,
  [, next, ...rest]: OwnerPath,
  reference: string | null,
): Promise<string | null | undefined> {
  if (next === undefined || reference === null) return reference;
  const [found] = await database.query<{ owner: string | null }>(
    {
      prepared: true,
      text: `select ${ownerOfRow([next, ...rest])} as "owner" from ${next.table} where ${lookupColumn(next)} = $1`,
    },
    [reference],
  );
  return found?.owner;
}

/**
 * An `onRequest` hook for routes of an item: 404 or 410 if it does not exist, and 403 if the caller is
 * not its owner and one of the permissions is limited to owners. It sets `request.revision` and `request.ownedBy`.
 */
export function requireOwnItem(
  database: Database,
  resource: Resource,
  ...permissions: readonly Permission[]
): (request: FastifyRequest) => Promise<void> {
  const statement = {
    prepared: true,
    pipelined: true,
    text: revisionQuery(resource, `${ownerOfRow(ownerPathOf(resource))} as "owner"`),
  };
  return rightsHook(async (request) => {
    const id = idOf(request, resource);
    const [item] = await database.query<{ owner: string | null; revision: string }>(statement, [
      id,
    ]);
    if (item === undefined) throw await notFoundError(database, resource, id);
    request.revision = item.revision;
    const { principal } = request;
    const isLimited = permissions.some((permission) => !mayActOnAll(principal, permission));
    request.ownedBy = isLimited ? principal?.userId : undefined;
    if (isLimited && item.owner !== principal?.userId) throw otherOwnerError(resource);
  });
}

/** A reference in a body. */
interface Reference {
  readonly member: string;
  /** The name of the member in the requested version, if it differs. */
  readonly shown?: string;
  readonly resource: Resource;
  readonly id: string | null;
  /** Who may read the referenced item. */
  readonly read: Permission;
}

/**
 * Refuses references to items that the caller may not read, with the message for items that do not
 * exist, so that their existence is not revealed.
 * @param stored the item before the change; unchanged references are accepted.
 * @throws 422 that names each refused member.
 */
export async function requireReadable(
  database: Database,
  principal: Principal | undefined,
  references: readonly Reference[],
  stored: object = {},
): Promise<void> {
  const problems: string[] = [];
  for (const { member, shown = member, resource, id, read } of references) {
    const isNew = (stored as Record<string, unknown>)[member] !== id;
    if (id !== null && isNew && !(await isReadable(database, principal, resource, id, read))) {
      problems.push(`${shown} refers to an item that does not exist`);
    }
  }
  if (problems.length > 0) throw unprocessable(`${problems.join('; ')}.`);
}

async function isReadable(
  database: Database,
  principal: Principal | undefined,
  resource: Resource,
  id: string,
  read: Permission,
): Promise<boolean> {
  if (!mayAct(principal, read)) return false;
  const isLimited = !mayActOnAll(principal, read);
  const { table, collection } = resource;
  // Users own themselves.
  const owner = collection === 'users' ? '"id"' : ownerOfRow(ownerPathOf(resource));
  const rows = await database.query(
    { text: `select 1 from ${table} where "id" = $1${isLimited ? ` and ${owner} = $2` : ''}` },
    isLimited ? [id, principal?.userId] : [id],
  );
  return rows.length > 0;
}
