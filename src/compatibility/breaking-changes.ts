/** Compares two states of one version, each as the definitions of a service of that version alone. */
import { renamedStep } from '../definition/owner-step.ts';
import type { CollectionDefinition, OwnerStep, ServiceDefinition } from '../definition/types.ts';
import { toKebab } from '../model/names.ts';
import { compareCollection } from './compare-collection.ts';
import { nameBefore } from './trace.ts';
import { plainAdvice } from './types.ts';
import type { Break, PlaceOf, ComparisonContext } from './types.ts';
import { undoAdvice } from './compare-types.ts';
import { inlinePair, versionMap } from './definition-yaml.ts';

/** The breaking changes between two states of a version. */
export function breakingChanges(
  before: ServiceDefinition,
  after: ServiceDefinition,
  context: ComparisonContext,
): Break[] {
  const { placeOf } = context;
  const nowOf = (name: string): CollectionDefinition | undefined =>
    after.collections.find((one) => nameBefore(one, before.collections) === name);
  return [
    ...compareService(before, after, placeOf),
    ...before.collections.flatMap((collection) => {
      const { name } = collection;
      const now = nowOf(name);
      if (now === undefined) return [collectionGone(collection, context)];
      const compared = compareCollection(collection, now, {
        ...context,
        targetNow: (target) => nowOf(target)?.name ?? target,
        stepNow: (step) => stepNow(step, before.collections, nowOf(step.collection)),
      });
      return now.name === name ? compared : [collectionRenamed(collection, now), ...compared];
    }),
  ];
}

/** A step of an owner path under its new names. */
function stepNow(
  step: OwnerStep,
  before: readonly CollectionDefinition[],
  now: CollectionDefinition | undefined,
): OwnerStep {
  const fields = before.find(({ name }) => name === step.collection)?.fields ?? [];
  const nameOf = (field: string): string =>
    now?.fields.find((one) => nameBefore(one, fields) === field)?.name ?? field;
  return renamedStep(step, now?.name ?? step.collection, nameOf) ?? step;
}

const collectionGone = (
  { name }: CollectionDefinition,
  { placeOf, currentNames }: ComparisonContext,
): Break => ({
  code: 'collection-gone',
  at: placeOf('collections'),
  what: `collection ${name} was removed`,
  who: `clients of /${toKebab(name)} get 404`,
  advice: ({ last, write }) =>
    write(
      `definitions/collections/${currentNames?.before(name) ?? name}.yaml again, with "until: ${last}"`,
    ),
});

const collectionRenamed = (before: CollectionDefinition, after: CollectionDefinition): Break => ({
  code: 'collection-renamed',
  at: after.at,
  what: `collection ${before.name} is now called ${after.name}`,
  who: `clients of /${toKebab(before.name)} get 404`,
  advice: ({ last, write }) =>
    write(`"${inlinePair('name_in', versionMap(last, before.name))}" on it`),
});

/** What concerns all collections. */
function compareService(
  before: ServiceDefinition,
  after: ServiceDefinition,
  placeOf: PlaceOf,
): Break[] {
  return [
    ...(before.name === after.name
      ? []
      : [
          {
            code: 'service-renamed' as const,
            at: placeOf('name'),
            what: `the service is now called ${after.name}, and was called ${before.name}`,
            who: `clients that ask for application/vnd.${before.name}.v… get 406 or 400`,
            advice: plainAdvice(
              `${undoAdvice('name', before.name)} The title may change: "title" is for people.`,
            ),
          },
        ]),
    ...before.versioning
      .filter((way) => !after.versioning.includes(way))
      .map((way) => ({
        code: 'way-gone' as const,
        at: placeOf('versioning'),
        what: `the version can no longer be named by ${way === 'path' ? 'the path' : 'the Accept header'}`,
        who: `clients that name it so get ${way === 'path' ? '404' : '400'}`,
        advice: plainAdvice(undoAdvice('versioning', before.versioning)),
      })),
    ...before.roles
      .filter((role) => !after.roles.includes(role))
      .map((role) => ({
        code: 'role-gone' as const,
        at: placeOf('roles'),
        what: `role ${role} was removed`,
        who: 'clients that give it to users get 422, and users that have it may do less',
        advice: plainAdvice(`Write "${inlinePair('roles', [...after.roles, role])}".`),
      })),
    ...usersReadLost(before, after, placeOf),
  ];
}

/** Roles that could read users, and may not any more. */
const usersReadLost = (
  { usersRead: before = [] }: ServiceDefinition,
  { usersRead: after = [] }: ServiceDefinition,
  placeOf: PlaceOf,
): Break[] =>
  before
    .filter((role) => !after.includes(role))
    .map((role) => ({
      code: 'permission-narrower' as const,
      at: placeOf('users'),
      what: `role ${role} may no longer read users`,
      who: `clients that read users as ${role} get 403, and those that refer to other users 422`,
      advice: plainAdvice(`Write "${inlinePair('users', { read: [...after, role] })}".`),
    }));
