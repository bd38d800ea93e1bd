/** Names that differ as they are written, and are one in the code or the paths that come of them. */
import type { Issues } from '../reading/issues.ts';
import { camelCase } from './names.ts';
import { quote } from '../reading/quote.ts';
import type { Located } from '../reading/shapes.ts';

/**
 * Adds an issue for each name that an earlier one already has in camelCase. As names are
 * snake_case, those that differ in camelCase differ in kebab-case and PascalCase too. Equal names
 * are duplicate keys, and told as such.
 */
export function checkClashes(
  names: readonly Located<string>[],
  what: string,
  issues: Issues,
): void {
  const first = new Map<string, string>();
  for (const { value, at } of names) {
    const camel = camelCase(value);
    const other = first.get(camel);
    if (other === undefined) first.set(camel, value);
    else if (other !== value) {
      const message = `${what} ${quote(value)} and ${what} ${quote(other)} are both ${quote(camel)} in camelCase. Rename one.`;
      issues.add(at, 'name-clash', message);
    }
  }
}
