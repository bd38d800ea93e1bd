/** Options that bound a length or a number of entries. */
import type { Issues } from '../reading/issues.ts';
import type { Located, Shape } from '../reading/shapes.ts';
import { whole } from '../reading/shapes.ts';

/** Characters, or bytes, that a value can have at most: 10 MiB. */
const LONGEST = 10_485_760;

/** A length of at least so much. */
export const length = (least: number): Shape<number> => whole(least, LONGEST);

/** Whether two bounds of a length or a number of entries do not cross; adds an issue if so. */
export function inOrder(
  what: 'length' | 'items',
  least: Located<number> | undefined,
  most: Located<number> | undefined,
  issues: Issues,
): boolean {
  if (!least || !most || least.value <= most.value) return true;
  const message = `min_${what} ${least.value} is over max_${what} ${most.value}. Write ${most.value} or less.`;
  issues.add(least.at, 'bounds-cross', message);
  return false;
}
