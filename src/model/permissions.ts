/** What the permissions of a collection ask of a caller together. */
import type { Permission, Permissions } from '../definition/types.ts';

/**
 * What a caller needs who changes an item: `update`, and `read` too, for a change answers the whole
 * item. `read` is left out where whoever may update may read anyway; what everybody has is left out
 * as well, so that nothing is asked where both are public.
 */
export function neededToChange({
  read,
  update,
}: Permissions): readonly Extract<keyof Permissions, 'read' | 'update'>[] {
  const needsRead = !implies(update, read);
  return [
    ...(update.kind === 'public' ? [] : (['update'] as const)),
    ...(needsRead ? (['read'] as const) : []),
  ];
}

/** Whether every caller whom one permission lets act on an item may act by the other, too. */
export function implies(one: Permission, other: Permission): boolean {
  if (other.kind === 'public') return true;
  if (one.kind === 'public') return false;
  if (other.kind === 'authenticated') return true;
  if (one.kind === 'authenticated') return false;
  const roles = ['admin', ...other.roles];
  return one.roles.every((role) => roles.includes(role)) && (other.owner || !one.owner);
}
