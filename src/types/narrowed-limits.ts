/** Compares the limits of two types: for the check of breaking changes, and for migrations. */
import { compareNumbers } from './compare-values.ts';
import { specOf } from './registry.ts';
import type { FieldType } from './registry.ts';

/** A limit that is narrower than before. */
interface NarrowedLimit {
  readonly key: string;
  readonly before: string | number | undefined;
  readonly now: string | number;
}

/** The limits by which a type refuses values that another one accepts. */
export function narrowedLimits(before: FieldType, now: FieldType): readonly NarrowedLimit[] {
  const { limits, compare = compareNumbers } = specOf(now);
  const earlier = new Map(
    specOf(before)
      .limits?.(before)
      .map(({ key, value }) => [key, value]),
  );
  return (limits?.(now) ?? []).flatMap(({ key, side, value }) => {
    if (value === undefined) return [];
    const was = earlier.get(key);
    const order = was === undefined ? 0 : compare(value, was);
    const isNarrower = was === undefined || (side === 'minimum' ? order > 0 : order < 0);
    return isNarrower ? [{ key, before: was, now: value }] : [];
  });
}
