/** Versions of packages, as they stand in package.json: which of two is the higher. */

/** `8.24.0`, `^8.24.0`, `~8.24`, `>=20.19`; what else a dependency may be has no order. */
const VERSION =
  /^(?<sign>[\^~]|>=?|=)?\s*v?(?<major>\d+)(?:\.(?<minor>\d+|[x*]))?(?:\.(?<patch>\d+|[x*]))?(?:-(?<before>[\w.-]+))?(?:\+[\w.-]+)?$/i;

interface Version {
  readonly sign: string;
  readonly numbers: readonly number[];
  /** The parts of a pre-release; none for a release. */
  readonly before: readonly string[];
}

function read(text: string): Version | undefined {
  const groups = VERSION.exec(text.trim())?.groups;
  if (groups === undefined) return undefined;
  const { sign = '', major, minor, patch, before } = groups;
  // A part that is left open starts at 0.
  const numbers = [major, minor, patch].map((part) => Number.parseInt(part ?? '0', 10) || 0);
  return { sign, numbers, before: before?.split('.') ?? [] };
}

/** Semantic Versioning 2.0.0, section 11: below 0 where the first is the lower. */
function compare(one: Version, other: Version): number {
  for (const [index, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (one.before.length === 0 || other.before.length === 0) {
    return other.before.length - one.before.length;
  }
  for (const [index, part] of one.before.entries()) {
    const against = other.before[index];
    if (against === undefined) return 1;
    const difference = compareParts(part, against);
    if (difference !== 0) return difference;
  }
  return one.before.length - other.before.length;
}

function compareParts(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/**
 * What a version becomes that both sides changed: the higher one, never below that on disk, with
 * the sign of the side that changed the sign. What has no order (`workspace:*`, a path, a tag) is
 * the team's own choice, and stays.
 */
export function mergeVersions(base: string | undefined, ours: string, theirs: string): string {
  const [our, their] = [read(ours), read(theirs)];
  if (our === undefined || their === undefined || compare(our, their) >= 0) return ours;
  const before = base === undefined ? undefined : read(base);
  const isSigned = before !== undefined && our.sign !== before.sign && their.sign === before.sign;
  const isRange = /^[\^~]?$/.test(our.sign) && /^[\^~]?$/.test(their.sign);
  return isSigned && isRange ? our.sign + theirs.slice(their.sign.length) : theirs;
}

/** Whether a text is a version that has an order. */
export const isVersion = (text: string): boolean => read(text) !== undefined;
