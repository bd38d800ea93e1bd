/** Who may do what with a collection, in words for the README. */
import type { Permission } from '../../definition/types.ts';
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
    update: inWords(permissions.update),
    delete: inWords(permissions.delete),
  };
}

function inWords(permission: Permission): string {
  if (permission.kind === 'public') return 'everybody';
  if (permission.kind === 'authenticated') return 'everybody who is known';
  const roles = [...new Set([...permission.roles, 'admin'])].map((role) => `\`${role}\``);
  return [...(permission.owner ? ['the owner'] : []), ...roles].join(', ');
}
