/** Whether a type takes all values that another one takes, as far as the database checks them. */
import { narrowedLimits } from '../types/narrowed-limits.ts';
import { specOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';
import { isStringOrText } from '../types/text.ts';

/** Whether the check of the new type accepts every value that the check of the old one accepts. */
export function isWiderCheck(before: FieldType, now: FieldType): boolean {
  if (before.type === 'enum' && now.type === 'enum') {
    const { values } = now;
    return before.values.every((value) => values.includes(value));
  }
  if (before.type !== now.type && !(isStringOrText(before) && isStringOrText(now))) return false;
  const isRescaled =
    before.type === 'decimal' && now.type === 'decimal' && before.scale !== now.scale;
  const isLimited =
    specOf(now)
      .limits?.(now)
      .some(({ value }) => value !== undefined) === true;
  if (isRescaled && isLimited) return false;
  return narrowedLimits(before, now).length === 0;
}
