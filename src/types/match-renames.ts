/**
 * Matches collections, fields or properties of two definitions, so that a rename is not a removal and an
 * addition. `renamed_from` applies once: if the previous definitions have it too, the rename is done.
 */

/** Something with a name that definitions may change. */
export interface Renamable {
  readonly name: string;
  readonly renamedFrom?: string;
  /** What older versions call it: what it was, where that is gone by now. */
  readonly formerName?: string;
}

/** What became of all things of a kind. */
interface RenameMatches<T extends Renamable> {
  readonly kept: readonly { readonly before: T; readonly now: T }[];
  readonly added: readonly T[];
  readonly dropped: readonly T[];
  /** New things with an old name that nothing had. */
  readonly unknownOrigins: readonly T[];
}

/** Finds for each thing what it was before: by its old name where it has one, or else by its name. */
export function matchRenames<T extends Renamable>(
  before: readonly T[],
  now: readonly T[],
): RenameMatches<T> {
  const beforeByName = new Map(before.map((one) => [one.name, one]));
  const nowByName = new Map(now.map((one) => [one.name, one]));
  const origins = new Map<T, T>();
  for (const one of now) {
    const origin = originOf(one, beforeByName, nowByName);
    if (origin !== undefined) origins.set(one, origin);
  }
  const matched = new Set(origins.values());
  for (const one of now) {
    const sameName = beforeByName.get(one.name);
    if (origins.has(one) || sameName === undefined || matched.has(sameName)) continue;
    origins.set(one, sameName);
    matched.add(sameName);
  }
  const added = now.filter((one) => !origins.has(one));
  return {
    kept: now.flatMap((one) => {
      const origin = origins.get(one);
      return origin === undefined ? [] : [{ before: origin, now: one }];
    }),
    added,
    dropped: before.filter((one) => !matched.has(one)),
    unknownOrigins: added.filter(
      ({ renamedFrom }) => renamedFrom !== undefined && !beforeByName.has(renamedFrom),
    ),
  };
}

/** What a thing was called otherwise before, where its old name is still to be replaced. */
function originOf<T extends Renamable>(
  { name, renamedFrom, formerName }: T,
  old: ReadonlyMap<string, T>,
  current: ReadonlyMap<string, T>,
): T | undefined {
  if (renamedFrom === undefined && formerName !== undefined) {
    return old.has(name) || current.has(formerName) ? undefined : old.get(formerName);
  }
  const origin = renamedFrom === undefined ? undefined : old.get(renamedFrom);
  if (origin === undefined) return undefined;
  const same = old.get(name);
  if (same === undefined) return origin;
  // It was done before; or both are there, before and now, and keep what is theirs.
  const isDone = same.renamedFrom === renamedFrom;
  const keepsItsOwn = current.get(origin.name)?.renamedFrom === origin.renamedFrom;
  return isDone || (current.has(origin.name) && keepsItsOwn) ? undefined : origin;
}
