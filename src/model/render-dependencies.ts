/**
 * What the files of a collection are made from, beside the service itself: the collections around
 * it. Where none of these has changed, neither has any file of the collection. All that is rendered
 * for a collection keeps to them; `test/unit/model/render-dependencies.test.ts` leaves out all others and
 * compares.
 */
import { collectionNamed, referrersOf } from './lookup.ts';
import type { Model, Relation } from './types.ts';

/**
 * The names of a collection and of those around it, of a model whose versions are all alike:
 * - what it refers to, and what refers to it: their names, paths and permissions;
 * - what is needed to make an item of these, for its tests do so: references that are required, and
 *   those of the target, and so on;
 * - what its owner path goes over: tests make these items;
 * - what goes with it by cascades, and what refers to that: it may keep an item from being removed.
 */
export function renderDependenciesOf(model: Model, name: string): ReadonlySet<string> {
  const around = new Set([name]);
  for (const target of targetsOf(model, name, () => true)) {
    around.add(target);
    addNeeded(model, target, around);
  }
  for (const { collection } of collectionNamed(model, name)?.definition.owner ?? []) {
    around.add(collection);
    addNeeded(model, collection, around);
  }
  addFollowing(model, name, around, new Set());
  return around;
}

const targetsOf = (
  model: Model,
  name: string,
  isWanted: (relation: Relation) => boolean,
): readonly string[] =>
  (collectionNamed(model, name)?.relations ?? [])
    .filter(isWanted)
    .map(({ target }) => target.collection);

function addNeeded(
  model: Model,
  name: string,
  around: Set<string>,
  seen = new Set<string>(),
): void {
  if (seen.has(name)) return;
  seen.add(name);
  const isNeeded = ({ field }: Relation): boolean => field.required;
  for (const target of targetsOf(model, name, isNeeded)) {
    around.add(target);
    addNeeded(model, target, around, seen);
  }
}

/** What refers to a collection, and to what goes with it. */
function addFollowing(model: Model, name: string, around: Set<string>, seen: Set<string>): void {
  if (seen.has(name)) return;
  seen.add(name);
  for (const { collection, relation } of referrersOf(model, name)) {
    const other = collection.definition.name;
    around.add(other);
    if (relation.onDelete === 'cascade') addFollowing(model, other, around, seen);
  }
}
