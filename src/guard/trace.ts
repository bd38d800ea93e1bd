/**
 * A version as it would be now, in the light of what it was: what has another name in it than it had
 * is known again, and what is listed for it in definitions may be looked up.
 */
import type { CollectionDefinition, Field, OlderNames } from '../definition/types.ts';
import type { ServiceDefinition } from '../definition/types.ts';
import { isIn, nameIn } from '../definition/versions/span.ts';
import { viewOf } from '../definition/versions/view.ts';

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
  const collections = view.collections.map((seen) => {
    const own = behind(now.collections, seen.name, version);
    const origin = own && originOf(own, applied.collections);
    const fields = seen.fields.map((member) => {
      const field = own && behind(own.fields, member.name, version);
      const from = field && origin && originOf(field, origin.fields);
      return known(member, from && nameIn(from, version));
    });
    return known({ ...seen, fields }, origin && nameIn(origin, version));
  });
  return { ...view, collections };
}

/** Whether a member of a version stands in a list of its collection, also where the version lacks it. */
export function isWritten(
  now: ServiceDefinition,
  version: number,
  { collection, list, member }: ListedMember,
): boolean {
  const own = behind(now.collections, collection, version);
  const field = own && behind(own.fields, member, version);
  return field !== undefined && own?.[list].includes(field.name) === true;
}

/** A member in a list of its collection, by the names of a version. */
export interface ListedMember {
  readonly collection: string;
  readonly list: 'sort' | 'filter' | 'search';
  readonly member: string;
}

type Thing = CollectionDefinition | Field;

/** What a version sees under a name. */
const behind = <T extends Thing>(all: readonly T[], name: string, version: number): T | undefined =>
  all.find((one) => isIn(one, version) && nameIn(one, version) === name);

/** What it was before: by its name, or by one that it says it had. */
function originOf<T extends Thing & { readonly olderNames?: OlderNames }>(
  { name, renamedFrom, olderNames }: T,
  before: readonly T[],
): T | undefined {
  const names = [name, renamedFrom, olderNames?.at(-1)?.name];
  return names
    .map((one) => before.find((thing) => thing.name === one))
    .find((thing) => thing !== undefined);
}

function known<T extends Thing>({ renamedFrom: _renamed, ...thing }: T, before?: string): T {
  const isSame = before === undefined || before === thing.name;
  return { ...thing, ...(!isSame && { renamedFrom: before }) } as T;
}
