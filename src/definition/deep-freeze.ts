/** Values that leave this folder are frozen through and through. */

/** Freezes a value with everything in it. */
export function deepFreeze<T>(value: T): T {
  // Bytes cannot be frozen, and are no part of a definition.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (!Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
