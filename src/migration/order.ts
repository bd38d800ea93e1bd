/** Renames that are in each other's way: what takes a name comes after what gives it away. */

/** One name for another. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** The steps that lead to the new names, none of which takes a name that is still there. */
export function orderRenames(wanted: readonly Rename[], temporary: string): Rename[] {
  const open = wanted.filter(({ from, to }) => from !== to);
  const steps: Rename[] = [];
  while (open.length > 0) {
    const taken = new Set(open.map(({ from }) => from));
    const free = open.findIndex(({ to }) => !taken.has(to));
    if (free >= 0) {
      steps.push(...open.splice(free, 1));
      continue;
    }
    // A ring: one of it stands aside, until the rest of it is renamed.
    const [first] = open.splice(0, 1) as [Rename];
    steps.push({ from: first.from, to: temporary });
    open.push({ from: temporary, to: first.to });
  }
  return steps;
}
