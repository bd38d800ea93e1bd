/**
 * The key `owner`: the path of references from an item to the user who owns it. A segment that names a collection leads
 * over it in the reverse direction: to its item that refers to the current one by a unique reference.
 */
import type { Issues } from '../reading/issues.ts';
import { nearest } from '../reading/nearest.ts';
import { enumerate, quote } from '../reading/quote.ts';
import type { WrittenCollection } from './collection.ts';
import type { WrittenField } from './written-field.ts';
import type { CollectionDefinition, OwnerStep } from './types.ts';

/**
 * Checks the owner paths of all collections.
 * @param complete false where a file could not be read: the missing collections may be in it, and are
 * not reported.
 */
export function checkOwnerPaths(
  collections: readonly WrittenCollection[],
  complete: boolean,
  issues: Issues,
): void {
  const named = byName(collections);
  for (const collection of collections) {
    const { owner, permissions } = collection;
    const isUsed = Object.values(permissions).some((one) => one.kind === 'some' && one.owner);
    if (owner === undefined) {
      if (isUsed && collection.existing !== undefined) {
        refuseOwnerWithoutPath(collection, possiblePaths(collection, named), issues);
      }
      continue;
    }
    const problem = pathProblem(collection, owner.value, named, complete);
    if (problem !== undefined) {
      issues.add(owner.at, 'bad-owner', `owner ${quote(owner.value)} ${problem}`);
    } else if (!isUsed) {
      const message = `owner ${quote(owner.value)} has no effect: no permission of ${quote(collection.name)} names owner. Write "permissions: { read: owner }", or remove owner.`;
      issues.add(owner.at, 'bad-owner', message);
    }
  }
}

/**
 * Reports `owner` in permissions of an existing table without an owner path: nobody could own its rows.
 * @param paths the owner paths that it could have.
 */
function refuseOwnerWithoutPath(
  { name, at }: WrittenCollection,
  paths: readonly string[],
  issues: Issues,
): void {
  const advice =
    paths.length === 0
      ? 'a path such as "owner: memberships.user_id" over a collection of the service that links users to these items, or public, authenticated or roles in place of owner'
      : enumerate(
          paths.slice(0, MOST_PATHS).map((path) => quote(`owner: ${path}`)),
          'or',
        );
  const message = `permissions of ${quote(name)} name owner, and the rows of an existing table belong to no user of the service. Write ${advice}.`;
  issues.add(at, 'bad-owner', message);
}

/** The steps of the owner path of a collection; undefined without a path, or with one that is wrong. */
export function ownerSteps(
  collection: WrittenCollection,
  collections: readonly WrittenCollection[],
): CollectionDefinition['owner'] {
  if (collection.owner === undefined) return undefined;
  const named = byName(collections);
  const steps: OwnerStep[] = [];
  let current: WrittenCollection | undefined = collection;
  let link: string | undefined;
  for (const name of collection.owner.value.split('.')) {
    if (current === undefined) return undefined;
    const field = fieldNamed(current, name);
    const linking = field === undefined ? named.get(name) : undefined;
    const step = { collection: current.name, ...(link !== undefined && { link }) };
    if (linking === undefined) {
      steps.push({ ...step, field: name });
      link = undefined;
      current = named.get(field?.reference?.to.value ?? '');
    } else {
      // The step before has the id already, unless there is none, or it leads over a linking collection.
      if (steps.length === 0 || link !== undefined) steps.push({ ...step, field: 'id' });
      link = linksTo(current, linking)[0]?.name;
      if (link === undefined) return undefined;
      current = linking;
    }
  }
  return steps;
}

type Collections = ReadonlyMap<string, WrittenCollection>;

const byName = (collections: readonly WrittenCollection[]): Collections =>
  new Map(collections.map((one) => [one.name, one]));

const fieldNamed = ({ fields }: WrittenCollection, name: string): WrittenField | undefined =>
  fields.find((field) => field.name === name);

/** What is wrong with a path, and what to write instead; undefined if nothing is. */
function pathProblem(
  start: WrittenCollection,
  path: string,
  collections: Collections,
  complete: boolean,
): string | undefined {
  const names = path.split('.');
  const passed = new Set<string>();
  let current = start;
  for (const [at, name] of names.entries()) {
    passed.add(current.name);
    const before = names.slice(0, at).map((one) => `${one}.`);
    const isLast = at === names.length - 1;
    const field = fieldNamed(current, name);
    const suggestions = [
      ...referencesOf(current).map((one) => one.name),
      ...linkingPaths(current, collections),
    ].map((one) => [...before, one].join(''));
    const ends = userReferences(current).map((one) => [...before, one.name].join(''));
    if (field === undefined) {
      const linking = collections.get(name);
      if (linking === undefined) {
        // It may be a collection of a file that could not be read.
        if (!complete) return undefined;
        const rest = names.slice(at + 1);
        return unknownSegment(name, current, collections, { before, rest, suggestions });
      }
      const problem = passed.has(name)
        ? `comes back to ${quote(name)}: a path passes each collection once. Write ${hintOf(ends)}.`
        : linkProblem(current, linking, suggestions);
      if (problem !== undefined) return problem;
      if (isLast) return endsEarly(path, linking, complete);
      current = linking;
      continue;
    }
    // The field itself is reported as wrong.
    if (field.typeName === undefined) return undefined;
    if (field.typeName !== 'reference') {
      return `names ${quote(name)} of ${quote(current.name)}, which is ${field.typeName} and not a reference. Write ${hintOf(suggestions)}.`;
    }
    if (field.reference === undefined) return undefined;
    if (field.writeOnly) {
      return `names ${quote(name)} of ${quote(current.name)}, which is write_only: a 403 would reveal its value. Remove write_only, or write another path.`;
    }
    const to = field.reference.to.value;
    if (to === 'users') {
      if (isLast) return undefined;
      return `goes on after ${quote(name)}, which refers to users. Write ${quote([...before, name].join(''))}.`;
    }
    const target = collections.get(to);
    // The target itself is reported as missing, or the file that has it.
    if (target === undefined) return undefined;
    if (passed.has(to)) {
      const advice =
        ends.length === 0
          ? `Give ${quote(current.name)} a reference to users, and write that.`
          : `Write ${hintOf(ends)}.`;
      const why =
        to === current.name
          ? 'items at the top of the tree would belong to nobody'
          : 'a path passes each collection once';
      return `comes back to ${quote(to)} by ${quote(name)}: ${why}. ${advice}`;
    }
    if (isLast) return endsEarly(path, target, complete);
    current = target;
  }
  return undefined;
}

/** What is wrong with a segment that names neither a field nor a collection. */
function unknownSegment(
  name: string,
  current: WrittenCollection,
  collections: Collections,
  {
    before,
    rest,
    suggestions,
  }: Readonly<Record<'before' | 'rest' | 'suggestions', readonly string[]>>,
): string {
  const near = nearest(name, [
    ...referencesOf(current).map((one) => one.name),
    ...linkingCollections(current, collections).map((one) => one.name),
  ]);
  const hint =
    near === undefined
      ? hintOf(suggestions)
      : quote([...before, [near, ...rest].join('.')].join(''));
  return `names ${quote(name)}, which is neither a field of ${quote(current.name)} nor a collection. Write ${hint}.`;
}

/** What is wrong with a path that ends before a user. */
function endsEarly(path: string, last: WrittenCollection, complete: boolean): string {
  const longer = userReferences(last).map((one) => `${path}.${one.name}`);
  const hint =
    longer.length === 0 && complete
      ? `Go on to a reference to users; ${quote(last.name)} has none itself.`
      : `Write ${hintOf(longer)}.`;
  return `ends at ${quote(last.name)}, and an owner is a user. ${hint}`;
}

/** Why a collection cannot be a step after `current`: it needs exactly one unique reference to it. Undefined if it has. */
function linkProblem(
  { name: current }: WrittenCollection,
  linking: WrittenCollection,
  suggestions: readonly string[],
): string | undefined {
  const { name } = linking;
  const all = linking.fields.filter(({ reference }) => reference?.to.value === current);
  const links = linksTo({ name: current }, linking);
  if (links.length === 1) return undefined;
  if (links.length > 1) {
    const several = enumerate(links.map((one) => quote(one.name)));
    return `leads from ${quote(current)} to ${quote(name)} by more than one unique reference: ${several}. An item would have several owners. Remove "unique" from all but one.`;
  }
  if (all.length === 0) {
    return `leads from ${quote(current)} to ${quote(name)}, which has no reference to ${quote(current)}. Write ${hintOf(suggestions)}.`;
  }
  const fields = all.flatMap((one) => (one.writeOnly ? [] : quote(one.name)));
  if (fields.length === 0) {
    return `leads from ${quote(current)} to ${quote(name)} by a reference that is write_only: a 403 would reveal its value. Remove write_only, or write another path.`;
  }
  return `leads from ${quote(current)} to ${quote(name)}, and several of ${quote(name)} may refer to one of ${quote(current)}: an item would have several owners. Add "unique: true" to ${enumerate(fields, 'or')} of ${quote(name)}.`;
}

/** The references by which at most one item of a collection refers to each item of another one. */
const linksTo = (
  { name }: Pick<WrittenCollection, 'name'>,
  linking: WrittenCollection,
): readonly WrittenField[] =>
  referencesOf(linking).filter(
    (field) => field.reference?.to.value === name && isUniqueByItself(field, linking),
  );

/** Whether no two items have the same value of a field. */
const isUniqueByItself = (
  { name, field }: WrittenField,
  { unique, keyFields = [] }: WrittenCollection,
): boolean =>
  field?.unique === true ||
  [keyFields, ...unique.flatMap((rule) => (rule.where === undefined ? [rule.fields] : []))].some(
    (fields) => fields.length === 1 && fields[0] === name,
  );

/** The collections over which a path may go in the reverse direction: a field of the same name goes before. */
const linkingCollections = (
  current: WrittenCollection,
  collections: Collections,
): readonly WrittenCollection[] =>
  Array.from(collections.values()).filter(
    (one) =>
      one !== current &&
      fieldNamed(current, one.name) === undefined &&
      linksTo(current, one).length === 1,
  );

/** The paths from a collection over another one that has a reference to users. */
const linkingPaths = (current: WrittenCollection, collections: Collections): readonly string[] =>
  linkingCollections(current, collections).flatMap((linking) =>
    userReferences(linking).map((field) => `${linking.name}.${field.name}`),
  );

/** The paths over a linking collection, directly or after one reference. */
const possiblePaths = (current: WrittenCollection, collections: Collections): readonly string[] => [
  ...linkingPaths(current, collections),
  ...referencesOf(current).flatMap(({ name, reference }) => {
    const target = collections.get(reference?.to.value ?? '');
    return target === undefined || target === current
      ? []
      : linkingPaths(target, collections)
          .filter((path) => !path.startsWith(`${current.name}.`))
          .map((path) => `${name}.${path}`);
  }),
];

/** The references that a path may go by. */
const referencesOf = ({ fields }: WrittenCollection): readonly WrittenField[] =>
  fields.filter(({ reference, writeOnly }) => reference !== undefined && !writeOnly);

/** The references to users. */
const userReferences = (collection: WrittenCollection): readonly WrittenField[] =>
  referencesOf(collection).filter(({ reference }) => reference?.to.value === 'users');

const MOST_PATHS = 10;

/** The paths that a message suggests. */
const hintOf = (paths: readonly string[]): string =>
  paths.length === 0
    ? 'a path of references that ends at users'
    : enumerate(paths.slice(0, MOST_PATHS).map(quote), 'or');
