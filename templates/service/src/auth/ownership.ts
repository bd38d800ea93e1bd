/** Items that belong to the user who made them, and what follows for those who do not. */
import type { FastifyRequest } from 'fastify';

import type { Database } from '../database/database.ts';
import { missing } from '../database/missing.ts';
import type { Kind } from '../database/missing.ts';
import type { Scope } from '../database/pages.ts';
import { forbidden, unprocessable } from '../http/errors.ts';
import { idOf } from '../http/item.ts';
import { mayAct, mayActOnAll } from './permissions.ts';
import type { Permission } from './permissions.ts';
import type { Principal } from './principal.ts';

/** The owner of what a request makes; nobody where the caller is not known. */
export const ownerOf = ({ principal }: FastifyRequest): string | null => principal?.userId ?? null;

/** Narrows a list to the caller's own items, where they may read no others. */
export const ownScope = (
  { principal }: FastifyRequest,
  { table }: Kind,
  permission: Permission,
): Scope[] =>
  principal === undefined || mayActOnAll(principal, permission)
    ? []
    : [{ column: `${table}."_owner_id"`, id: principal.userId }];

/**
 * A hook for routes below an item that may be somebody's: throws 404 or 410 where it is not there,
 * and 403 where it is another's and the caller may, by one of the permissions, act on their own alone.
 */
export function requireOwnItem(
  database: Database,
  kind: Kind,
  ...permissions: readonly Permission[]
): (request: FastifyRequest) => Promise<void> {
  const statement = {
    keep: true,
    quick: true,
    text: `select "_owner_id" as "owner", "updated_at" as "revision" from ${kind.table}
      where "id" = $1`,
  };
  return async (request) => {
    const id = idOf(request, kind);
    const [item] = await database.query<{ owner: string | null; revision: string }>(statement, [
      id,
    ]);
    if (item === undefined) throw await missing(database, kind, id);
    request.revision = item.revision;
    const { principal } = request;
    if (item.owner === principal?.userId) return;
    if (permissions.every((permission) => mayActOnAll(principal, permission))) return;
    throw forbidden(`This ${kind.item} is somebody else's.`);
  };
}

/** A reference that a body holds. */
interface Reference {
  readonly member: string;
  /** What a version of the API calls the member, where that is something else. */
  readonly shown?: string;
  readonly kind: Kind;
  readonly id: string | null;
  /** Who may read what it leads to. */
  readonly read: Permission;
}

/**
 * Refuses references to items that the caller may not read, in the words of those that are
 * missing: nobody learns by trying what is there.
 * @param stored the item that changes: what it refers to already may stay.
 * @throws 422 that names each of them.
 */
export async function requireReadable(
  database: Database,
  principal: Principal | undefined,
  references: readonly Reference[],
  stored: object = {},
): Promise<void> {
  const problems: string[] = [];
  for (const { member, shown = member, kind, id, read } of references) {
    const isNew = (stored as Record<string, unknown>)[member] !== id;
    if (id !== null && isNew && !(await isReadable(database, principal, kind, id, read))) {
      problems.push(`${shown} refers to an item that is not there`);
    }
  }
  if (problems.length > 0) throw unprocessable(`${problems.join('; ')}.`);
}

async function isReadable(
  database: Database,
  principal: Principal | undefined,
  { table, collection }: Kind,
  id: string,
  read: Permission,
): Promise<boolean> {
  if (!mayAct(principal, read)) return false;
  const isLimited = !mayActOnAll(principal, read);
  // A user is their own; all other tables that can be limited name the owner.
  const owner = collection === 'users' ? '"id"' : '"_owner_id"';
  const rows = await database.query(
    { text: `select 1 from ${table} where "id" = $1${isLimited ? ` and ${owner} = $2` : ''}` },
    isLimited ? [id, principal?.userId] : [id],
  );
  return rows.length > 0;
}
