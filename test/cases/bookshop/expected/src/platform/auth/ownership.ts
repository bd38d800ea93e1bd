/** Access to items that are limited to their owner, the user who created them. */
import type { FastifyRequest } from 'fastify';

import type { Resource } from '../database/constraints.ts';
import type { Database } from '../database/database.ts';
import { notFoundError, otherOwnerError } from '../database/not-found.ts';
import type { FixedFilter } from '../database/pages.ts';
import { unprocessable } from '../http/errors.ts';
import { idOf } from '../http/item.ts';
import type { Principal } from './principal.ts';
import { mayAct, mayActOnAll } from './permissions.ts';
import type { Permission } from './permissions.ts';
import { rightsHook } from './rights.ts';

/** Limits a list to the items of the caller, unless they may read all. */
export const ownItemsFilter = (
  { principal }: FastifyRequest,
  { table }: Resource,
  permission: Permission,
): FixedFilter[] =>
  principal === undefined || mayActOnAll(principal, permission)
    ? []
    : [{ column: `${table}."_owner_id"`, id: principal.userId }];

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
    text: `select "_owner_id" as "owner", "updated_at" as "revision" from ${resource.table}
      where "id" = $1`,
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
  { table, collection }: Resource,
  id: string,
  read: Permission,
): Promise<boolean> {
  if (!mayAct(principal, read)) return false;
  const isLimited = !mayActOnAll(principal, read);
  // Users own themselves; all other tables have an owner column.
  const owner = collection === 'users' ? '"id"' : '"_owner_id"';
  const rows = await database.query(
    { text: `select 1 from ${table} where "id" = $1${isLimited ? ` and ${owner} = $2` : ''}` },
    isLimited ? [id, principal?.userId] : [id],
  );
  return rows.length > 0;
}
