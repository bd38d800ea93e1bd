/**
 * Matches the view of a version before and after a change: collections and fields that have another name
 * in the version get a `renamedFrom`.
 */
import type { CollectionDefinition, Field, ServiceDefinition } from '../definition/types.ts';
import type { Property } from '../types/object.ts';
import type { OlderNames } from '../types/reference.ts';
import { isInVersion, nameInVersion } from '../definition/versions/span.ts';
import { viewOf } from '../definition/versions/view.ts';
import { matchRenames } from '../types/match-renames.ts';
import type { Renamable } from '../types/match-renames.ts';
import type { CurrentNames, ListedMember } from './types.ts';

/**
 * The new view of a version, in which `renamedFrom` is the name that its clients use.
 * @param applied the definitions of before.
 */
export function tracedView(
  applied: ServiceDefinition,
  now: ServiceDefinition,
  version: number,
): ServiceDefinition {
  const view = viewOf(now, version);
  const origins = originsOf(applied.collections, now.collections);
  const collections = view.collections.map((viewCollection) => {
    const own = findInVersion(now.collections, viewCollection.name, version);
    const origin = own && origins.get(own.name);
    const members = originsOf(origin?.fields ?? [], own?.fields ?? []);
    const fields = viewCollection.fields.map((member) => {
      const field = own && findInVersion(own.fields, member.name, version);
      const from = field && members.get(field.name);
      return withFormerName(member, from && nameInVersion(from, version));
    });
    return withFormerName({ ...viewCollection, fields }, origin && nameInVersion(origin, version));
  });
  return { ...view, collections };
}

/** The former name of an item, if `before` has it; else its name. */
export const nameBefore = (
  { name, renamedFrom }: CollectionOrField | Property,
  before: readonly { readonly name: string }[],
): string =>
  renamedFrom !== undefined && before.some((one) => one.name === renamedFrom) ? renamedFrom : name;

/** Whether the definitions list a member of a version under `sort`, `filter`, `search` or `include`. */
export function isListed(
  now: ServiceDefinition,
  version: number,
  { collection, list, member }: ListedMember,
): boolean {
  const own = findInVersion(now.collections, collection, version);
  const field = own && findInVersion(own.fields, member, version);
  return field !== undefined && own?.[list].includes(field.name) === true;
}

/** Looks up names of a version in the current definitions. */
export const currentNamesOf = (
  applied: ServiceDefinition,
  now: ServiceDefinition,
  version: number,
): CurrentNames => ({
  collection: (name) => findInVersion(now.collections, name, version),
  member: (collection, name) => {
    const own = findInVersion(now.collections, collection, version);
    return (own && findInVersion(own.fields, name, version)?.name) ?? name;
  },
  before: (name) => findInVersion(applied.collections, name, version)?.name ?? name,
});
type CollectionOrField = CollectionDefinition | Field;

/** The collection or field that has this name in a version. */
const findInVersion = <T extends CollectionOrField>(
  all: readonly T[],
  name: string,
  version: number,
): T | undefined =>
  all.find((one) => isInVersion(one, version) && nameInVersion(one, version) === name);

/** The earlier collection or field of each current one, by its current name; matched as in migrations. */
export function originsOf<T extends CollectionOrField & { readonly olderNames?: OlderNames }>(
  before: readonly T[],
  now: readonly T[],
): ReadonlyMap<string, T> {
  const renamable = (one: T): T & Renamable => {
    const formerName = one.olderNames?.at(-1)?.name;
    return { ...one, ...(formerName !== undefined && { formerName }) };
  };
  const { kept } = matchRenames(before.map(renamable), now.map(renamable));
  return new Map(kept.map((pair) => [pair.now.name, pair.before]));
}

function withFormerName<T extends CollectionOrField>(
  { renamedFrom: _renamed, ...thing }: T,
  before?: string,
): T {
  const isSame = before === undefined || before === thing.name;
  return { ...thing, ...(!isSame && { renamedFrom: before }) } as T;
}
