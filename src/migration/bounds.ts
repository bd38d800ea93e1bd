/** Whether a type takes all values that another one takes, as far as the database looks at them. */
import { byNumber } from '../types/order.ts';
import { typeOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';
import type { Limit } from '../types/type.ts';

/** Whether no value that the check of the one type lets pass is stopped by that of the other. */
export function isWiderCheck(before: FieldType, now: FieldType): boolean {
  if (before.type === 'enum' && now.type === 'enum') {
    const { values } = now;
    return before.values.every((value) => values.includes(value));
  }
  if (before.type !== now.type && !(isLength(before) && isLength(now))) return false;
  const isRescaled =
    before.type === 'decimal' && now.type === 'decimal' && before.scale !== now.scale;
  const [old, limits] = [
    limitsOf(before),
    limitsOf(now).filter(({ value }) => value !== undefined),
  ];
  const compare = typeOf(now).compare ?? byNumber;
  return limits.every(({ key, side, value }) => {
    const was = old.find((limit) => limit.key === key)?.value;
    if (isRescaled || was === undefined || value === undefined) return false;
    return side === 'least' ? compare(was, value) >= 0 : compare(was, value) <= 0;
  });
}

const limitsOf = (type: FieldType): readonly Limit[] => typeOf(type).limits?.(type) ?? [];

const isLength = ({ type }: FieldType): boolean => type === 'string' || type === 'text';
