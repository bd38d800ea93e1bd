/** Whether a type takes all values that another one takes, as far as the database looks at them. */
import { compareExact, compareTimestamps } from '../definition/scalars.ts';
import type { FieldType } from '../definition/types.ts';

/** Whether no value that the check of the one type lets pass is stopped by that of the other. */
export function isWiderCheck(before: FieldType, now: FieldType): boolean {
  if (isLength(before) && isLength(now)) {
    const [least, most] = [lengths(before), lengths(now)];
    return least.minimum >= most.minimum && least.maximum <= most.maximum;
  }
  if (before.type === 'enum' && now.type === 'enum') {
    const { values } = now;
    return before.values.every((value) => values.includes(value));
  }
  if (before.type !== now.type || !('minimum' in now || 'maximum' in now)) {
    return before.type === now.type;
  }
  if (before.type === 'decimal' && now.type === 'decimal' && before.scale !== now.scale)
    return false;
  const old = before as { readonly minimum?: Bound; readonly maximum?: Bound };
  const { minimum, maximum } = now as { readonly minimum?: Bound; readonly maximum?: Bound };
  const compare = comparisonOf(now.type);
  return (
    (minimum === undefined || (old.minimum !== undefined && compare(old.minimum, minimum) >= 0)) &&
    (maximum === undefined || (old.maximum !== undefined && compare(old.maximum, maximum) <= 0))
  );
}

type Bound = string | number;
type Length = Extract<FieldType, { readonly type: 'string' | 'text' }>;

const isLength = (type: FieldType): type is Length =>
  type.type === 'string' || type.type === 'text';

const lengths = (type: Length): { minimum: number; maximum: number } => ({
  minimum: (type.type === 'string' ? type.minLength : undefined) ?? 0,
  maximum: type.maxLength ?? Infinity,
});

function comparisonOf(type: FieldType['type']): (one: Bound, other: Bound) => number {
  if (type === 'timestamp') return (one, other) => compareTimestamps(String(one), String(other));
  if (type === 'date') return (one, other) => (one < other ? -1 : one > other ? 1 : 0);
  if (type === 'bigint' || type === 'decimal') {
    return (one, other) => compareExact(String(one), String(other));
  }
  return (one, other) => Number(one) - Number(other);
}
