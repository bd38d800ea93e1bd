/** The order of versions (Semantic Versioning 2.0.0, section 11). */

/** Negative where the first is older, 0 where they are the same, positive where it is newer. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [parse(one), parse(other)];
  for (const index of [0, 1, 2]) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.labels.length === 0 || b.labels.length === 0) return b.labels.length - a.labels.length;
  return compareLabels(a.labels, b.labels);
}

interface Version {
  readonly numbers: readonly number[];
  readonly labels: readonly string[];
}

/** What follows a plus sign says nothing of the order. */
function parse(version: string): Version {
  const [core = '', ...rest] = (version.split('+')[0] ?? '').split('-');
  const label = rest.join('-');
  return { numbers: core.split('.').map(Number), labels: label === '' ? [] : label.split('.') };
}

function compareLabels(one: readonly string[], other: readonly string[]): number {
  for (const [index, label] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    if (label === against) continue;
    const [isNumber, isOther] = [label, against].map((part) => /^\d+$/.test(part));
    if (isNumber && isOther) return Number(label) - Number(against);
    if (isNumber !== isOther) return isNumber ? -1 : 1;
    return label < against ? -1 : 1;
  }
  return one.length - other.length;
}

/** The newest of some versions. */
export const newest = (versions: readonly string[]): string | undefined =>
  versions.toSorted(compareVersions).at(-1);

/** The oldest of some versions. */
export const oldest = (versions: readonly string[]): string | undefined =>
  versions.toSorted(compareVersions)[0];
