/** The key `owner`: the path of references from an item to the user who owns it. */
import type { Issues } from '../reading/issues.ts';
import { nearest } from '../reading/nearest.ts';
import { enumerate, quote } from '../reading/quote.ts';
import type { WrittenCollection } from './collection.ts';
import type { WrittenField } from './field.ts';
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
      if (isUsed && collection.existing !== undefined) refuseCreators(collection, issues);
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

/** An existing table has no column for the user who created a row, and no reference to users. */
function refuseCreators({ name, at }: WrittenCollection, issues: Issues): void {
  const message = `permissions of ${quote(name)} name owner, and the rows of an existing table belong to no user of the service. Write public, authenticated or roles in place of owner.`;
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
  for (const field of collection.owner.value.split('.')) {
    if (current === undefined) return undefined;
    steps.push({ collection: current.name, field });
    current = named.get(fieldNamed(current, field)?.reference?.to.value ?? '');
  }
  return steps;
}

const byName = (
  collections: readonly WrittenCollection[],
): ReadonlyMap<string, WrittenCollection> => new Map(collections.map((one) => [one.name, one]));

const fieldNamed = ({ fields }: WrittenCollection, name: string): WrittenField | undefined =>
  fields.find((field) => field.name === name);

/** What is wrong with a path, and what to write instead; undefined if nothing is. */
function pathProblem(
  start: WrittenCollection,
  path: string,
  collections: ReadonlyMap<string, WrittenCollection>,
  complete: boolean,
): string | undefined {
  const names = path.split('.');
  const passed = new Set<string>();
  let current = start;
  for (const [at, name] of names.entries()) {
    passed.add(current.name);
    const before = names.slice(0, at).map((one) => `${one}.`);
    const field = fieldNamed(current, name);
    const known = referencesOf(current).map((one) => [...before, one.name].join(''));
    if (field === undefined) {
      const near = nearest(
        name,
        referencesOf(current).map((one) => one.name),
      );
      const hint = near === undefined ? hintOf(known) : quote([...before, near].join(''));
      return `names ${quote(name)}, which is not a field of ${quote(current.name)}. Write ${hint}.`;
    }
    // The field itself is reported as wrong.
    if (field.typeName === undefined) return undefined;
    if (field.typeName !== 'reference') {
      return `names ${quote(name)} of ${quote(current.name)}, which is ${field.typeName} and not a reference. Write ${hintOf(known)}.`;
    }
    if (field.reference === undefined) return undefined;
    if (field.writeOnly) {
      return `names ${quote(name)} of ${quote(current.name)}, which is write_only: a 403 would tell what it holds. Remove write_only, or write another path.`;
    }
    const to = field.reference.to.value;
    const isLast = at === names.length - 1;
    if (to === 'users') {
      if (isLast) return undefined;
      return `goes on after ${quote(name)}, which refers to users. Write ${quote([...before, name].join(''))}.`;
    }
    const target = collections.get(to);
    // The target itself is reported as missing, or the file that has it.
    if (target === undefined) return undefined;
    if (passed.has(to)) {
      return `comes back to ${quote(to)} by ${quote(name)}: items at the top of the tree would belong to nobody. Give ${quote(current.name)} a reference to users, and write that.`;
    }
    if (isLast) {
      const next = referencesOf(target).filter(({ reference }) => reference?.to.value === 'users');
      const longer = next.map((one) => `${path}.${one.name}`);
      const hint =
        longer.length === 0 && complete
          ? `Go on to a reference to users; ${quote(to)} has none itself.`
          : `Write ${hintOf(longer)}.`;
      return `ends at ${quote(to)}, and an owner is a user. ${hint}`;
    }
    current = target;
  }
  return undefined;
}

/** The references that a path may go by. */
const referencesOf = ({ fields }: WrittenCollection): readonly WrittenField[] =>
  fields.filter(({ reference, writeOnly }) => reference !== undefined && !writeOnly);

/** Up to ten paths to write. */
const hintOf = (paths: readonly string[]): string =>
  paths.length === 0
    ? 'a path of references that ends at users'
    : enumerate(paths.slice(0, 10).map(quote), 'or');
