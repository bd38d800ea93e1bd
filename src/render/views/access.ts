/** Who may do what with the items of a collection, and who owns them. */
import type { Permission, Permissions } from '../../definition/types.ts';
import { isEmbedded } from '../../model/includes.ts';
import { ownsChanges } from '../../model/permissions.ts';
import { columnName, quoted, tableName } from '../../shared/sql.ts';
import type { Collection, Model } from '../../model/types.ts';
import { isVersioned } from '../../model/versions.ts';
import { stringLiteral, valueLiteral } from '../../shared/literals.ts';

/** A step of the path to an owner; all names are quoted. */
interface OwnerStepView {
  readonly table: string;
  readonly column: string;
  /** The reference of a linking collection, by which the step before finds the row; undefined: `"id"`. */
  readonly link: string | undefined;
}

/** The part of a collection's view that is about permissions. */
export interface AccessView {
  /** Whether some version has the collection otherwise than it is stored. */
  readonly versioned: boolean;
  readonly permissions: Readonly<Record<keyof Permissions, { readonly code: string }>>;
  readonly hasOwner: boolean;
  /** The tables and columns of the path to the owner, quoted; undefined without a path. */
  readonly ownerPath: readonly OwnerStepView[] | undefined;
  /** Code for the SQL expression of the owner of a row; undefined if owners do not matter to changes. */
  readonly ownerOfChanges: string | undefined;
  /** Whether `include` embeds the collection, or something in it. */
  readonly embedded: boolean;
}

export function accessView(collection: Collection, model: Model): AccessView {
  const { definition, table } = collection;
  const { permissions } = definition;
  return {
    versioned: isVersioned(model, definition.name),
    permissions: {
      read: { code: permissionCode(permissions.read) },
      create: { code: permissionCode(permissions.create) },
      update: { code: permissionCode(permissions.update) },
      delete: { code: permissionCode(permissions.delete) },
    },
    hasOwner: table.hasOwner,
    ownerPath: definition.owner?.map(({ collection: name, field, link }) => ({
      table: quoted(tableName(name)),
      column: quoted(columnName(field)),
      link: link === undefined ? undefined : quoted(columnName(link)),
    })),
    ownerOfChanges: ownerOfChanges(collection),
    embedded: isEmbedded(collection, model),
  };
}

/** Code for the SQL expression of the owner of a row, if changes demand one. */
function ownerOfChanges({ names, definition, table }: Collection): string | undefined {
  if (!ownsChanges(definition.permissions)) return undefined;
  return definition.owner === undefined
    ? stringLiteral(`${quoted(table.name)}."_owner_id"`)
    : `ownerOfRow(${names.constant}.owner)`;
}

export const permissionCode = (permission: Permission): string =>
  permission.kind === 'some'
    ? valueLiteral([...permission.roles, ...(permission.owner ? ['owner'] : [])])
    : valueLiteral(permission.kind);
