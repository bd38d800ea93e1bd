/** The permissions of a collection as a row of a table in the README. */
import type { Permission, Permissions } from '../../definition/types.ts';
import { permissionImplies } from '../../model/permissions.ts';
import type { Collection } from '../../model/types.ts';

export interface AccessRow {
  /** What the items are called. */
  readonly words: string;
  readonly read: string;
  readonly create: string;
  readonly update: string;
  readonly delete: string;
}

export function accessRow({ names, definition: { permissions } }: Collection): AccessRow {
  return {
    words: names.words,
    read: inWords(permissions.read),
    create: inWords(permissions.create),
    update: changersInWords(permissions),
    delete: inWords(permissions.delete),
  };
}

/** A change returns the item, so it needs read permission too. */
function changersInWords({ read, update }: Permissions): string {
  if (permissionImplies(update, read)) return inWords(update);
  return permissionImplies(read, update)
    ? inWords(read)
    : `${inWords(update)} (with read permission)`;
}

function inWords(permission: Permission): string {
  if (permission.kind === 'public') return 'anyone';
  if (permission.kind === 'authenticated') return 'authenticated users';
  const roles = [...new Set([...permission.roles, 'admin'])].map((role) => `\`${role}\``);
  return [...(permission.owner ? ['the owner'] : []), ...roles].join(', ');
}
