/** Who may do what: a table of caller by action for each collection. */
import type { Permission, Permissions } from '../../definition/types.ts';
import type { Model } from '../../model/types.ts';

const ACTIONS = ['read', 'create', 'update', 'delete'] as const satisfies (keyof Permissions)[];

/** What a caller may do to the items of a collection: to all, to their own, or to none. */
export type Reach = 'all' | 'own' | 'none';

/** One kind of caller of one collection. */
export interface Access {
  readonly collection: string;
  /** `stranger` for nobody that is known, `user` for a known caller without roles, or a role. */
  readonly caller: string;
  readonly actions: Readonly<Record<keyof Permissions, Reach>>;
}

/** For each collection a row for each kind of caller, from who may least to who may all. */
export const accessOf = ({ service, collections }: Model): Access[] =>
  collections.flatMap(({ definition: { name, permissions } }) =>
    ['stranger', 'user', ...service.roles, 'admin'].map((caller) => ({
      collection: name,
      caller,
      actions: {
        read: reachOf(permissions.read, caller),
        create: reachOf(permissions.create, caller),
        // A change answers the item: it reaches no further than reading.
        update: lesser(reachOf(permissions.update, caller), reachOf(permissions.read, caller)),
        delete: reachOf(permissions.delete, caller),
      },
    })),
  );

function reachOf(permission: Permission, caller: string): Reach {
  if (permission.kind === 'public' || caller === 'admin') return 'all';
  if (caller === 'stranger') return 'none';
  if (permission.kind === 'authenticated' || permission.roles.includes(caller)) return 'all';
  return permission.owner ? 'own' : 'none';
}

/** From the least to the most. */
const REACHES: readonly Reach[] = ['none', 'own', 'all'];

const lesser = (one: Reach, other: Reach): Reach =>
  REACHES.indexOf(one) < REACHES.indexOf(other) ? one : other;

const MARKS: Readonly<Record<Reach, string>> = { all: 'yes', own: 'own', none: '-' };

/** The rows as a table for people. */
export function accessTable(rows: readonly Access[]): string {
  const cells = [
    ['COLLECTION', 'CALLER', ...ACTIONS.map((action) => action.toUpperCase())],
    ...rows.map(({ collection, caller, actions }, at) => [
      collection === rows[at - 1]?.collection ? '' : collection,
      caller,
      ...ACTIONS.map((action) => MARKS[actions[action]]),
    ]),
  ];
  const widths = (cells[0] ?? []).map((_heading, column) =>
    Math.max(...cells.map((row) => (row[column] ?? '').length)),
  );
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
