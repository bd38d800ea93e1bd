/** Who may do what with the items of a collection. */
import type { Permission, Permissions } from '../../definition/types.ts';
import type { Collection, Model } from '../../model/types.ts';
import { isVersioned } from '../../model/versions.ts';
import { valueLiteral } from '../../shared/literals.ts';

/** The part of a collection's view that is about permissions. */
export interface AccessView {
  /** Whether some version has the collection otherwise than it is stored. */
  readonly versioned: boolean;
  readonly permissions: Readonly<Record<keyof Permissions, { readonly code: string }>>;
}

export function accessView({ definition }: Collection, model: Model): AccessView {
  const { permissions } = definition;
  return {
    versioned: isVersioned(model, definition.name),
    permissions: {
      read: { code: permissionCode(permissions.read) },
      create: { code: permissionCode(permissions.create) },
      update: { code: permissionCode(permissions.update) },
      delete: { code: permissionCode(permissions.delete) },
    },
  };
}

export const permissionCode = (permission: Permission): string =>
  permission.kind === 'some'
    ? valueLiteral([...permission.roles, ...(permission.owner ? ['owner'] : [])])
    : valueLiteral(permission.kind);
