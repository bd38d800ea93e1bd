/** Options that bound a length or a number of entries. */
import type { Issues } from '../reading/issues.ts';
import type { Located, Shape } from '../reading/shapes.ts';
import { whole } from '../reading/shapes.ts';

/** Characters, or bytes, that a value can have at most: 10 MiB. */
const LONGEST = 10_485_760;

/** A length with a minimum. */
export const lengthShape = (minimum: number): Shape<number> => whole(minimum, LONGEST);

/** Whether two bounds of a length or a number of entries do not cross; adds an issue if so. */
export function checkLengthOrder(
  what: 'length' | 'items',
  minimum: Located<number> | undefined,
  maximum: Located<number> | undefined,
  issues: Issues,
): boolean {
  if (!minimum || !maximum || minimum.value <= maximum.value) return true;
  const message = `min_${what} ${minimum.value} is over max_${what} ${maximum.value}. Write ${maximum.value} or less.`;
  issues.add(minimum.at, 'bounds-cross', message);
  return false;
}
