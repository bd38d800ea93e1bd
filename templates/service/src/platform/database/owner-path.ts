/** Owner paths: the references that lead from an item to the user who owns it. */
import type { Resource } from './constraints.ts';

/** A reference on the path. Names are quoted. */
interface OwnerStep {
  readonly table: string;
  readonly column: string;
  /** The column by which the step before finds the row: the reference of a linking collection; absent: `"id"`. */
  readonly link?: string;
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
export const lookupColumn = ({ table, link = '"id"' }: OwnerStep): string => `${table}.${link}`;

/** The SQL expression of the owner of a row of the first table. */
export const ownerOfRow = ([{ table, column }, next, ...rest]: OwnerPath): string =>
  next === undefined
    ? `${table}.${column}`
    : `(select ${ownerOfRow([next, ...rest])} from ${next.table}
      where ${lookupColumn(next)} = ${table}.${column})`;

/**
 * A subquery for the values of a reference whose path ends at a user.
 * @param user the id of the user, in SQL. @param steps the rest of the path, after the reference.
 */
export const valuesOwnedBy = (user: string, [step, ...rest]: readonly OwnerStep[]): string =>
  step === undefined
    ? `select ${user}`
    : `select ${lookupColumn(step)} from ${step.table}
      where ${step.table}.${step.column} in (${valuesOwnedBy(user, rest)})`;
