/**
 * A cache of parsed parts of definitions. The previous and the current definitions share most of their
 * files.
 */
import type { Issues } from '../reading/issues.ts';

/**
 * A function that reads each part once for each key of its context.
 * @param read reads a part, and adds issues. A part with an issue is not cached, so that it is reported
 * each time.
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
