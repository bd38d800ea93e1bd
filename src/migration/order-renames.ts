/** Renames that are in each other's way: what takes a name comes after what gives it away. */

/** One name for another. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** The steps that lead to the new names, none of which takes a name that is still there. */
export function orderRenames(wanted: readonly Rename[], temporary: string): Rename[] {
  const pending = wanted.filter(({ from, to }) => from !== to);
  const steps: Rename[] = [];
  while (pending.length > 0) {
    const occupied = new Set(pending.map(({ from }) => from));
    const free = pending.findIndex(({ to }) => !occupied.has(to));
    if (free >= 0) {
      steps.push(...pending.splice(free, 1));
      continue;
    }
    // A ring: one of it stands aside, until the rest of it is renamed.
    const [first] = pending.splice(0, 1) as [Rename];
    steps.push({ from: first.from, to: temporary });
    pending.push({ from: temporary, to: first.to });
  }
  return steps;
}
