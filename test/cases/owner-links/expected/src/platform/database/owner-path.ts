/** Owner paths: the references that lead from an item to the user who owns it. */
import type { Resource } from './constraints.ts';

/** A reference on the path; all names are quoted. */
interface OwnerStep {
  readonly table: string;
  readonly column: string;
  /** The column that has the value of the step before; absent: `"id"`. */
  readonly key?: string;
}

/** The references in their order: the last one is to a user. */
export type OwnerPath = readonly [OwnerStep, ...OwnerStep[]];

/** A collection whose items belong to the user at the end of a path. */
export interface OwnedResource extends Resource {
  readonly owner: OwnerPath;
}

/** The path to the owner of the items of a collection; without one of its own, to the user who created them. */
export const ownerPathOf = (resource: Resource | OwnedResource): OwnerPath =>
  'owner' in resource ? resource.owner : [{ table: resource.table, column: '"_owner_id"' }];

/** The column by which the row of a step is found. */
export const keyOf = ({ table, key = '"id"' }: OwnerStep): string => `${table}.${key}`;

/** The SQL expression of the owner of a row of the first table. */
export const ownerOfRow = ([{ table, column }, next, ...rest]: OwnerPath): string =>
  next === undefined
    ? `${table}.${column}`
    : `(select ${ownerOfRow([next, ...rest])} from ${next.table}
      where ${keyOf(next)} = ${table}.${column})`;

/** A query for the values that lead to the rows of the first table that a user owns; without steps, the id of the user. */
export const idsOwnedBy = (user: string, [step, ...rest]: readonly OwnerStep[]): string =>
  step === undefined
    ? `select ${user}`
    : `select ${keyOf(step)} from ${step.table}
      where ${step.table}.${step.column} in (${idsOwnedBy(user, rest)})`;
