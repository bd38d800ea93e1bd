/** Who may do something with items: one word that stands alone, or a list of roles. */
import { mismatch } from '../reading/mismatch.ts';
import type { Issues } from '../reading/issues.ts';
import { list, text, type Located, type Shape } from '../reading/shapes.ts';
import { nearest } from '../reading/nearest.ts';
import { enumerate, quote } from '../reading/quote.ts';
import type { ListTree } from '../reading/tree.ts';
import type { Permission, Permissions } from './types.ts';
import type { Position } from '../reading/position.ts';

export type PermissionAction = keyof Permissions;

/** In the order in which they are written. */
export const ACTIONS: readonly PermissionAction[] = ['read', 'create', 'update', 'delete'];

/** What a permission was written as; whether its roles exist is not yet known. */
export interface WrittenPermission {
  readonly permission: Permission;
  /** The roles with their positions. */
  readonly roles: readonly Located<string>[];
}

/** The shape of the permission for each action: `owner` cannot create what is not yet owned. */
export const PERMISSION: Readonly<Record<PermissionAction, Shape<WrittenPermission>>> = {
  read: permission('read'),
  create: permission('create'),
  update: permission('update'),
  delete: permission('delete'),
};

/** Adds an issue for each role that the service does not have. */
export function checkRoles(
  roles: readonly Located<string>[],
  known: readonly string[],
  issues: Issues,
): void {
  const all = [...new Set(['admin', ...known])];
  for (const { value, at } of roles) {
    if (all.includes(value)) continue;
    const near = nearest(value, [...all, 'owner']);
    const hint =
      near === undefined
        ? `Write ${enumerate(all.map(quote), 'or')}, or add it to "roles" of the service.`
        : `Write ${quote(near)}.`;
    issues.add(at, 'unknown-role', `role ${quote(value)} is not one of the service. ${hint}`);
  }
}

function permission(action: PermissionAction): Shape<WrittenPermission> {
  const owner = action === 'create' ? [] : ['owner'];
  const alone = ['public', 'authenticated', ...owner];
  return {
    schema: {
      anyOf: [
        { enum: alone },
        { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
      ],
    },
    read(tree, what, issues) {
      if (tree.kind === 'list') return readList(tree, action, issues);
      if (tree.kind !== 'scalar' || typeof tree.value !== 'string') {
        return mismatch(
          tree,
          what,
          `${enumerate(alone, 'or')}, or a list of roles`,
          undefined,
          issues,
        );
      }
      const { value } = tree;
      if (value === 'public' || value === 'authenticated') {
        return { permission: { kind: value }, roles: [] };
      }
      if (value === 'owner') {
        return ownerFits(tree.at, action, 'Write "authenticated".', issues)
          ? rolesPermission([], true)
          : undefined;
      }
      const near = nearest(value, alone);
      const hint =
        near === undefined ? `${alone.map(quote).join(', ')}, or a list: [${value}]` : quote(near);
      const message = `${what} ${quote(value)} is no permission by itself. Write ${hint}.`;
      issues.add(tree.at, 'bad-permission', message);
      return undefined;
    },
  };
}

/** What is no role, but stands for itself. */
const WORDS = new Set(['public', 'authenticated', 'owner']);

function readList(tree: ListTree, action: PermissionAction, issues: Issues): WrittenPermission {
  const written = list(text({ pattern: '^[a-z]' })).read(tree, action, issues) ?? [];
  if (tree.items.length === 0) {
    const message = `${action} is an empty list, which nobody satisfies. Write [admin].`;
    issues.add(tree.at, 'bad-permission', message);
  }
  const seen = new Set<string>();
  for (const { value, at } of written) {
    if (value === 'public' || value === 'authenticated') {
      const message = `${quote(value)} stands alone, not in a list. Write "${action}: ${value}", or leave it out of the list.`;
      issues.add(at, 'bad-permission', message);
    } else if (value === 'owner') {
      const others = written.some((one) => !WORDS.has(one.value));
      ownerFits(
        at,
        action,
        others
          ? `Write "${action}: authenticated", which includes these roles, or remove owner if they alone may create.`
          : `Write "${action}: authenticated".`,
        issues,
      );
    }
    if (seen.has(value)) {
      const message = `${action} names ${quote(value)} twice. Remove one.`;
      issues.add(at, 'duplicate-entry', message);
    }
    seen.add(value);
  }
  const roles = written.filter(({ value }) => !WORDS.has(value));
  return rolesPermission(roles, seen.has('owner'));
}

function rolesPermission(roles: readonly Located<string>[], owner: boolean): WrittenPermission {
  const names = roles.map(({ value }) => value);
  return { permission: { kind: 'some', roles: names, owner }, roles };
}

function ownerFits(at: Position, action: PermissionAction, hint: string, issues: Issues): boolean {
  if (action !== 'create') return true;
  const message = `"owner" cannot stand under create: an item has no owner before it is created. ${hint}`;
  issues.add(at, 'bad-permission', message);
  return false;
}
