/** The steps of owner paths under other names, and as they are written. */
import type { OwnerStep } from './types.ts';

/** What a field is called elsewhere; undefined if it does not exist there. */
type NameOf = (field: string) => string | undefined;

/**
 * A step under other names.
 * @returns undefined if one of its fields does not exist there.
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
