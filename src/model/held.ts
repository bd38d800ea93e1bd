/** Which items may not be removed while others refer to them. */
import type { Model } from './types.ts';

/**
 * Whether removing an item may be refused, by what refers to it or to what goes with it.
 * @param name of its collection, or `users`.
 */
export function mayBeHeld(name: string, model: Model, seen = new Set<string>()): boolean {
  if (seen.has(name)) return false;
  seen.add(name);
  return model.collections.some((other) =>
    other.relations
      .filter(({ target }) => target.collection === name)
      .some(
        ({ onDelete }) =>
          onDelete === 'refuse' ||
          (onDelete === 'cascade' && mayBeHeld(other.definition.name, model, seen)),
      ),
  );
}
