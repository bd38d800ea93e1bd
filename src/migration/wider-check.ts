/** Whether a type takes all values that another one takes, as far as the database looks at them. */
import { compareNumbers } from '../types/compare-values.ts';
import { specOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';
import type { Limit } from '../types/type.ts';

/** Whether no value that the check of the one type lets pass is stopped by that of the other. */
export function isWiderCheck(before: FieldType, now: FieldType): boolean {
  if (before.type === 'enum' && now.type === 'enum') {
    const { values } = now;
    return before.values.every((value) => values.includes(value));
  }
  if (before.type !== now.type && !(isLength(before) && isLength(now))) return false;
  // The database does not look into JSON.
  if (specOf(now).isJson === true) return true;
  const isRescaled =
    before.type === 'decimal' && now.type === 'decimal' && before.scale !== now.scale;
  const [old, limits] = [
    limitsOf(before),
    limitsOf(now).filter(({ value }) => value !== undefined),
  ];
  const compare = specOf(now).compare ?? compareNumbers;
  return limits.every(({ key, side, value }) => {
    const was = old.find((limit) => limit.key === key)?.value;
    if (isRescaled || was === undefined || value === undefined) return false;
    return side === 'minimum' ? compare(was, value) >= 0 : compare(was, value) <= 0;
  });
}

const limitsOf = (type: FieldType): readonly Limit[] => specOf(type).limits?.(type) ?? [];

const isLength = ({ type }: FieldType): boolean => type === 'string' || type === 'text';
