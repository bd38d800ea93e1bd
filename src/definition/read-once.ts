/**
 * What a part of the definitions was read as: where it is read again in the same surroundings, that
 * is the answer. The definitions of then and of now have most of their files in common.
 */
import type { Issues } from '../reading/issues.ts';

/**
 * A function that reads each part once for all that it hangs on.
 * @param read reads a part, and tells what is wrong with it: a part with an issue is read anew, so
 * that each reader is told.
 */
export function readOnce<P extends object, C extends { readonly issues: Issues }, T extends object>(
  read: (part: P, context: C) => T | undefined,
  keyOf: (context: C) => string,
): (part: P, context: C) => T | undefined {
  const readings = new WeakMap<P, { readonly key: string; readonly value: T }>();
  return (part, context) => {
    const key = keyOf(context);
    const before = readings.get(part);
    if (before?.key === key) return before.value;
    const { count } = context.issues;
    const value = read(part, context);
    if (value !== undefined && context.issues.count === count) readings.set(part, { key, value });
    return value;
  };
}
