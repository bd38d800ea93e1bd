/**
 * Matches collections, fields or properties of two definitions, so that a rename is not a removal and an
 * addition. `renamed_from` applies once: if the previous definitions have it too, the rename is done.
 */

/** Something with a name that definitions may change. */
export interface Renamable {
  readonly name: string;
  readonly renamedFrom?: string;
  /** Its name in older versions: the former name, if nothing has that now. */
  readonly formerName?: string;
}

/** The items of two definitions, matched. */
interface RenameMatches<T extends Renamable> {
  readonly kept: readonly { readonly before: T; readonly now: T }[];
  readonly added: readonly T[];
  readonly dropped: readonly T[];
  /** Added items whose `renamed_from` names nothing in the earlier definitions. */
  readonly unknownOrigins: readonly T[];
}

/** Matches each item with an earlier one: by its `renamed_from`, or else by its name. */
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

/** The earlier item that was renamed to this one; undefined if it has the same name, or is new. */
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
  // The rename was done earlier; or both names exist before and now, and each keeps its own item.
  const isDone = same.renamedFrom === renamedFrom;
  const keepsItsOwn = current.get(origin.name)?.renamedFrom === origin.renamedFrom;
  return isDone || (current.has(origin.name) && keepsItsOwn) ? undefined : origin;
}
