/** The versions of a service, for checks of keys that name one. */
import type { Issues } from '../../reading/issues.ts';
import { enumerate } from '../../reading/quote.ts';
import type { Located } from '../../reading/shapes.ts';

/** The versions of a service. */
export interface KnownVersions {
  /** Those that are served; rising. */
  readonly served: readonly number[];
  readonly retired: readonly number[];
  /** False if some could not be read: then no version is refused as unknown. */
  readonly isComplete: boolean;
}

/** The version that new clients should use. */
export const highestOf = ({ served }: KnownVersions): number => served.at(-1) ?? 1;

/** The first version, also if it is retired. */
export const lowestOf = ({ served, retired }: KnownVersions): number =>
  Math.min(...served, ...retired);

/**
 * Whether the service has, or had, this version; adds an issue where it has not.
 * @param fits which versions the issue advises.
 */
export function checkKnownVersion(
  { value, at }: Located<number>,
  what: string,
  versions: KnownVersions,
  issues: Issues,
  fits: (version: number) => boolean = () => true,
): boolean {
  const { served, retired, isComplete } = versions;
  if (!isComplete) return false;
  if (served.includes(value) || retired.includes(value)) return true;
  const known = [...retired, ...served];
  const fitting = known.some(fits) ? known.filter(fits) : known;
  const all = enumerate(fitting.map(String), 'or');
  const lower = value < highestOf(versions) ? ', or add it to "versions" or "retired"' : '';
  const add = value > highestOf(versions) ? `, or add ${value} to "versions"` : lower;
  const message = `${what} names version ${value}, which the service does not have. Write ${all}${add}.`;
  issues.add(at, 'unknown-version', message);
  return false;
}
