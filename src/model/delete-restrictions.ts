/** Which items may not be removed while others refer to them. */
import { referrersOf } from './lookup.ts';
import type { Model } from './types.ts';

/**
 * Whether removing an item may be refused, by what refers to it or to what goes with it.
 * @param name of its collection, or `users`.
 */
export function mayBeRestricted(name: string, model: Model, seen = new Set<string>()): boolean {
  if (seen.has(name)) return false;
  seen.add(name);
  return referrersOf(model, name).some(
    ({ collection, relation: { onDelete } }) =>
      onDelete === 'refuse' ||
      (onDelete === 'cascade' && mayBeRestricted(collection.definition.name, model, seen)),
  );
}
