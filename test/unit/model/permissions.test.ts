/** What a change needs, against callers who are tried one by one. */
import { describe, expect, test } from 'vitest';

import type { Permission } from '../../../src/definition/types.ts';
import { permissionImplies, neededToChange } from '../../../src/model/permissions.ts';

const some = (...words: string[]): Permission => ({
  kind: 'some',
  roles: words.filter((word) => word !== 'owner'),
  owner: words.includes('owner'),
});

const PERMISSIONS: readonly Permission[] = [
  { kind: 'public' },
  { kind: 'authenticated' },
  some('owner'),
  some('admin'),
  some('clerk'),
  some('auditor'),
  some('clerk', 'auditor'),
  some('clerk', 'owner'),
  some('admin', 'auditor', 'owner'),
];

/** Everybody who could ask for an item: known or not, with any roles, its owner or not. */
const CALLERS = [
  { isKnown: false, roles: [] as string[], isOwner: false },
  ...[[], ['clerk'], ['auditor'], ['clerk', 'auditor'], ['admin']].flatMap((roles) =>
    [false, true].map((isOwner) => ({ isKnown: true, roles, isOwner })),
  ),
];

/** Whether a permission lets a caller act on the item. */
function lets(permission: Permission, caller: (typeof CALLERS)[number]): boolean {
  if (permission.kind === 'public') return true;
  if (permission.kind === 'authenticated') return caller.isKnown;
  return (
    caller.roles.some((role) => role === 'admin' || permission.roles.includes(role)) ||
    (permission.owner && caller.isOwner)
  );
}

const shown = (permission: Permission): string =>
  permission.kind === 'some'
    ? [...permission.roles, ...(permission.owner ? ['owner'] : [])].join('+')
    : permission.kind;

const PAIRS = PERMISSIONS.flatMap((one) =>
  PERMISSIONS.map((other) => [shown(one), shown(other), one, other] as const),
);

describe.each(PAIRS)('%s and %s', (_one, _other, one, other) => {
  test('one implies the other where it lets nobody else in', () => {
    const lettingMore = CALLERS.filter((caller) => lets(one, caller) && !lets(other, caller));
    expect(permissionImplies(one, other)).toBe(lettingMore.length === 0);
  });

  test('what a change needs lets in who may read and update, and nobody else', () => {
    const permissions = { read: one, update: other, create: one, delete: one };
    const needed = neededToChange(permissions).map((action) => permissions[action]);
    for (const caller of CALLERS) {
      const isLet = needed.every((permission) => lets(permission, caller));
      expect(isLet).toBe(lets(one, caller) && lets(other, caller));
    }
  });
});
