/**
 * `renamedStep`: an owner step with the names of another version, or of the previous definitions. `beginsWithLink`: whether
 * a path begins with a linking collection.
 */
import type { OwnerStep } from './types.ts';

/** The name of a field in the other version or definitions; undefined if they do not have it. */
type NameOf = (field: string) => string | undefined;

/**
 * An owner step with other names.
 * @returns undefined if one of its fields has none.
 */
export function renamedStep(
  { field, link }: OwnerStep,
  collection: string,
  nameOf: NameOf,
): OwnerStep | undefined {
  const name = field === 'id' ? field : nameOf(field);
  const linkName = link === undefined ? undefined : nameOf(link);
  if (name === undefined || (link !== undefined && linkName === undefined)) return undefined;
  return { collection, field: name, ...(linkName !== undefined && { link: linkName }) };
}

/** Whether a path begins with a linking collection: then a new item belongs to nobody. */
export const beginsWithLink = (owner: readonly OwnerStep[] = []): boolean =>
  owner[0]?.field === 'id';
