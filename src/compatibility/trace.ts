/**
 * A version as it would be now, in the light of what it was: what has another name in it than it had
 * is known again, and what is listed for it in definitions may be looked up.
 */
import type { CollectionDefinition, Field, ServiceDefinition } from '../definition/types.ts';
import type { Property } from '../types/object.ts';
import type { OlderNames } from '../types/reference.ts';
import { isIn, nameIn } from '../definition/versions/span.ts';
import { viewOf } from '../definition/versions/view.ts';
import { matchRenames } from '../types/match-renames.ts';
import type { Renamable } from '../types/match-renames.ts';
import type { CurrentNames } from './types.ts';

/**
 * What clients of a version would see, where `renamedFrom` says what they call it today.
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
      return withFormerName(member, from && nameIn(from, version));
    });
    return withFormerName({ ...viewCollection, fields }, origin && nameIn(origin, version));
  });
  return { ...view, collections };
}

/** The name that something had, where what it is compared with has that name. */
export const nameBefore = (
  { name, renamedFrom }: CollectionOrField | Property,
  before: readonly { readonly name: string }[],
): string =>
  renamedFrom !== undefined && before.some((one) => one.name === renamedFrom) ? renamedFrom : name;

/** Whether a member of a version stands in a list of its collection, also where the version lacks it. */
export function isListed(
  now: ServiceDefinition,
  version: number,
  { collection, list, member }: ListedMember,
): boolean {
  const own = findInVersion(now.collections, collection, version);
  const field = own && findInVersion(own.fields, member, version);
  return field !== undefined && own?.[list].includes(field.name) === true;
}

/** What the definitions call what a version sees. */
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

/** A member in a list of its collection, by the names of a version. */
export interface ListedMember {
  readonly collection: string;
  readonly list: 'sort' | 'filter' | 'search';
  readonly member: string;
}

type CollectionOrField = CollectionDefinition | Field;

/** What a version sees under a name. */
const findInVersion = <T extends CollectionOrField>(
  all: readonly T[],
  name: string,
  version: number,
): T | undefined => all.find((one) => isIn(one, version) && nameIn(one, version) === name);

/** What each thing was before, by what it is called now: as migrations know it. */
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
